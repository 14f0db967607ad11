// Of all who plan a thing that its cloud makes any number of, one asks for it at a time; and what was refused is asked for again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planLife, sentWithinMs, skewMs } from '../../core/plan/cloud/life.ts'
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

const refusedMs = 200_000
const waitsFor = { kind: 'address', namespace: 'a', subnet: 's' } as const

/** Refused long ago, asked for again a minute ago, and others gave something back at `cameAt`. */
function plannedRefused(cameAt: number | undefined, { isClaimed = false, agoMs = 60_000, room = { waitsFor, cameAt } } = {}) {
  const item = thing(
    'Port',
    'p',
    { subnet: 's' },
    {
      status: {
        cloud: 'c',
        requestedAt: at(-agoMs),
        conditions: [
          { type: 'Ready', status: 'False', reason: 'Refused', message: 'full', observedGeneration: 1, lastTransitionTime: at(-refusedMs) },
        ],
      },
    },
  )
  const life = planLife<'port'>(
    {
      item,
      cloud: 'c',
      scope: { ...scope, of: { kind: 'Port', namespace: 'a', name: 'p', uid: 'uid-p' } },
      wanted: { securityGroups: undefined, groups: [], portSecurity: true, closed: false, hostIP: undefined },
      landsWithinMs: 1_000,
      isClaimed,
      differs: () => false,
      sectionsOf: () => ({}),
      room,
    } as never,
    { there: undefined },
    t0,
  )
  return life.is === 'not yet' ? life.plan : assert.fail('there is nothing')
}

test('what a cloud has refused waits for what others give back, and is asked for then; else later each time', () => {
  const waiting = plannedRefused(undefined)
  assert.equal(line(waiting), 'error Refused')
  assert.deepEqual([waiting.waitsFor, waiting.requeueAfterMs], [waitsFor, refusedMs / 2 - 60_000])
  assert.deepEqual(plannedRefused(t0 - 59_000).sections, { provider: { cloud: 'c', requestedAt: at(0) } })
  assert.equal(plannedRefused(t0 - 61_000, { agoMs: 50_000 }).requeueAfterMs, 10_000, 'which was first is not known for sure')
  assert.equal(plannedRefused(t0 - 50_000 - skewMs, { agoMs: 50_000 }).requeueAfterMs, refusedMs / 2 - 50_000, 'that was before')
})

test('one who has just asked waits for what comes of that', () => {
  const plan = plannedRefused(t0, { isClaimed: true, agoMs: 4_000 })
  assert.equal(line(plan), 'error Refused')
  assert.equal(plan.requeueAfterMs, sentWithinMs + 1 - 4_000)
})
