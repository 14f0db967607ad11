// What the kernel of a node routes of a VNI, from its BGPSpeaker to items.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SpecOf } from '../../core/kinds/index.ts'
import type { Endpoint, LocalPort, RoutedEgress, RoutedPeer, Segment, SegmentRouter } from '../../core/node/wanted.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { routesOf } from '../../core/pieces/kind.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { transitPiece } from '../../core/pieces/transit.ts'
import { routersOf, transitsOf } from '../../core/plan/node/router.ts'
import { kernelRouteOf, keyOf, textOf } from '../../core/routing/kernel-routes.ts'
import type { Item } from '../../core/node/item.ts'

type Group = SpecOf<'BGPSpeaker'>['groups'][number]
const group = (more: Partial<Group>): Group => ({
  name: 'dc',
  as: 64512,
  routerID: '192.0.2.1',
  table: 7,
  addresses: { ipv4: '192.0.2.1' },
  sessions: [],
  advertise: [],
  imports: [],
  maximumPaths: 1,
  ...more,
})
const textsOf = (items: readonly Item[]): readonly string[] => items.map(({ key, text }) => `${key} ${text}`)

test('a VNI has a router for what its groups announce of it, and for routes that its Vpc takes, and for nothing of others', () => {
  const groups = [
    group({
      advertise: [
        { cidr: '10.0.0.0/24', vni: 5, hostRoutes: true },
        { cidr: '10.0.0.0/24', vni: 6, hostRoutes: false },
      ],
    }),
    group({ name: 'wan', table: 8, imports: [{ vpc: 'a/blue', vni: 5, allow: [{ prefix: '198.51.100.0/24', le: 32 }], gateways: [] }] }),
    group({ name: 'all', table: 9, imports: [{ vpc: 'a/red', vni: 7, allow: [], gateways: [] }] }),
  ]
  const { number, ...router } = routersOf({ speaker: { groups } }).get(5)!
  assert.ok(number > 60_000 && number < 65_000)
  assert.deepEqual(router, {
    blocks: [{ cidr: '10.0.0.0/24', table: 7, hostRoutes: true }],
    ways: [{ to: '198.51.100.0/24', table: 8 }],
  })
  assert.deepEqual(routersOf({ speaker: { groups } }).get(6)?.blocks, [{ cidr: '10.0.0.0/24', table: 7, hostRoutes: false }])
  assert.deepEqual(routersOf({ speaker: { groups } }).get(7)?.ways, [
    { to: '0.0.0.0/0', table: 9 },
    { to: '::/0', table: 9 },
  ])
  assert.deepEqual(routersOf({ speaker: { groups }, table: 254 }).get(7)?.ways[0]?.table, 254)
  assert.equal(routersOf({ speaker: { groups } }).get(8), undefined)
  assert.equal(routersOf({}).get(5), undefined)
})

const segment: Segment = {
  vni: 5,
  subnets: [
    { cidr: '10.0.0.0/24', gateway: '10.0.0.1' },
    { cidr: '10.0.1.0/24', gateway: '10.0.1.1' },
  ],
  flood: false,
  hosts: [],
  numbers: [],
  l3: ['10.0.0.0/24'],
  router: {
    number: 60_001,
    blocks: [
      { cidr: '10.0.0.0/24', table: 7, hostRoutes: true },
      { cidr: '10.0.1.0/24', table: 7, hostRoutes: false },
    ],
    elsewhere: [{ cidr: '10.0.2.0/24', table: 7 }],
    ways: [{ to: '0.0.0.0/0', table: 7 }],
  },
}
const port = (address: string): LocalPort => ({
  uid: address,
  of: { kind: 'Port', namespace: 'a', name: 'one' },
  number: 1,
  ifcName: 'mgz1',
  attachment: { kind: 'vni', vni: 5 },
  mac: '02:00:00:00:00:05',
  addresses: [address],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1450,
})

test('what a VNI sends goes to its own blocks, by its ways, else nowhere; who is not in a block of host routes is nobody', () => {
  assert.deepEqual(textsOf(routesOf(segmentPiece, segment)), [
    'kernel/pair/5 up',
    'kernel/device/5 the gateway',
    'kernel/rule/19770/5/7/10.0.0.0/24 table 7',
    'kernel/rule/19770/5/7/10.0.1.0/24 table 7',
    'kernel/rule/19770/5/7/10.0.2.0/24 table 7',
    'kernel/rule/19771/5/none/10.0.0.0/24 unreachable',
    'kernel/rule/19771/5/none/10.0.1.0/24 unreachable',
    'kernel/rule/19771/5/none/10.0.2.0/24 unreachable',
    'kernel/rule/19773/5/7/0.0.0.0/0 table 7',
    'kernel/rule/19775/5/none/0.0.0.0/0 unreachable',
    'kernel/rule/19775/5/none/::/0 unreachable',
    ...['10.0.0.0/24', '10.0.1.0/24'].flatMap((cidr) => [
      `kernel/rule/19777/any/7/${cidr} table 7`,
      `kernel/past/7/${cidr} no way`,
      `kernel/rule/19778/any/none/${cidr} unreachable`,
    ]),
    'kernel/route/7/10.0.1.0/24 into 5',
  ])
})

