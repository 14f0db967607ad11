// What a pool of Ports made ahead does as the quota runs out, where what comes and goes may count at the cloud already, or still.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { warmName } from '../../core/kinds/vpc/warm.ts'
import { planPool } from '../../core/plan/cloud/pool.ts'

const now = Date.parse('2026-01-01T12:00:00Z')
const key = 'a/pool'
const port = (uid: string, spec: object, status: object, going = false): Resource<'Port'> =>
  ({
    metadata: {
      uid,
      name: uid,
      namespace: 'a',
      creationTimestamp: new Date(now).toISOString(),
      ...(going && { deletionTimestamp: 'now' }),
    },
    spec: { subnet: 'one', ...spec },
    status,
  }) as unknown as Resource<'Port'>
type State = 'made' | 'being made' | 'going'
const entry = (state: State, i: number): Resource<'Port'> =>
  port(warmName(key, i), { warm: {} }, { phase: 'ready', ...(state !== 'being made' && { providerID: `p${i}` }) }, state === 'going')

/** Ten came at once, and two of the quota are left free. @returns how many it makes, and gives back */
function planned(states: readonly State[], room: number): readonly [makes: number, ends: number] {
  const starts = Array.from({ length: 10 }, (_, i) => port(`start-${i}`, {}, {}))
  const entries = states.map(entry)
  const { steps } = planPool({ key, pools: { max: 10, reserve: 2 }, entries, starts, refused: 0, isNeeded: () => false }, { room }, now)
  const count = (what: 'makeEntry' | 'endEntry'): number => steps.filter(({ action }) => action.do === what).length
  return [count('makeEntry'), count('endEntry')]
}

test('those that are being made still need room: no more are made than the rest is for', () => {
  assert.deepEqual(planned([], 8), [6, 0])
  assert.deepEqual(planned(['being made', 'being made', 'being made', 'being made'], 8), [2, 0])
  assert.deepEqual(planned(['made', 'made', 'made', 'made'], 4), [2, 0])
})

test('those that are being made may count already: none is given back for that', () => {
  assert.deepEqual(planned(['being made', 'being made', 'being made'], 2), [0, 0])
})

test('those that go count still: no more are given back than are too many', () => {
  assert.deepEqual(planned(['made', 'made', 'made', 'made'], 0), [0, 2])
  assert.deepEqual(planned(['made', 'made', 'going', 'going'], 0), [0, 0])
  assert.deepEqual(planned(['made', 'made'], 2), [0, 0])
})
