// Who judges a Port, as its status tells of it while what is known changes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { policyOutcome, type PolicyBinding, type SelectingSet } from '../../core/plan/policy/port-policy.ts'
import { resource } from './policy-things.ts'

type PolicyTold = NonNullable<Resource<'Port'>['status']>['policy']

const portWith = (policy: PolicyTold): Resource<'Port'> => ({
  ...resource('Port', 'a/p', { subnet: 'one' }),
  status: { addresses: ['10.0.0.2'], ...(policy && { policy }) },
})
const ready: Resource<'PolicyIdentity'> = { ...resource('PolicyIdentity', 'net/vni-7-2', {}), status: { phase: 'ready' } }
function bindingTo(...sets: readonly SelectingSet[]): PolicyBinding {
  const draft = { kind: 'PolicyIdentity', metadata: { namespace: 'net', name: 'vni-7-2' }, spec: {} } as never
  return { identity: { number: 2, draft, item: ready, isUnused: false }, sets, absent: [], isEnding: false }
}
const policyAfter = (before: PolicyTold, ...sets: readonly SelectingSet[]): PolicyTold =>
  policyOutcome(portWith(before), bindingTo(...sets), 2).told

describe('a Port that is served', () => {
  const has = { name: 'has', hasSubject: true }
  const late = { name: 'late', hasSubject: false }

  test('names a policy that has come to judge it once the rules of that have its identity', () => {
    assert.deepEqual(policyAfter({ identity: 2, ruleSets: ['has'] }, has, late), { identity: 2, ruleSets: ['has'] })
    assert.deepEqual(policyAfter(undefined, late), { identity: 2, ruleSets: [] })
  })

  test('lets go of none before what comes in its place is there', () => {
    assert.deepEqual(policyAfter({ identity: 2, ruleSets: ['old'] }, late), { identity: 2, ruleSets: ['old'] })
  })

  test('is open at no moment that it becomes another, also where no watch has told yet that the rules have its identity', () => {
    assert.deepEqual(policyAfter({ identity: 1, ruleSets: ['old'] }, late), { identity: 2, ruleSets: ['late'] })
  })
})
