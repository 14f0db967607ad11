// Which network a pod's policy gives it, and what becomes of its Port.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { networkFor } from '../../core/policy/pod-network.ts'
import { ofUnified } from '../../core/policy/read/unified.ts'

type Unified = Resource<'UnifiedNetworkPolicy'>
const time = '2026-01-01T00:00:00Z'
const metadata = (name: string, more: object = {}): Unified['metadata'] => ({
  namespace: 'a',
  name,
  uid: name,
  resourceVersion: '1',
  generation: 1,
  creationTimestamp: time,
  ...more,
})
const policy = (name: string, spec: Partial<Unified['spec']>, more: object = {}): Unified => ({
  apiVersion: 'megrez.io/v1alpha1',
  kind: 'UnifiedNetworkPolicy',
  metadata: metadata(name, more),
  spec: { podSelector: {}, ...spec },
})
const pod = (labels: Readonly<Record<string, string>> = {}, annotations: Readonly<Record<string, string>> = {}) => ({
  metadata: { namespace: 'a', labels, annotations },
})

test('the network is that of the one policy in force: the pod’s own, else by priority, age and name', () => {
  const [low, high] = [policy('low', { network: 'one' }), policy('high', { network: 'b/two', priority: 5 })]
  assert.equal(networkFor(pod(), [low, high]), 'b/two')
  assert.equal(networkFor(pod({}, { 'megrez.io/unp': 'low' }), [low, high]), 'one')
  assert.equal(networkFor(pod({}, { 'megrez.io/unp': 'none' }), [low, high]), 'b/two', 'one that is not there is none')
  const older = policy('older', { network: 'three' }, { creationTimestamp: '2025-01-01T00:00:00Z' })
  assert.equal(networkFor(pod(), [low, older]), 'three')
  assert.equal(networkFor(pod(), [low, policy('first', { network: 'four' })]), 'four')
})

test('one that does not select the pod, is of another namespace, is going, in audit, out of its schedule or refused gives none', () => {
  const others: readonly Unified[] = [
    policy('labels', { network: 'x', podSelector: { matchLabels: { app: 'y' } } }),
    policy('elsewhere', { network: 'x' }, { namespace: 'b' }),
    policy('going', { network: 'x' }, { deletionTimestamp: time }),
    policy('audit', { network: 'x', mode: 'audit' }),
    policy('later', { network: 'x', schedule: [{ from: '01:00', to: '02:00' }] }),
    policy('refused', { network: 'x', podSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
    policy('vlan', { network: 'vlan:physnet1' }),
    policy('wrong', { network: 'No Name' }),
  ]
  for (const each of others) assert.equal(networkFor(pod({ app: 'x' }), [each]), undefined, each.metadata.name)
  assert.equal(networkFor(pod({ app: 'y' }), others.slice(0, 1)), 'x')
})

test('one in force that names none hides one below that does: it is the only one that counts', () =>
  assert.equal(networkFor(pod(), [policy('silent', { priority: 9 }), policy('speaks', { network: 'x' })]), undefined))

test('what cannot be a network is said by path', () => {
  const said = (network: string): readonly string[] =>
    ofUnified(policy('p', { network })).problems.map(({ path, message }) => `${path} ${message}`)
  assert.deepEqual(said('b/net'), [])
  assert.deepEqual(said('vni:7'), [])
  assert.match(said('No Name')[0]!, /^\/spec\/network must be the name of a Vpc/)
  assert.deepEqual(said('vlan:physnet1/100'), [])
  for (const wrong of ['vlan:physnet1', 'vlan:/7', 'vlan:physnet1/0', 'vlan:physnet1/70000', 'vlan:PHYSNET/7'])
    assert.match(said(wrong)[0]!, /^\/spec\/network must be the name of a Vpc, namespace\/name, vni:NUMBER, or vlan:NETWORK\/NUMBER/, wrong)
})
