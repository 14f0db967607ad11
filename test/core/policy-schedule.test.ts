// When a policy is in force by its schedule: minute by minute, and until when.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { scheduleStateAt } from '../../core/policy/read/schedule.ts'
import { trials } from '../setup/trials.ts'

const at = (text: string): number => Date.parse(`${text}:00Z`)
const stateAt = (schedule: Parameters<typeof scheduleStateAt>[0], time: string): readonly unknown[] => {
  const { inForce, since, until } = scheduleStateAt(schedule, at(time))
  return [inForce, ...[since, until].map((ms) => new Date(ms).toISOString().slice(0, 16))]
}

test('it is in force in its windows, which may end on the next day, and on their days', () => {
  const office = [{ days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] as never, from: '08:00', to: '18:00' }]
  // 2026-11-27 is a Friday.
  assert.deepEqual(stateAt(office, '2026-11-27T07:59'), [false, '2026-11-26T18:00', '2026-11-27T08:00'])
  assert.deepEqual(stateAt(office, '2026-11-27T08:00'), [true, '2026-11-27T08:00', '2026-11-27T18:00'])
  assert.deepEqual(stateAt(office, '2026-11-27T18:00'), [false, '2026-11-27T18:00', '2026-11-30T08:00'])
  const night = [{ days: ['Sat'] as never, from: '22:00', to: '06:00' }]
  assert.deepEqual(stateAt(night, '2026-11-29T05:59'), [true, '2026-11-28T22:00', '2026-11-29T06:00'])
  assert.deepEqual(stateAt(night, '2026-11-28T05:59'), [false, '2026-11-22T06:00', '2026-11-28T22:00'])
  assert.equal(scheduleStateAt([{ from: '00:00', to: '00:00' }], at('2026-11-27T12:34')).inForce, true, 'a whole day, each day')
  assert.equal(scheduleStateAt([], at('2026-11-27T12:34')).inForce, false)
})

test('from since to until nothing changes, and what is so at any time is so whatever the week', () => {
  const minute = fc.integer({ min: 0, max: 1439 })
  const time = minute.map((n) => `${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`)
  const days = fc.option(fc.uniqueArray(fc.constantFrom('Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'), { minLength: 1 }), {
    nil: undefined,
  })
  const window = fc.record({ days, from: time, to: time }).map(({ days: on, ...rest }) => ({ ...rest, ...(on && { days: on }) }) as never)
  const now = fc.integer({ min: 0, max: 60 * 365 * 24 * 60 }).map((n) => n * 60_000 + 17_000)
  fc.assert(
    fc.property(fc.array(window, { minLength: 1, maxLength: 5 }), now, (schedule, ms) => {
      const { inForce, since, until } = scheduleStateAt(schedule, ms)
      assert.ok(since <= ms && ms < until)
      for (const other of [since, until - 60_000, (since + until) / 2]) assert.equal(scheduleStateAt(schedule, other).inForce, inForce)
      assert.deepEqual(scheduleStateAt(schedule, ms + 7 * 24 * 3_600_000).inForce, inForce)
    }),
    { numRuns: trials(5_000) },
  )
})
