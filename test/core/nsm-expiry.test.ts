// When an endpoint expires, and which refreshes are written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiryOf, isExpired, isWorthWriting } from '../../core/nsm/expiry.ts'

test('a time is seconds and nanoseconds, and an empty one is none', () => {
  const rows = [
    [undefined, undefined],
    [{}, undefined],
    [{ seconds: 0, nanos: 0 }, undefined],
    [{ seconds: 2 }, 2000],
    [{ seconds: 2, nanos: 500_000_000 }, 2500],
  ] as const
  for (const [expiration_time, ms] of rows) assert.equal(expiryOf(expiration_time === undefined ? {} : { expiration_time }), ms)
  const expiring = { expiration_time: { seconds: 2 } }
  assert.deepEqual([isExpired({}, 1e15), isExpired(expiring, 1999), isExpired(expiring, 2000)], [false, false, true])
})

test('a refresh is written from a third of its lifetime on, and whatever is no refresh always', () => {
  const now = 1_000_000
  const rows: readonly (readonly [number | undefined, number | undefined, boolean])[] = [
    // Lifetime 60 s: what stands moves by 19, 20 and 60 s.
    [now + 41_000, now + 60_000, false],
    [now + 40_000, now + 60_000, true],
    [now, now + 60_000, true],
    [now - 5_000, now + 60_000, true],
    [now + 60_000, now + 60_000, false],
    // Shorter, over already, from now on, for good.
    [now + 60_000, now + 59_000, true],
    [now + 60_000, now - 1, true],
    [undefined, now + 60_000, true],
    [now + 60_000, undefined, true],
    [undefined, undefined, false],
  ]
  for (const [stored, wanted, is] of rows) assert.equal(isWorthWriting({ stored, wanted, now }), is, `${stored} ${wanted}`)
})

test('of a client that refreshes every second of a minute three are written in a lifetime, and none comes late', () => {
  let stored = 60_000
  let writes = 0
  for (let now = 0; now <= 600_000; now += 1000) {
    const wanted = now + 60_000
    if (isWorthWriting({ stored, wanted, now })) {
      stored = wanted
      writes++
    }
    assert.ok(stored >= now + 40_000)
  }
  assert.equal(writes, 30)
})
