// Which addresses of a pool a Vpc has, on which nodes, and which nodes send nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import type { BGPNet } from '../../core/plan/bgp/net.ts'
import { givenBack, planPool, poolFor, withoutText, type EgressPool } from '../../core/plan/egress/pool.ts'
import { going, thing } from './plan-things.ts'

const node = (name: string, labels: Record<string, string> = {}): Resource<'Node'> => thing('Node', name, {}, { labels })
const sender = thing('Vpc', 'v', { egressClass: 'internet' })
const edge = thing('BGPSessionGroup', 'edge', {
  as: 64512,
  nodes: { matchLabels: { rack: 'r1' } },
  advertise: { subnets: [{ namespace: 'op', name: 'egress' }] },
})
const blocks = { ipv4: { cidr: '203.0.113.0/24' }, ipv6: { cidr: '2001:db8::/64' } }
interface World {
  readonly owner?: Partial<SpecOf<'Vpc'>>
  readonly subnet?: Partial<Resource<'Subnet'>['metadata']> & { readonly status?: NonNullable<Resource<'Subnet'>['status']> }
  readonly groups?: readonly Resource<'BGPSessionGroup'>[]
  /** Of IPv6: it is about to be free. */
  readonly leaving?: string
}
function netOf({ owner = {}, subnet = {}, groups = [edge], leaving }: World = {}): BGPNet {
  const status = { vni: 9, validated: true }
  const pool = thing('Subnet', 'egress', { vpc: 'public', ...blocks }, { namespace: 'op', status, ...subnet })
  const lock = (cidr: string) => ({
    cidr,
    subnet: 'op/egress',
    uid: pool.metadata.uid,
    ...(leaving !== undefined && cidr.includes(':') && { leaving }),
  })
  return {
    groups,
    vpc: () => thing('Vpc', 'public', { sharedWith: ['a'], bgpSessionGroups: ['edge'], ...owner }, { namespace: 'op' }),
    subnet: (key) => (key === 'op/egress' ? pool : undefined),
    prefixLock: (name) =>
      thing('PrefixLock', name, { prefixes: name.startsWith('v4') ? [lock(blocks.ipv4.cidr)] : [lock(blocks.ipv6.cidr)] }),
  }
}
const found = (world?: World, key = 'op/egress'): EgressPool | string => {
  const pool = poolFor(sender, key, netOf(world))
  return 'reason' in pool ? `${pool.reason}: ${pool.message}` : pool
}

test('a pool is there for whoever its owner names, once groups say all of its blocks; else it is told why not', () => {
  const pool = found()
  assert.ok(typeof pool !== 'string')
  assert.deepEqual(
    [pool.key, pool.vni, pool.groups.map((of) => of.map(({ metadata }) => metadata.name))],
    ['op/egress', 9, [['edge'], ['edge']]],
  )
  for (const [why, world, key] of [
    [/^PoolNotFound/, {}, 'op/other'],
    [/^PoolNotFound: Subnet op\/egress not found for namespace a/, { owner: { sharedWith: ['b'] } }],
    [/^PoolNotReady/, { subnet: going }],
    [/^PoolNotReady/, { subnet: { status: { vni: 9 } } }],
    [/^PoolNotAdvertised: no BGPSessionGroup advertises 203\.0\.113\.0\/24/, { groups: [] }],
    [/^PoolNotAdvertised/, { owner: { bgpSessionGroups: [] } }],
    [/^PoolNotAdvertised: .* 2001:db8::\/64/, { leaving: '2026-01-01T00:00:00Z' }],
    [/^PoolNotAdvertised: .* 2001:db8::\/64/, { groups: [{ ...edge, spec: { ...edge.spec, addressFamilies: ['ipv4-unicast'] } }] }],
  ] as const satisfies readonly (readonly [RegExp, World, string?])[])
    assert.match(String(found(world, key)), why)
})

const address = (name: string, of: Partial<SpecOf<'EgressAddress'>> = {}, meta: object = {}): Resource<'EgressAddress'> =>
  thing(
    'EgressAddress',
    name,
    { subnet: 'op/egress', vni: 9, vpc: 'a/v', node: 'n1', addresses: [], ...of },
    {
      ownerReferences: [{ apiVersion: 'megrez.io/v1alpha1', kind: 'Vpc', name: 'v', uid: sender.metadata.uid, controller: true }],
      ...meta,
    },
  )
const both = ['203.0.113.7', '2001:db8::7']
const nodes = [node('n1', { rack: 'r1' }), node('n2', { rack: 'r2' })]
const planned = (addresses: readonly Resource<'EgressAddress'>[]) => planPool(sender, found() as EgressPool, nodes, addresses)
const stepsOf = (addresses: readonly Resource<'EgressAddress'>[]): readonly string[] =>
  planned(addresses).steps.map(({ action }) =>
    action.do === 'makeEgressAddress' ? `make for ${action.draft.spec.node}` : `delete ${action.address.metadata.name}`,
  )

test('a node that speaks in a group of the pool gets one, and sends once it has an address of each family; others send nothing', () => {
  assert.deepEqual(stepsOf([]), ['make for n1'])
  const waiting = planned([address('one', { addresses: both.slice(0, 1) })])
  assert.deepEqual([waiting.nodes, waiting.steps], [[], []])
  assert.equal(
    withoutText(waiting.without),
    'by n1: an address is being locked; by n2: in no BGPSessionGroup that advertises Subnet op/egress',
  )
  const full = address('one', {}, { status: { message: 'Subnet op/egress has no free IPv4 address' } })
  assert.match(withoutText(planned([full]).without), /^by n1: Subnet op\/egress has no free IPv4 address;/)
  assert.deepEqual(planned([address('one', { addresses: both })]).nodes, [{ node: 'n1', addresses: both }])
})

test('of two that two workers have made at once the one that has addresses stays; what is of another pool, node or Vpc goes', () => {
  assert.deepEqual(stepsOf([address('a'), address('b', { addresses: both })]), ['delete a'])
  assert.deepEqual(stepsOf([address('b'), address('a')]), ['delete b'])
  assert.deepEqual(stepsOf([address('a', { addresses: both }), address('b', { node: 'n2' }), address('c', { subnet: 'op/old' })]), [
    'delete b',
    'delete c',
  ])
  assert.deepEqual(stepsOf([address('a', { addresses: both }, { ownerReferences: [] })]), ['make for n1', 'delete a'])
})

test('what goes is asked to go once, and keeps its name, so that its node has another one meanwhile', () => {
  const [first] = planned([]).steps
  assert.ok(first?.action.do === 'makeEgressAddress')
  const { draft } = first.action
  const resting = address(draft.metadata.name, { addresses: both }, going)
  assert.deepEqual(givenBack(sender, [resting]), [])
  const [second] = planned([resting]).steps
  assert.ok(second?.action.do === 'makeEgressAddress')
  assert.notEqual(second.action.draft.metadata.name, draft.metadata.name)
  assert.deepEqual(planned([resting]).nodes, [])
})

test('nodes that have none are named, sixteen for a reason', () => {
  const many = Array.from({ length: 18 }, (_, i) => ({ node: `m${i}`, why: 'full' }))
  assert.equal(
    withoutText(many),
    `by ${many
      .slice(0, 16)
      .map((each) => each.node)
      .join(', ')} and 2 more: full`,
  )
})
