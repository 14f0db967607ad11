// Of all who plan a thing that its cloud makes any number of, one asks for it at a time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planLife, sentWithinMs } from '../../core/plan/cloud/life.ts'
import { at, line, t0, thing } from './plan-things.ts'

const scope = {
  of: { kind: 'Vpc', namespace: 'a', name: 'v', uid: 'uid-v' },
  existing: undefined,
  network: undefined,
  subnet: undefined,
} as const

/** What is done where nothing is there, and it was asked for so long ago. */
function planned(isClaimed: boolean, agoMs?: number) {
  const item = thing('Vpc', 'v', {}, { status: { cloud: 'c', ...(agoMs !== undefined && { requestedAt: at(-agoMs) }) } })
  const life = planLife<'network'>(
    { item, cloud: 'c', scope, wanted: {}, landsWithinMs: 1_000, isClaimed, differs: () => false, sectionsOf: () => ({}) },
    { there: undefined },
    t0,
  )
  return life.is === 'not yet' ? life.plan : assert.fail('there is nothing')
}

test('whoever marks it as asked for asks, in the same pass; nobody else asks meanwhile', () => {
  const { steps, ...plan } = planned(true)
  assert.equal(line({ ...plan, steps }), 'pending Creating, markAsked, create')
  const [{ action }] = steps as unknown as [{ readonly action: { readonly provider: object } }]
  assert.deepEqual(action.provider, { cloud: 'c', requestedAt: at(0) })
  assert.equal(line(planned(true, sentWithinMs)), 'pending Creating')
  assert.equal(line(planned(true, sentWithinMs + 1)), 'pending Creating, markAsked, create')
})

test('where the cloud refuses a second one anybody asks, once it is told', () => {
  const { sections, ...plan } = planned(false)
  assert.deepEqual([line(plan), sections], ['pending Requested', { provider: { cloud: 'c', requestedAt: at(0) } }])
  assert.equal(line(planned(false, sentWithinMs)), 'pending Creating, create')
})
