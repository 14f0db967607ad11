// The use of a Subnet over time, as its locks tell it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takenOverTime } from '../../gui/views/addresses/past.ts'

test('begins empty with the Subnet, rises with each lock that is still there, and ends now with all of them', () => {
  assert.deepEqual(takenOverTime([30_000, 10_000, 20_000], 5_000, 60_000), { times: [5, 10, 20, 30, 60], values: [0, 1, 2, 3, 3] })
  assert.deepEqual(takenOverTime([], 5_000, 60_000), { times: [5, 60], values: [0, 0] })
})

test('of ten thousand locks it has a few hundred points, the last of all among them', () => {
  const made = Array.from({ length: 10_000 }, (_, i) => i * 1_000)
  const { times, values } = takenOverTime(made, 0, 20_000_000)
  assert.ok(times.length <= 402)
  assert.deepEqual([times.at(-1), values.at(-1), values.at(-2)], [20_000, 10_000, 10_000])
  assert.ok(values.every((value, i) => i === 0 || value >= values[i - 1]!))
})

test('a lock of a clock that is ahead is not of the past', () => {
  assert.deepEqual(takenOverTime([10_000, 70_000], 5_000, 60_000).values, [0, 1, 1])
})
