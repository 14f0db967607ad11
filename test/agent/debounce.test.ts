// What waits while pods come: called when nothing has come for half a second, and after three seconds at the latest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Debounce } from '../../agent/debounce.ts'
import { TurnedClock } from '../../platform/clock.ts'

function opened(): { readonly clock: TurnedClock; readonly debounce: Debounce; readonly called: string[]; later(what: string): void } {
  const clock = new TurnedClock()
  const debounce = new Debounce(clock)
  const called: string[] = []
  return { clock, debounce, called, later: (what) => debounce.later(() => called.push(what)) }
}

test('what came is called once nothing new has come for a moment, in order', () => {
  const { clock, called, later } = opened()
  later('a')
  clock.advance(400)
  later('b')
  clock.advance(499)
  assert.deepEqual(called, [])
  clock.advance(1)
  assert.deepEqual(called, ['a', 'b'])
  later('c')
  clock.advance(500)
  assert.deepEqual(called, ['a', 'b', 'c'])
})

test('where there is always something new nothing waits longer than three seconds', () => {
  const { clock, called, later } = opened()
  for (let n = 0; n < 30; n++) {
    later(`${n}`)
    clock.advance(100)
  }
  assert.equal(called.length, 30)
  later('last')
  clock.advance(499)
  assert.equal(called.length, 30)
  clock.advance(1)
  assert.equal(called.length, 31)
})

test('an agent that stops calls nothing more', () => {
  const { clock, debounce, called, later } = opened()
  later('a')
  debounce.stop()
  clock.advance(10_000)
  assert.deepEqual(called, [])
})
