// The network as it is drawn: what stands in it, and that it never is more than there is room for.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { NetworkIndex } from '../../core/views/topology/network-index.ts'
import { pictureOf } from '../../core/views/topology/picture/picture.ts'
import type { Picture, PictureQuestion } from '../../core/views/topology/picture/question.ts'
import { thing } from './plan-things.ts'

const cluster = { namespace: undefined as never }
const indexOf = (...items: readonly object[]): NetworkIndex => {
  const index = new NetworkIndex()
  for (const item of items) index.put(item as Resource)
  return index
}
function picture(index: NetworkIndex, question: Partial<PictureQuestion> = {}): Picture {
  const steps = pictureOf(index, { by: 'node', open: undefined, most: 1_000, ...question })
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
const ids = ({ nodes }: Picture): readonly string[] => nodes.map(({ id }) => id)
const lines = ({ edges }: Picture): readonly string[] => edges.map(({ from, relation, to }) => `${from} ${relation} ${to}`)

interface PortOptions {
  readonly node?: string
  readonly pod?: string
  readonly vni?: number
  readonly phase?: 'ready' | 'error'
  readonly subnet?: string
}
const port = (name: string, { node, pod, vni, phase, subnet = 's' }: PortOptions = {}) =>
  thing(
    'Port',
    name,
    { subnet, ...(node !== undefined && { node }), ...(pod !== undefined && { claim: { pod, nic: 'n', owner: 'Pod/p', podUID: 'u' } }) },
    { status: { ...(vni !== undefined && { vni }), ...(phase !== undefined && { phase }), hostIP: '192.0.2.1' } },
  )
const node = (name: string) => thing('Node', name, {}, cluster)
const vpc = (name: string, vni: number) => thing('Vpc', name, { provider: 'builtin' }, { status: { vni } })
const subnet = (name: string, of: string) => thing('Subnet', name, { vpc: of, ipv4: { cidr: '10.0.0.0/24' } })
const fabric = thing(
  'Fabric',
  'f',
  {
    switches: [{ name: 'leaf', driver: 'memory', address: 'm' }],
    links: [{ node: 'n1', interface: 'eth1', switch: 'leaf', switchPort: '7' }],
    gateways: [{ physicalNetwork: 'dc', switch: 'leaf', switchPort: '48' }],
  },
  cluster,
)
const service = thing('L2Service', 'l', { segmentationID: 100, physicalNW: ['dc'], vrf: 'blue' })
const domain = thing(
  'L2BridgeDomain',
  'd',
  { vlan: 100, connectionPoints: [], holder: { kind: 'L2Service', namespace: 'a', name: 'l', uid: service.metadata.uid } },
  { ...cluster, status: { switches: ['f/leaf'] } },
)
const many = (count: number, of: (n: number) => object): readonly object[] => Array.from({ length: count }, (_, n) => of(n))

describe('a picture of a small network', () => {
  const small = indexOf(
    ...[node('n1'), node('n2'), vpc('v', 7), subnet('s', 'v'), port('x', { node: 'n1', pod: 'p', vni: 7, phase: 'ready' })],
    ...[port('y', { node: 'n2', vni: 7, phase: 'error' }), fabric, service, domain],
  )

  test('has pods in their nodes, Subnets in their Vpc, tunnels, switches with the ports that nodes are plugged into, and VLANs', () => {
    const drawn = picture(small)
    assert.deepEqual(
      drawn.nodes.map(({ id, parent, open }) => [id, parent, open]),
      [
        ['Vpc/a/v', undefined, undefined],
        ['Node/n1', undefined, true],
        ['Node/n2', undefined, true],
        ['Subnet/a/s', 'Vpc/a/v', undefined],
        ['Switch/f/leaf', undefined, undefined],
        ['PhysicalNetwork/dc', undefined, undefined],
        ['VLAN/dc/100', 'PhysicalNetwork/dc', undefined],
        ['Pod/a/p', 'Node/n1', undefined],
        ['Dot/a/y', 'Node/n2', undefined],
      ],
    )
    assert.deepEqual([...lines(drawn)].sort(), [
      'Dot/a/y port Subnet/a/s',
      'Node/n1 tunnel Vpc/a/v',
      'Node/n1 wired-to Switch/f/leaf',
      'Node/n2 tunnel Vpc/a/v',
      'PhysicalNetwork/dc gateway Switch/f/leaf',
      'Pod/a/p port Subnet/a/s',
      'VLAN/dc/100 open-on Switch/f/leaf',
    ])
    assert.equal(drawn.nodes.find(({ id }) => id === 'VLAN/dc/100')?.message, 'a/l in VRF blue')
    assert.equal(drawn.edges.find(({ relation }) => relation === 'wired-to')?.switchPort, '7')
    assert.deepEqual(drawn.edges.find(({ relation }) => relation === 'tunnel')?.addresses, ['192.0.2.1'])
  })

  test('has of a group that is closed its number of Ports, the worst that is of them, and one line to each Subnet', () => {
    const { nodes, edges } = picture(small, { open: 'none' })
    const group = nodes.find(({ id }) => id === 'Node/n2')
    assert.deepEqual([group?.open, group?.ports, group?.phase], [false, 1, 'error'])
    assert.ok(!nodes.some(({ kind }) => kind === 'Pod' || kind === 'Port'))
    assert.equal(edges.find(({ id }) => id === 'Node/n2 ports Subnet/a/s')?.count, 1)
  })

  test('by Vpc has pods in their Vpcs', () => {
    const { nodes } = picture(small, { by: 'vpc' })
    assert.deepEqual(nodes.find(({ id }) => id === 'Pod/a/p')?.parent, 'Vpc/a/v')
  })

  test('that is filtered has what is like that, and what that stands on', () => {
    assert.deepEqual(ids(picture(small, { phase: 'error' })), ['Vpc/a/v', 'Node/n2', 'Subnet/a/s', 'Dot/a/y'])
    assert.deepEqual(ids(picture(small, { node: 'n1' })), ['Vpc/a/v', 'Node/n1', 'Subnet/a/s', 'Switch/f/leaf', 'Pod/a/p'])
    assert.deepEqual(ids(picture(small, { vni: 8 })), [])
    assert.equal(picture(small, { vpc: 'a/v' }).ports, 2)
    assert.equal(picture(small, { vpc: 'a/w' }).ports, 0)
  })

  test('has what is only named as a name', () => {
    const { nodes } = picture(indexOf(port('x', { node: 'n1', pod: 'p', vni: 7 })))
    assert.deepEqual(
      nodes.map(({ id, seen }) => [id, seen]),
      [
        ['Segment/7', true],
        ['Node/n1', false],
        ['Subnet/a/s', false],
        ['Pod/a/p', false],
      ],
    )
  })
})

describe('a picture of a large network', () => {
  const large = indexOf(
    ...many(1_000, (n) => node(`n${n}`)),
    ...many(300, (n) => vpc(`v${n}`, 100 + n)),
    ...many(300, (n) => subnet(`s${n}`, `v${n}`)),
    ...many(6_000, (n) =>
      port(`p${n}`, { node: `n${n % 1_000}`, pod: `pod${n}`, vni: 100 + (n % 300), phase: 'ready', subnet: `s${n % 300}` }),
    ),
  )

  test('is of as many elements as there is room for, and says how many lines are not drawn', () => {
    for (const by of ['node', 'vpc'] as const)
      for (const open of [undefined, 'all', 'none'] as const) {
        const drawn = picture(large, { by, open })
        assert.ok(drawn.nodes.length + drawn.edges.length <= 1_000, `${by} ${open}`)
        assert.equal(drawn.ports, 6_000)
      }
    assert.ok(picture(large).hidden > 0)
  })

  test('counts each Port once on its groups, whatever is in one box', () => {
    for (const by of ['node', 'vpc'] as const) {
      const { nodes } = picture(large, { by })
      const groups = nodes.filter(({ open }) => open !== undefined)
      const own = groups.filter(({ kind }) => (by === 'node' ? kind.startsWith('Node') : kind.startsWith('Vpc')))
      assert.equal(
        own.reduce((sum, { ports = 0 }) => sum + ports, 0),
        6_000,
      )
    }
  })

  test('opens a range into its members, and a group that has no room into as much as there is room for', () => {
    const range = picture(large).nodes.find(({ kind }) => kind === 'Nodes')!
    const opened = picture(large, { open: [range.id] })
    assert.ok(!ids(opened).includes(range.id))
    assert.ok(ids(opened).includes(`Node/${range.first}`) && ids(opened).includes(`Node/${range.last}`))
    const one = picture(large, { by: 'vpc', open: ['Vpc/a/v7'], most: 400 })
    const group = one.nodes.find(({ id }) => id === 'Vpc/a/v7')!
    assert.deepEqual([group.open, group.ports], [true, 20])
    const crowd = indexOf(node('n'), ...many(3_000, (n) => port(`p${n}`, { node: 'n', pod: `pod${n}` })))
    const half = picture(crowd, { open: ['Node/n'] })
    assert.ok(half.nodes.length + half.edges.length <= 1_000)
    assert.equal(half.nodes.find(({ id }) => id === 'Node/n')?.shown, half.edges.filter(({ relation }) => relation === 'port').length)
  })

  test('has pods that are followed, whatever is closed', () => {
    const drawn = picture(large, { open: 'none', follow: ['a/pod4321', 'a/pod8'] })
    for (const id of ['Pod/a/pod4321', 'Pod/a/pod8']) assert.ok(ids(drawn).includes(id), id)
    assert.deepEqual(
      drawn.nodes.filter(({ kind }) => kind === 'Pod').map(({ parent }) => parent),
      ['Node/n321', 'Node/n8'],
    )
  })
})