test('what nodes of its groups announce a node passes on, by the table of each; who is in none of them is nobody', () => {
  const one = { cidr: '10.0.0.0/24', vni: 5, hostRoutes: true }
  const other = { cidr: '10.0.2.0/24', vni: 6, hostRoutes: true }
  const speaker = { groups: [group({ advertise: [one] }), group({ name: 'wan', table: 8, elsewhere: [one, other] })] }
  assert.deepEqual(
    transitsOf({ speaker }).flatMap((transit) => textsOf(routesOf(transitPiece, transit))),
    [
      'kernel/rule/19777/any/8/10.0.0.0/24 table 8',
      'kernel/past/8/10.0.0.0/24 no way',
      'kernel/rule/19778/any/none/10.0.0.0/24 unreachable',
      'kernel/rule/19777/any/8/10.0.2.0/24 table 8',
      'kernel/past/8/10.0.2.0/24 no way',
      'kernel/rule/19778/any/none/10.0.2.0/24 unreachable',
    ],
  )
  assert.deepEqual(routersOf({ speaker }).get(5)?.elsewhere, [{ cidr: '10.0.0.0/24', table: 8 }])
  assert.equal(routersOf({ speaker }).get(6), undefined, 'of a VNI that has no Port here')
})

const own = 0x4e_00_00_05

test('a block that nobody announces is reached in its own VNI alone, by a table of its own', () => {
  const flat: Segment = { ...segment, router: { number: 60_001, blocks: [], ways: [{ to: '0.0.0.0/0', table: 7 }] } }
  assert.deepEqual(
    textsOf(routesOf(segmentPiece, flat)).filter((text) => text.includes('10.0.1.0')),
    [`kernel/rule/19770/5/${own}/10.0.1.0/24 table ${own}`, `kernel/route/${own}/10.0.1.0/24 into 5`],
  )
})

test('a VNI that is peered has a router, and so has its peer, with nothing of its own where no Port of it is here', () => {
  const peers = new Map([[5, [{ vni: 6, own: ['10.0.0.0/24'], blocks: ['10.6.0.0/24'] }]]])
  const routers = routersOf({ peers })
  assert.deepEqual(routers.get(5)?.peers, peers.get(5))
  const { number, ...router } = routers.get(6)!
  assert.notEqual(number, routers.get(5)?.number)
  assert.deepEqual(router, { blocks: [], ways: [] })
})

const peered = (peers: readonly RoutedPeer[]): readonly string[] =>
  textsOf(routesOf(segmentPiece, { ...segment, l3: [], router: { number: 60_001, blocks: [], ways: [], peers } })).filter(
    (text) => !text.includes('/untracked/') && (text.includes(' from ') || text.includes('10.6.') || text.includes('10.7.')),
  )

test('what is from blocks that a peer has routes to goes to the blocks of the peer, and nothing else does', () => {
  assert.deepEqual(peered([{ vni: 6, own: ['10.0.0.0/24'], blocks: ['10.6.0.0/24'], mtu: 1300 }]), [
    `kernel/rule/19772/5/${own}/0.0.0.0/0 from 10.0.0.0/24 table ${own}`,
    `kernel/route/${own}/10.6.0.0/24 into 6 mtu 1300`,
  ])
})

