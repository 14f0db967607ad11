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
