// Vpcs and Subnets of clouds before they are stored: what is refused, and where.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalByView } from '../../core/admit/object/by-view.ts'
import type { NetworkView } from '../../core/admit/network-view.ts'
import { thing } from './plan-things.ts'

const cloud = thing('Cloud', 'c', { provider: 'memory', endpoint: 'here', namespaces: ['a'] })
const vpcs = {
  ours: thing('Vpc', 'ours', {}),
  theirs: thing('Vpc', 'theirs', { provider: 'memory', cloud: 'c' }),
}
const there = thing('Subnet', 'there', { vpc: 'theirs', ipv4: { cidr: '10.0.0.0/24' } }, { status: { validated: true } })
const view = {
  cloud: (name) => (name === 'c' ? cloud : undefined),
  vpc: (_, name) => vpcs[name as keyof typeof vpcs],
  vpcsOfSegment: () => [],
  subnetsOf: () => [there],
} as Partial<NetworkView> as NetworkView

const vpc = (namespace: string, spec: object) => {
  const refusal = refusalByView({ kind: 'Vpc', metadata: { namespace, name: 'v' }, spec }, view)
  return refusal && [refusal.at, refusal.message]
}
const subnet = (spec: { readonly vpc: string; readonly existing?: string; readonly ipv4?: { readonly cidr: string } }) =>
  refusalByView({ kind: 'Subnet', metadata: { namespace: 'a', name: 's' }, spec }, view)?.at

test('a Vpc names a Cloud that is there, is for its namespace, and is of its provider', () => {
  assert.equal(vpc('a', { provider: 'memory', cloud: 'c' }), undefined)
  assert.deepEqual(vpc('a', { provider: 'memory', cloud: 'd' }), ['/spec/cloud', 'Cloud d not found for namespace a'])
  assert.deepEqual(vpc('b', { provider: 'memory', cloud: 'c' }), ['/spec/cloud', 'Cloud c not found for namespace b'])
  assert.deepEqual(vpc('a', { provider: 'another', cloud: 'c' }), ['/spec/provider', 'Cloud c is of provider memory'])
})

test("whether a block overlaps is the cloud's to say, and nothing is there already where there is no cloud", () => {
  const block = { ipv4: { cidr: '10.0.0.0/24' } }
  assert.deepEqual([subnet({ vpc: 'theirs', ...block }), subnet({ vpc: 'ours', ...block })], [undefined, '/spec/ipv4/cidr'])
  assert.deepEqual(
    [subnet({ vpc: 'theirs', existing: 'x' }), subnet({ vpc: 'ours', existing: 'x', ...block })],
    [undefined, '/spec/existing'],
  )
})

test('a Port names a QoS policy where its cloud has them', () => {
  const subnets = { there, here: thing('Subnet', 'here', { vpc: 'ours' }), alcors: thing('Subnet', 'alcors', { vpc: 'alcors' }) }
  const alcors = thing('Vpc', 'alcors', { provider: 'alcor', cloud: 'd' })
  const around: NetworkView = {
    ...view,
    subnet: (_, name) => subnets[name as keyof typeof subnets],
    vpc: (namespace, name) => (name === 'alcors' ? alcors : view.vpc(namespace, name)),
  }
  const port = (subnet: string) => {
    const refusal = refusalByView({ kind: 'Port', metadata: { namespace: 'a', name: 'p' }, spec: { subnet, qosPolicy: 'gold' } }, around)
    return refusal && [refusal.at, refusal.message]
  }
  assert.equal(port('there'), undefined)
  assert.deepEqual(port('alcors'), ['/spec/qosPolicy', 'Vpc alcors is of provider alcor, which has no QoS policies'])
  assert.deepEqual(port('here'), [
    '/spec/qosPolicy',
    'Vpc ours is of provider builtin, which has no QoS policies: bandwidth.max of a UnifiedNetworkPolicy limits what its Ports send and get',
  ])
})
