// What rules of a policy come to in a VLAN, where nobody says whose an address is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unknown } from '../../core/kinds/policy/tiers.ts'
import { traceOf, type TraceEnd } from '../../core/policy/trace/trace.ts'
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

test('a rule with a VLAN asks for it there, and in a VNI, where no frame is in one, it is none', () => {
  for (const action of ['allow', 'deny'] as const) {
    const item = resource('UnifiedNetworkPolicy', 'a/p', { podSelector: {}, ingress: [{ action, l2: { vlan: 100 } }] })
    const { policy, problems } = readPolicy(item)
    assert.deepEqual(problems, [])
    const framesIn = (more: object): readonly unknown[] => {
      const { spec, problems: others } = worldOf([member('a/web', { app: 'web' })], [policy!], more).compile(policy!)
      assert.deepEqual(others, [])
      return spec.rules.filter(({ source }) => source.startsWith('/spec/ingress')).map(({ frame, families }) => [frame, families])
    }
    // Who does not know of frames allows nothing by it.
    assert.deepEqual(framesIn(inVlan), [[{ vlan: 100 }, action === 'allow' ? [] : undefined]])
    assert.deepEqual(framesIn({}), [])
  }
})

test('a trace goes by the VLAN that it is asked about', () => {
  const item = resource('UnifiedNetworkPolicy', 'a/p', { podSelector: {}, ingress: [{ action: 'deny', l2: { vlan: 100 } }] })
  const { sets, numberOf } = worldOf([member('a/web', { app: 'web' })], [readPolicy(item).policy!], inVlan)
  const isAllowed = (vlan: number): boolean => {
    const attachment = resource('L2ServiceAttachment', 'a/blue', { l2Services: ['blue'], connectionPoint: 'cp', vlanType: 'access' })
    const at = { pod: resource('Pod', 'a/web', { containers: [] }), attachment, vlan }
    const to = { address: '', identity: numberOf('a/web'), interface: at }
    return traceOf(sets, { from: { address: '192.0.2.1', identity: unknown }, to, transport: { protocol: 6, l4Port: 80 } }).isAllowed
  }
  assert.deepEqual([100, 200].map(isAllowed), [false, true])
})

test('between Ports of a Vpc that is a VLAN the other one is nobody, though it has an identity, as on their nodes', () => {
  const vlan = { physicalNetwork: 'physnet1', id: 100 }
  const policies = (action: 'allow' | 'deny', peers: object, defaults: 'allow' | 'deny') =>
    readPolicy(
      resource('UnifiedNetworkPolicy', 'a/p', { podSelector: {}, defaults: { ingress: defaults }, ingress: [{ action, peers: [peers] }] }),
    ).policy!
  const isLetIn = (...of: Parameters<typeof policies>): boolean => {
    const policy = policies(...of)
    const world = worldOf([member('a/web', { app: 'web' }), member('a/db', { app: 'db' })], [policy], inVlan)
    const end = (name: string, address: string): TraceEnd => ({
      address,
      identity: world.numberOf(name),
      port: { ...resource('Port', name, { subnet: 's' }), status: { vlan, segment: inVlan.vni, addresses: [address] } },
    })
    const [from, to] = [end('a/db', '192.0.2.1'), end('a/web', '192.0.2.2')]
    return traceOf([world.compile(policy, inVlan).spec], { from, to, transport: { protocol: 6, l4Port: 80 } }).isAllowed
  }
  const db = { podSelector: { matchLabels: { app: 'db' } } }
  assert.deepEqual([isLetIn('allow', db, 'deny'), isLetIn('deny', db, 'allow')], [false, false])
  assert.deepEqual([isLetIn('allow', { cidr: '192.0.2.1/32' }, 'deny'), isLetIn('deny', { cidr: '192.0.2.9/32' }, 'allow')], [true, true])
})
