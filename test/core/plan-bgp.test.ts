// With whom a node speaks, and what a group is refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { bucketOf } from '../../core/net/prefix-bucket.ts'
import { planSessionGroup } from '../../core/plan/bgp/session-group.ts'
import { routerIDOf, sessionsOf } from '../../core/plan/bgp/sessions.ts'
import { thing } from './plan-things.ts'

const node = (name: string, addresses: readonly string[], labels: Record<string, string> = {}): Resource<'Node'> => ({
  ...thing('Node', name, {}, { labels }),
  status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
})
const group = (spec: Partial<SpecOf<'BGPSessionGroup'>>): Resource<'BGPSessionGroup'> =>
  thing('BGPSessionGroup', 'edge', { as: 64512, ...spec })
const both = (number: number): readonly string[] => [`192.0.2.${number}`, `2001:db8::${number}`]
const nodes = [node('n1', both(1), { rr: '' }), node('n2', ['192.0.2.2']), node('n3', ['2001:db8::3'])]
const of = (spec: Partial<SpecOf<'BGPSessionGroup'>>, at: number) => sessionsOf(group(spec), nodes[at]!, nodes)
const shown = (spec: Partial<SpecOf<'BGPSessionGroup'>>, at: number): readonly string[] =>
  of(spec, at).sessions.map(({ name, address, addressFamilies, rrClient }) =>
    [name, address, addressFamilies.join('+'), ...(rrClient === true ? ['client'] : [])].join(' '),
  )

describe('the sessions of a node', () => {
  test('in a full mesh go by the family that both have, IPv4 first, and carry IPv6 where both have it', () => {
    assert.deepEqual(shown({}, 0), ['node-n2 192.0.2.2 ipv4', 'node-n3 2001:db8::3 ipv4+ipv6'])
    assert.deepEqual(shown({}, 1), ['node-n1 192.0.2.1 ipv4'])
    assert.deepEqual(shown({ addressFamilies: ['ipv4-unicast'] }, 0), ['node-n2 192.0.2.2 ipv4', 'node-n3 2001:db8::3 ipv4'])
  })

  test('with reflectors are between those and all others, which are their clients', () => {
    const mesh = { mode: 'reflectors' as const, reflectors: { nodes: { matchLabels: { rr: '' } }, clusterID: '192.0.2.9' } }
    assert.deepEqual(shown({ mesh }, 0), ['node-n2 192.0.2.2 ipv4 client', 'node-n3 2001:db8::3 ipv4+ipv6 client'])
    assert.deepEqual(shown({ mesh }, 1), ['node-n1 192.0.2.1 ipv4'])
    assert.deepEqual(
      of({ mesh }, 0).sessions.map(({ clusterID }) => clusterID),
      ['192.0.2.9', '192.0.2.9'],
    )
  })

  test('with peers outside are of the nodes that are selected, and have a third of the hold time', () => {
    const peers = [{ name: 'tor', address: '198.51.100.1', as: 65000, timers: { holdSeconds: 9 }, nodes: { matchLabels: { rr: '' } } }]
    const mesh = { mode: 'none' as const }
    const { sessions, problems } = of({ peers, mesh }, 0)
    assert.deepEqual(sessions, [
      {
        name: 'tor',
        address: '198.51.100.1',
        as: 65000,
        holdSeconds: 9,
        keepaliveSeconds: 3,
        connectRetrySeconds: 5,
        import: [],
        export: [],
        external: true,
        addressFamilies: ['ipv4', 'ipv6'],
      },
    ])
    assert.deepEqual(problems, [])
    assert.deepEqual(shown({ peers, mesh }, 1), [])
  })

  test('that cannot be are said, and the others are', () => {
    const peer = (name: string, address: string) => ({ name, address, as: 65000 })
    const { sessions, problems } = of(
      { peers: [peer('a', '2001:db8::9'), peer('b', '198.51.100.1'), peer('c', '198.51.100.1')], mesh: { mode: 'none' } },
      1,
    )
    assert.deepEqual(
      sessions.map(({ name }) => name),
      ['b'],
    )
    assert.deepEqual(problems, [
      'peer a is at 2001:db8::9, and the node has no IPv6 address',
      'peers b and c are at one address: select other nodes for one of them',
    ])
  })
})

test('a node without an IPv4 address has a router ID all the same, of its own', () => {
  const ids = ['n1', 'n2'].map((name) => routerIDOf(name, { ipv6: '2001:db8::1' }))
  assert.match(ids[0]!, /^\d+\.\d+\.\d+\.\d+$/)
  assert.notEqual(ids[0], ids[1])
  assert.equal(routerIDOf('n1', { ipv4: '192.0.2.1' }), '192.0.2.1')
})

test('a prefix is in one bucket, and a larger block in none', () => {
  assert.deepEqual(['10.1.0.0/16', '10.0.0.0/8', '10.0.0.0/7', '2001:db8::/32', '2001::/15', 'x'].map(bucketOf), [
    'v4-10',
    'v4-10',
    undefined,
    'v6-2001',
    undefined,
    undefined,
  ])
})

test('a group says what it is refused, by name', () => {
  const vpc = thing('Vpc', 'v', { bgpSessionGroups: ['edge'] })
  const large = { ...thing('Subnet', 'large', { vpc: 'v', ipv4: { cidr: '10.0.0.0/7' } }), status: { validated: true, vni: 7 } }
  const service = thing('Subnet', 'service', { l2Service: 's', ipv4: { cidr: '10.3.0.0/24' } })
  const subnets = new Map([large, service].map((subnet) => [`a/${subnet.metadata.name}`, subnet]))
  const made = group({
    advertise: { subnets: ['large', 'service', 'gone'].map((name) => ({ namespace: 'a', name })) },
    imports: [{ vpc: 'a/v' }, { vpc: 'b/v' }],
  })
  const net = {
    groups: [made],
    vpc: (key: string) => (key === 'a/v' ? vpc : undefined),
    subnet: (key: string) => subnets.get(key),
    prefixLock: () => undefined,
  }
  const { sections } = planSessionGroup({ group: made, nodes, speakers: [], net })
  assert.deepEqual((sections?.['sessions'] as { readonly refused?: object }).refused, [
    { what: 'Subnet a/large', message: '10.0.0.0/7 is larger than a /8: advertise smaller blocks' },
    { what: 'Subnet a/service', message: 'is of an L2Service: the router of its VLAN announces it' },
    { what: 'Subnet a/gone', message: 'not found' },
    { what: 'Vpc b/v', message: 'Vpc b/v not found' },
  ])
})
