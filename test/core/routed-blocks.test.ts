// The blocks that Ports have behind them: who has one, who is refused and why, and what of it each node routes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { whyNotAllowed } from '../../core/kinds/vpc/routed-blocks.ts'
import type { LocalPort, Segment } from '../../core/node/wanted.ts'
import { routesOf } from '../../core/pieces/kind.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { planSubnet } from '../../core/plan/builtin/subnet.ts'
import { routedBlocksOf, routedBlocksTold, withoutRoutedBlocks, type LockedBlock } from '../../core/plan/builtin/routed-blocks.ts'
import { localPortOf, segmentFrom } from '../../core/plan/node/pieces.ts'
import { routersOf } from '../../core/plan/node/router.ts'
import { kernelRouteOf } from '../../core/routing/kernel-routes.ts'
import { unroutedOf } from '../../core/routing/unsupported.ts'
import { thing } from './plan-things.ts'

const vpc = thing('Vpc', 'v', {}, { status: { vni: 5 } })
const subnet = thing('Subnet', 's', { vpc: 'v', allowedRoutedBlocks: [{ cidr: '10.8.0.0/15' }, { cidr: 'fd08::/32', namespaces: ['b'] }] })
const addresses = ['10.0.0.7', 'fd00::7']
const port = (name: string, routedBlocks?: readonly string[], namespace = 'a'): Resource<'Port'> =>
  thing('Port', name, { subnet: 's', ...(routedBlocks && { routedBlocks: [...routedBlocks] }) }, { namespace })
const holder = { kind: 'Vpc', namespace: 'a', name: 'v', uid: 'uid-v' }
const ofSubnet = { kind: 'Subnet', namespace: 'a', name: 's', uid: 'uid-s' }
const lockWith = (routedBlocks: readonly LockedBlock[], more: Partial<SpecOf<'SegmentLock'>> = {}): Resource<'SegmentLock'> =>
  thing('SegmentLock', 'vni-5', {
    vni: 5,
    holder,
    blocks: [{ cidr: '10.0.0.0/24', subnet: ofSubnet }],
    routedBlocks: [...routedBlocks],
    ...more,
  })
const behind = (cidr: string, name: string, namespace = 'a'): LockedBlock => ({
  cidr,
  port: { kind: 'Port', namespace, name, uid: `uid-${name}` },
  via: '10.0.0.7',
})

interface Circumstances {
  readonly there?: readonly LockedBlock[]
  readonly peers?: readonly { readonly cidr: string; readonly vpc: string }[]
  readonly has?: readonly string[]
}
function given(
  asked: Resource<'Port'>,
  { there = [], peers = [], has = addresses }: Circumstances = {},
): ReturnType<typeof routedBlocksOf> {
  return routedBlocksOf({ port: asked, subnet, vpc, addresses: has }, { lock: lockWith(there), peers })
}
const whyNot = (...of: Parameters<typeof given>): string => given(...of).refused.join('; ')

