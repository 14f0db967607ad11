// What waits while pods come: told when nothing has come for half a second, and after three seconds at the latest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Debounce } from '../../agent/debounce.ts'
import { TurnedClock } from '../../platform/clock.ts'

function opened(): { readonly clock: TurnedClock; readonly lull: Debounce; readonly told: string[]; later(what: string): void } {
  const clock = new TurnedClock()
  const lull = new Debounce(clock)
  const told: string[] = []
  return { clock, lull, told, later: (what) => lull.later(() => told.push(what)) }
}

test('all that came by a lull is told in it, in order', () => {
  const { clock, told, later } = opened()
  later('a')
  clock.turn(400)
  later('b')
  clock.turn(499)
  assert.deepEqual(told, [])
  clock.turn(1)
  assert.deepEqual(told, ['a', 'b'])
  later('c')
  clock.turn(500)
  assert.deepEqual(told, ['a', 'b', 'c'])
})

test('where there is no lull nothing waits longer than three seconds', () => {
  const { clock, told, later } = opened()
  for (let n = 0; n < 30; n++) {
    later(`${n}`)
    clock.turn(100)
  }
  assert.equal(told.length, 30)
  later('last')
  clock.turn(499)
  assert.equal(told.length, 30)
  clock.turn(1)
  assert.equal(told.length, 31)
})

test('an agent that stops tells nothing more', () => {
  const { clock, lull, told, later } = opened()
  later('a')
  lull.stop()
  clock.turn(10_000)
  assert.deepEqual(told, [])
})