test('an l3 block of a peer is looked up in the table of each group that announces it, wherever its Ports are; sources lead back for it', () => {
  const l3 = { cidr: '10.6.0.0/24', vni: 6, hostRoutes: true }
  const others = [
    { ...l3, cidr: '10.6.1.0/24', hostRoutes: false },
    { ...l3, cidr: '10.6.2.0/24' },
    { ...l3, cidr: '10.6.3.0/24', vni: 7 },
  ]
  const speaker = { groups: [group({ advertise: [l3, ...others] }), group({ name: 'wan', table: 8, elsewhere: [l3] })] }
  const peer: RoutedPeer = { vni: 6, own: ['10.0.0.0/24', '10.0.1.0/24'], blocks: ['10.6.0.0/24', '10.6.1.0/24', '10.6.3.0/24'] }
  const announced = [
    { cidr: '10.6.0.0/24', table: 7 },
    { cidr: '10.6.0.0/24', table: 8 },
  ]
  assert.deepEqual(routersOf({ speaker, peers: new Map([[5, [peer]]]) }).get(5)?.peers, [{ ...peer, announced }])
  assert.deepEqual(routersOf({ speaker, table: 9, peers: new Map([[5, [peer]]]) }).get(5)?.peers?.[0]?.announced?.[0]?.table, 9)
  const blocks = [{ cidr: '10.0.1.0/24', table: 7, hostRoutes: false }]
  const router = { number: 60_001, blocks, ways: [], peers: [{ ...peer, announced }] }
  const items = routesOf(segmentPiece, { ...segment, l3: [], router })
  for (const { key, text, value } of items) assert.deepEqual(kernelRouteOf(key, text), value)
  assert.deepEqual(
    textsOf(items).filter((text) => text.includes('/rule/') && text.includes(' from ')),
    [
      `kernel/rule/19772/5/${own}/0.0.0.0/0 from 10.0.0.0/24 table ${own}`,
      `kernel/rule/19772/5/${own}/0.0.0.0/0 from 10.0.1.0/24 table ${own}`,
      'kernel/rule/19770/5/7/10.6.0.0/24 from 10.0.0.0/24 table 7',
      'kernel/rule/19770/5/7/10.6.0.0/24 from 10.0.1.0/24 table 7',
      'kernel/rule/19770/5/8/10.6.0.0/24 from 10.0.0.0/24 table 8',
      'kernel/rule/19770/5/8/10.6.0.0/24 from 10.0.1.0/24 table 8',
      `kernel/rule/19776/any/${own}/10.0.0.0/24 from 10.6.0.0/24 mark 5000 table ${own}`,
    ],
  )
})

test('the node tracks nothing that goes to a peer, nor what comes from one without a tunnel', () => {
  const blocks = [
    { cidr: '10.0.0.0/24', table: 7, hostRoutes: true },
    { cidr: '10.0.1.0/24', table: 7, hostRoutes: false },
  ]
  const peers = [{ vni: 6, own: ['10.0.0.0/24', '10.0.1.0/24'], blocks: ['10.6.0.0/24', '2001:db8:6::/64'] }]
  const items = routesOf(segmentPiece, { ...segment, router: { number: 60_001, blocks, ways: [], peers } })
  assert.deepEqual(
    textsOf(items).filter((text) => text.includes('/untracked/')),
    [
      'kernel/untracked/5/10.6.0.0/24 not tracked',
      'kernel/untracked/any/10.0.0.0/24 from 10.6.0.0/24 not tracked',
      'kernel/untracked/5/2001:db8:6::/64 not tracked',
    ],
  )
  for (const { key, text, value } of items) assert.deepEqual(kernelRouteOf(key, text), value)
})

test('a block that one of two peers has itself is said for the other one alone, block by block', () => {
  const both = ['10.0.0.0/24', '10.0.1.0/24']
  assert.deepEqual(
    peered([
      { vni: 6, own: both, blocks: ['10.6.0.0/24', '10.6.1.0/24'] },
      { vni: 7, own: ['10.0.1.0/24'], blocks: ['10.7.0.0/24'] },
    ]),
    [
      `kernel/rule/19772/5/${own}/10.6.0.0/24 from 10.0.0.0/24 table ${own}`,
      `kernel/rule/19772/5/${own}/10.6.1.0/24 from 10.0.0.0/24 table ${own}`,
      `kernel/rule/19772/5/${own}/0.0.0.0/0 from 10.0.1.0/24 table ${own}`,
      `kernel/route/${own}/10.6.0.0/24 into 6`,
      `kernel/route/${own}/10.6.1.0/24 into 6`,
      `kernel/route/${own}/10.7.0.0/24 into 7`,
    ],
  )
})

test('a Port is a host route where its Subnet is l3, and a neighbour of the router everywhere; a closed one is nothing', () => {
  assert.deepEqual(textsOf(routesOf(portPiece, port('10.0.0.9'), { segment })), [
    'kernel/neighbour/5/10.0.0.9 02:00:00:00:00:05',
    'kernel/route/7/10.0.0.9/32 into 5 mtu 1450',
  ])
  assert.deepEqual(textsOf(routesOf(portPiece, port('10.0.1.9'), { segment })), ['kernel/neighbour/5/10.0.1.9 02:00:00:00:00:05'])
  const closed: LocalPort = { ...port('10.0.0.9'), policy: { identity: 1, ruleSets: [], isClosed: true } }
  assert.deepEqual(routesOf(portPiece, closed, { segment }), [])
  assert.deepEqual(routesOf(portPiece, port('10.0.0.9'), {}), [])
})