describe('a block behind a Port', () => {
  test('is its own once it stands in the lock of its VNI, and it keeps it; what it does not ask for any more it gives back', () => {
    const made = given(port('fw', ['10.8.1.0/24', '10.8.0.0/24']))
    assert.deepEqual([made.blocks, made.refused], [['10.8.1.0/24', '10.8.0.0/24'], []])
    const { action } = made.steps[0]!
    assert.deepEqual(action.routedBlocks, [behind('10.8.0.0/24', 'fw'), behind('10.8.1.0/24', 'fw')])
    assert.deepEqual(given(port('fw', made.blocks), { there: action.routedBlocks }).steps, [])
    const left = given(port('fw'), { there: [...action.routedBlocks, behind('10.8.2.0/24', 'other')] })
    assert.deepEqual([left.blocks, left.steps[0]?.action.routedBlocks], [[], [behind('10.8.2.0/24', 'other')]])
    const gone = withoutRoutedBlocks(port('fw', ['10.8.0.0/24']), { lock: lockWith(action.routedBlocks), peers: [] })
    assert.deepEqual(gone[0]?.action.routedBlocks, [])
    assert.deepEqual(routedBlocksTold(made)[0]?.status, 'True')
    assert.deepEqual(routedBlocksTold(given(port('plain'))), [])
  })

  test('is refused by name: not allowed, of a family that the Port lacks, in the way of a Subnet, a Port or a peer, one too many', () => {
    assert.match(
      whyNot(port('fw', ['10.7.0.0/24'])),
      /^10\.7\.0\.0\/24: Subnet s does not allow 10\.7\.0\.0\/24 to Ports of a: its owner does/,
    )
    assert.match(whyNot(port('fw', ['fd08:1::/64'])), /does not allow/)
    assert.equal(
      whyNot(port('fw', ['fd08::/64'], 'b'), { has: ['10.0.0.7'] }),
      'fd08::/64: the Port has no IPv6 address that it could lead to',
    )
    const wide = { ...subnet, spec: { ...subnet.spec, allowedRoutedBlocks: [{ cidr: '0.0.0.0/0' }] } }
    const all = routedBlocksOf({ port: port('fw', ['0.0.0.0/0']), subnet: wide, vpc, addresses }, { lock: lockWith([]), peers: [] })
    assert.deepEqual(all.refused, ['0.0.0.0/0: overlaps 10.0.0.0/24 of Subnet a/s'])
    const first = { there: [behind('10.8.0.0/16', 'first')] }
    assert.equal(
      whyNot(port('fw', ['10.8.4.0/24']), first),
      '10.8.4.0/24: overlaps 10.8.0.0/16 behind Port a/first, which has it: a block leads to one Port',
    )
    assert.equal(
      whyNot(port('fw', ['10.8.4.0/24']), { there: [behind('10.8.0.0/16', 'first', 'b')] }),
      '10.8.4.0/24: overlaps what is behind a Port of another namespace',
    )
    assert.match(
      whyNot(port('fw', ['10.8.0.0/16', '10.8.4.0/24'])),
      /^10\.8\.4\.0\/24: overlaps 10\.8\.0\.0\/16 behind Port a\/fw/,
      'its own',
    )
    const peers = [{ cidr: '10.9.0.0/16', vpc: 'c/w' }]
    assert.equal(
      whyNot(port('fw', ['10.9.1.0/24']), { peers }),
      '10.9.1.0/24: overlaps 10.9.0.0/16 of Vpc c/w, which its own is peered with',
    )
    assert.equal(whyNot(port('fw', ['10.9.1.0/24']), { peers, there: [behind('10.9.1.0/24', 'fw')] }), '', 'which came later')
    const many = Array.from({ length: 32 }, (_, i) => behind(`10.8.${i}.0/24`, `p${i}`))
    assert.match(whyNot(port('fw', ['10.9.1.0/24']), { there: many }), /has 32 blocks behind Ports already/)
    const vlan = { ...vpc, spec: { vlan: { physicalNetwork: 'dc', id: 7 } } }
    const inVlan = routedBlocksOf({ port: port('fw', ['10.8.0.0/24']), subnet, vpc: vlan, addresses }, { lock: undefined, peers: [] })
    assert.match(inVlan.refused.join(), /Vpc v is a VLAN/)
  })

  test('keeps a Subnet that comes later out of its way', () => {
    const made = thing('Subnet', 'late', { vpc: 'v', ipv4: { cidr: '10.8.0.0/24' } })
    const plan = planSubnet({ subnet: made, vpc, blockers: undefined }, { lock: lockWith([behind('10.8.0.0/16', 'fw')]) })
    assert.equal(plan.message, '10.8.0.0/24 overlaps 10.8.0.0/16 behind Port a/fw on VNI 5')
  })

  test("is its owner's to allow: to its own namespace, or to those that it names", () => {
    const asked = (block: string, namespace: string): boolean => whyNotAllowed({ block, namespace }, subnet) === undefined
    assert.deepEqual(
      [asked('10.8.0.0/15', 'a'), asked('10.9.1.0/24', 'a'), asked('10.8.0.0/14', 'a'), asked('10.8.0.0/24', 'b')],
      [true, true, false, false],
    )
    assert.deepEqual([asked('fd08::/64', 'b'), asked('fd08::/64', 'a')], [true, false])
  })
})

