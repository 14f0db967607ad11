// What rules of a policy come to in a VLAN, where nobody says whose an address is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPolicy } from '../../core/policy/read.ts'
import { vlanSegment } from '../../core/net/segment.ts'
import { member, resource, worldOf } from './policy-things.ts'

const inVlan = { vni: vlanSegment('physnet1', 100), families: [4, 6] as const, subnets: new Map(), isOpen: true }
const everything = ['0.0.0.0/0', '::/0']

function compiled(action: 'allow' | 'deny', peers: object) {
  const item = resource('UnifiedNetworkPolicy', 'a/p', { podSelector: {}, ingress: [{ action, peers: [peers] }] })
  const policy = readPolicy(item).policy!
  const world = worldOf([member('a/web', { app: 'web' }), member('a/db', { app: 'db' })], [policy], inVlan)
  const { spec, problems } = world.compile(policy, inVlan)
  const rules = spec.rules.filter(({ source }) => source.startsWith('/spec/ingress'))
  return { blocks: rules.flatMap((rule) => rule.peers?.blocks ?? []), peers: rules.map((rule) => rule.peers), problems, spec }
}

test('blocks are as they are in a VNI, and of both families', () => {
  for (const cidr of ['192.0.2.0/24', '2001:db8::/64']) {
    const { blocks, problems } = compiled('allow', { cidr })
    assert.deepEqual(blocks, [cidr])
    assert.deepEqual(problems, [])
  }
})

test('whoever selects everybody allows nobody, denies everything, and is told', () => {
  for (const peers of [{ namespaceSelector: {} }, { subnet: 'blue' }]) {
    assert.deepEqual(compiled('allow', peers).peers, [])
    assert.deepEqual(compiled('deny', peers).blocks, everything)
    const { problems } = compiled('deny', peers)
    assert.deepEqual(
      problems.map(({ path, isUnsupported }) => [path, isUnsupported]),
      [['/spec/ingress/0', true]],
    )
  }
})

test('who selects by labels names identities, and no address has one', () => {
  const { peers, problems } = compiled('deny', { podSelector: { matchLabels: { app: 'db' } } })
  assert.equal(peers[0]?.identities.length, 1)
  assert.deepEqual(peers[0]?.blocks, [])
  assert.equal(problems.length, 1)
})
