// How large a pool of Ports made ahead is, from when Ports came and how long one takes to be made.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { makingMs, mostWithin, sizeOf } from '../../core/plan/cloud/pool-size.ts'

const now = Date.parse('2026-01-01T12:00:00Z')
const at = (msAgo: number): string => new Date(now - msAgo).toISOString()
let made = 0
/** @param tookMs until it was there */
const port = (msAgo: number, tookMs?: number): Resource<'Port'> =>
  ({
    metadata: { creationTimestamp: at(msAgo), uid: `p${made++}` },
    spec: {},
    status: { timeline: tookMs === undefined ? [] : [{ phase: 'ready', time: at(msAgo - tookMs) }] },
  }) as unknown as Resource<'Port'>
const ports = (...msAgo: readonly number[]): readonly Resource<'Port'>[] => msAgo.map((each) => port(each))

test('the most that came within a span are counted, in whichever order they are told', () => {
  assert.deepEqual(
    [mostWithin([], 10), mostWithin([5], 10), mostWithin([30, 0, 20, 10], 10), mostWithin([0, 1, 2, 50, 51, 52, 53], 3)],
    [0, 1, 2, 4],
  )
})

test('how long one takes is the median of those that are there, and ten seconds of none', () => {
  assert.deepEqual([makingMs([]), makingMs([port(60_000)]), makingMs([port(9, 1), port(9, 7), port(9, 3)])], [10_000, 10_000, 3])
})

test('a pool is as large as came while one is made, and keeps as many as came within a minute', () => {
  const starts = ports(100_000, 99_000, 98_000, 70_000, 60_000)
  const size = (tookMs: number) => sizeOf({ max: 10 }, { starts, entries: [port(1_000, tookMs)] }, now)
  assert.deepEqual(
    [size(100), size(30_000), size(600_000)],
    [
      { atLeast: 3, atMost: 5 },
      { atLeast: 4, atMost: 5 },
      { atLeast: 5, atMost: 5 },
    ],
  )
})

test('Ports that are gone count as long as what was made ahead after them tells of them, once each', () => {
  const [there] = ports(100_000)
  const after = (uid: string, msAgo: number): Resource<'Port'> =>
    ({ ...port(50_000, 100), spec: { warm: { after: { uid, came: at(msAgo) } } } }) as unknown as Resource<'Port'>
  const entries = [after(there!.metadata.uid, 100_000), after('gone', 99_000), after('long gone', 3_600_001), port(1)]
  assert.deepEqual(sizeOf({ max: 10 }, { starts: [there!], entries }, now), { atLeast: 2, atMost: 2 })
})

test('it is between min and max while it is used, and empty an hour after its last use', () => {
  const sizeFor = (starts: readonly Resource<'Port'>[], entries: readonly Resource<'Port'>[] = []) =>
    sizeOf({ min: 2, max: 3 }, { starts, entries }, now).atLeast
  assert.deepEqual(
    [sizeFor(ports(1_000)), sizeFor(ports(1, 2, 3, 4, 5)), sizeFor([], ports(3_000_000)), sizeFor(ports(3_600_001)), sizeFor([])],
    [2, 3, 2, 0, 0],
  )
})
