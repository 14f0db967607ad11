import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { backoffMs } from '../../core/backoff.ts'

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('the wait doubles with each attempt, from the first up to the longest', () => {
  const waits = [1, 2, 3, 4, 5].map((attempt) => backoffMs(attempt, 0, { firstMs: 100, maxMs: 1_000 }))
  assert.deepEqual(waits, [50, 100, 200, 400, 500])
})

test('whatever the chance, a wait is between half and the whole, and a whole number of milliseconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), random, (attempt, chance) => {
      const wait = backoffMs(attempt, chance, { firstMs: 200, maxMs: 60_000 })
      const whole = Math.min(60_000, 200 * 2 ** (attempt - 1))
      assert.ok(Number.isSafeInteger(wait) && wait >= Math.round(whole / 2) && wait <= whole, `${wait} of ${whole}`)
    }),
  )
})

test('two rivals with different chances part', () => {
  assert.ok(backoffMs(6, 0.9) - backoffMs(6, 0.1) > 1_000)
})

test('a first wait beyond the longest is cut to it', () => {
  assert.equal(backoffMs(1, 0, { firstMs: 10_000, maxMs: 1_000 }), 500)
})