describe('a node leads it', () => {
  const stored = thing(
    'Port',
    'fw',
    { subnet: 's', allowedAddressPairs: [{ ip: '10.0.0.99' }] },
    { status: { phase: 'ready', vni: 5, addresses: ['10.0.0.7'], mac: '02:00:00:00:00:07', routedBlocks: ['10.8.0.0/24'] } },
  )
  const local = localPortOf(stored, { number: 1, mtu: 1450 })!
  const textsOf = (all: readonly { readonly key: string; readonly text: string }[]): readonly string[] =>
    all.map(({ key, text }) => `${key} ${text}`)
  const own = 0x4e_00_00_05
  const segment = (more: Partial<Parameters<typeof segmentFrom>[0]> = {}): Segment =>
    segmentFrom({
      vni: 5,
      subnets: [],
      flood: false,
      hosts: [],
      ports: [],
      router: routersOf({ routed: [5] }).get(5),
      routedBlocks: [behind('10.8.0.0/24', 'fw')],
      ...more,
    })
  const ledIn = (of: Segment): readonly string[] => textsOf(routesOf(segmentPiece, of)).filter((text) => text.includes('10.8.'))

  test('to the Port by its VNI, and the Port sends from it', () => {
    assert.deepEqual([local.routedBlocks, local.allowedAddressPairs], [['10.8.0.0/24'], [{ ip: '10.0.0.99' }, { ip: '10.8.0.0/24' }]])
    assert.deepEqual(ledIn(segment()), [
      `kernel/rule/19770/5/${own}/10.8.0.0/24 table ${own}`,
      `kernel/route/${own}/10.8.0.0/24 into 5 via 10.0.0.7`,
    ])
    for (const { key, text, value } of routesOf(segmentPiece, segment())) assert.deepEqual(kernelRouteOf(key, text), value)
    assert.deepEqual(textsOf(routesOf(portPiece, local, { segment: segment() })), ['kernel/neighbour/5/10.0.0.7 02:00:00:00:00:07'])
  })

  test('by the routes of a group that announces it, as a route of the node of its Port', () => {
    const router = { number: 60_001, ways: [], blocks: [{ cidr: '10.8.0.0/16', table: 7, hostRoutes: true }] }
    const announced = segment({ router })
    assert.deepEqual(ledIn(announced), [
      'kernel/rule/19770/5/7/10.8.0.0/16 table 7',
      'kernel/rule/19771/5/none/10.8.0.0/16 unreachable',
      'kernel/rule/19777/any/7/10.8.0.0/16 table 7',
      'kernel/past/7/10.8.0.0/16 no way',
      'kernel/rule/19778/any/none/10.8.0.0/16 unreachable',
    ])
    const routes = (of: LocalPort): readonly string[] => textsOf(routesOf(portPiece, of, { segment: announced }))
    assert.deepEqual(routes(local), [
      'kernel/neighbour/5/10.0.0.7 02:00:00:00:00:07',
      'kernel/route/7/10.8.0.0/24 into 5 via 10.0.0.7 mtu 1450',
    ])
    assert.deepEqual(routes({ ...local, policy: { identity: 1, ruleSets: [], isClosed: true } }), [], 'one that policies close')
  })

  test('of an l3 Port to its own node alone, where nobody announces it, and says so', () => {
    const l3 = ['10.0.0.0/24']
    assert.deepEqual(ledIn(segment({ l3 })), [], 'no tunnel leads there')
    const here = segment({ l3, ports: [local] })
    const other = behind('10.8.0.0/24', 'fw')
    assert.deepEqual(segment({ l3, ports: [{ ...local, uid: other.port.uid }] }).routedBlocks, [{ cidr: '10.8.0.0/24', via: '10.0.0.7' }])
    const names = unroutedOf(local, here).map(({ name }) => name)
    assert.deepEqual(names, ['l3', 'routed-blocks'])
  })
})