test('an address elsewhere is behind the router only where it is reached by a tunnel', () => {
  const at = (address: string): Endpoint => ({ vni: 5, address, mac: '02:00:00:00:00:06', hostIP: '192.0.2.2' })
  assert.deepEqual(textsOf(routesOf(endpointPiece, at('10.0.1.8'), { segment })), ['kernel/neighbour/5/10.0.1.8 02:00:00:00:00:06'])
  assert.deepEqual(routesOf(endpointPiece, at('10.0.0.8'), { segment }), [])
})

test('each thing is read back from its key and text', () => {
  const peers = [{ vni: 6, own: ['10.0.0.0/24'], blocks: ['10.6.0.0/24'] }]
  const between: Segment = { ...segment, router: { ...segment.router!, peers } }
  for (const { key, text, value } of [...routesOf(segmentPiece, between), ...routesOf(portPiece, port('10.0.0.9'), { segment })])
    assert.deepEqual(kernelRouteOf(key, text), value, key)
  assert.throws(() => kernelRouteOf('kernel/nonsense/1', ''), RangeError)
})

const egress: RoutedEgress = { to: ['0.0.0.0/0', '::/0'], except: ['10.0.0.0/8', '192.0.2.1/32'], sources: ['192.0.2.1'] }
const sends = (router: Partial<SegmentRouter>): readonly string[] =>
  textsOf(routesOf(segmentPiece, { ...segment, router: { number: 60_003, blocks: [], ways: [], egress, ...router } })).filter((text) =>
    /egress|1977[46]/.test(text),
  )

test('what no router knows leaves by the main table, marked, and its answers find the VNI by the mark; one family has no address here', () => {
  const blocks = [{ cidr: '203.0.113.0/24', table: 7, hostRoutes: true }]
  assert.deepEqual(sends({ blocks, ways: [{ to: '198.51.100.0/24', table: 7 }] }), [
    'kernel/egress/5/4 as 60003 from 192.0.2.1; to 0.0.0.0/0; but 10.0.0.0/8 192.0.2.1/32 198.51.100.0/24 203.0.113.0/24',
    'kernel/rule/19774/5/254/0.0.0.0/0 mark 3 table 254',
    `kernel/rule/19776/any/${own}/0.0.0.0/0 mark 3 table ${own}`,
  ])
})

test('an address of a pool is a route of its own in the groups that say it for this VNI, and one that nobody says is none', () => {
  const routes = (blocks: SegmentRouter['blocks']): readonly string[] =>
    textsOf(
      routesOf(segmentPiece, { ...segment, router: { number: 60_003, blocks, ways: [], egress: { ...egress, sources: ['203.0.113.7'] } } }),
    ).filter((text) => /^kernel\/(egress|route\/7)\//.test(text))
  assert.deepEqual(routes([]), ['kernel/egress/5/4 as 60003 from 203.0.113.7; to 0.0.0.0/0; but 10.0.0.0/8 192.0.2.1/32'])
  const said = routes([{ cidr: '203.0.113.7/32', table: 7, hostRoutes: true }])
  assert.deepEqual(said, [
    'kernel/egress/5/4 as 60003 from 203.0.113.7; to 0.0.0.0/0; but 10.0.0.0/8 192.0.2.1/32 203.0.113.7/32',
    'kernel/route/7/203.0.113.7/32 into 5',
  ])
})

test('where a group brings the default route nothing leaves by the node, whatever has become of its sessions', () => {
  assert.deepEqual(sends({ ways: [{ to: '0.0.0.0/0', table: 7 }] }), [])
})

test('a Port has a mark of its own for as long as it is open, by its number', () => {
  const router: SegmentRouter = { number: 60_003, blocks: [], ways: [], egress }
  const senders = (of: LocalPort): readonly string[] =>
    textsOf(routesOf(portPiece, of, { segment: { ...segment, router } })).filter((text) => text.includes('sender'))
  const one = port('10.0.0.5')
  assert.deepEqual(senders(one), [`kernel/sender/5/10.0.0.5 marked ${3 * 65_536 + one.number}`])
  assert.deepEqual(senders({ ...one, policy: { identity: 1, ruleSets: [], isClosed: true } }), [])
})

test('whatever is let out is known again by its key and its text', () => {
  const all = [
    ...routesOf(segmentPiece, { ...segment, router: { number: 60_003, blocks: [], ways: [], egress } }),
    ...routesOf(portPiece, port('10.0.0.5'), {
      segment: { ...segment, router: { number: 60_003, blocks: [], ways: [], egress } },
    }),
  ]
  for (const { key, text } of all) {
    const again = kernelRouteOf(key, text)
    assert.deepEqual([keyOf(again), textOf(again)], [key, text])
  }
})
