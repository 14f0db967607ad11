// The network as a graph: what is drawn of which objects, and what holds whatever they are.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Resource } from '../../core/kinds/index.ts'
import { topologyPage } from '../../core/views/topology/pages.ts'
import { NetworkIndex } from '../../core/views/topology/network-index.ts'
import { trials } from '../setup/trials.ts'
import { thing } from './plan-things.ts'

type Objects = Readonly<Record<string, readonly object[]>>
const indexOf = (objects: Objects): NetworkIndex => {
  const index = new NetworkIndex()
  for (const items of Object.values(objects)) for (const item of items) index.put(item as Resource)
  return index
}
const all = { ports: true }
const cluster = { namespace: undefined as never }
const graphOf = (objects: Objects, wish = all) => topologyPage(indexOf(objects), { ...wish, from: undefined, limit: 1e9 })
const edgesOf = (objects: Objects, wish = all): string[] =>
  graphOf(objects, wish).edges.map(({ from, relation, to }) => `${from} ${relation} ${to}`)

const port = (name: string, node: string | undefined, vni: number | undefined, namespace = 'a'): Resource<'Port'> =>
  thing(
    'Port',
    name,
    { subnet: 's', ...(node !== undefined && { node }), claim: { pod: 'p', nic: 'n', owner: 'Pod/p', podUID: 'u' } },
    { namespace, status: { ...(vni !== undefined && { vni }), ...(node !== undefined && { hostIP: `192.0.2.${node.slice(1)}` }) } },
  )
const network = {
  Vpc: [thing('Vpc', 'v', { provider: 'builtin' }, { status: { vni: 7, phase: 'ready' } })],
  Subnet: [thing('Subnet', 's', { vpc: 'v', ipv4: { cidr: '10.0.0.0/24' } }, { status: { vni: 7 } })],
  Node: [thing('Node', 'n1', {}, { ...cluster, status: { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] } })],
  Port: [port('x', 'n1', 7), port('y', 'n2', 7)],
}

describe('the graph', () => {
  test('joins a pod to its Node and its segment by its Port', () => {
    assert.deepEqual(edgesOf({ ...network, Pod: [thing('Pod', 'p', { nodeName: 'n1' })] }), [
      'Node/n1 tunnel Segment/7',
      'Node/n2 tunnel Segment/7',
      'Pod/a/p has Port/a/x',
      'Pod/a/p has Port/a/y',
      'Pod/a/p on Node/n1',
      'Port/a/x in Subnet/a/s',
      'Port/a/x on Node/n1',
      'Port/a/y in Subnet/a/s',
      'Port/a/y on Node/n2',
      'Subnet/a/s in Vpc/a/v',
      'Vpc/a/v carried-by Segment/7',
    ])
  })

  test('has what is only named as a name, and nothing more of it', () => {
    const { nodes } = graphOf({ ...network, Node: [], Subnet: [] })
    const names = nodes.filter(({ seen }) => !seen)
    assert.deepEqual(names, [
      { id: 'Node/n1', kind: 'Node', name: 'n1', seen: false },
      { id: 'Node/n2', kind: 'Node', name: 'n2', seen: false },
      { id: 'Pod/a/p', kind: 'Pod', namespace: 'a', name: 'p', seen: false },
      { id: 'Subnet/a/s', kind: 'Subnet', namespace: 'a', name: 's', seen: false },
    ])
  })

  test('without Ports has them as numbers', () => {
    const { nodes, edges } = graphOf(network, { ports: false })
    assert.deepEqual(
      nodes.map(({ id, ports }) => [id, ports]),
      [
        ['Node/n1', 1],
        ['Node/n2', undefined],
        ['Segment/7', 2],
        ['Subnet/a/s', 2],
        ['Vpc/a/v', undefined],
      ],
    )
    assert.deepEqual(
      edges.filter(({ relation }) => relation === 'tunnel').map(({ from, address, ports }) => [from, address, ports]),
      [
        ['Node/n1', '192.0.2.1', 1],
        ['Node/n2', '192.0.2.2', 1],
      ],
    )
  })

  test('draws VLANs, their physical network, and the switches that they are open on', () => {
    const service = thing('L2Service', 'l', { segmentationID: 100 })
    const edges = edgesOf({
      L2Service: [service],
      L2ServiceAttachment: [thing('L2ServiceAttachment', 't', { l2Services: ['l'], connectionPoint: 'c', vlanType: 'access' })],
      ConnectionPoint: [thing('ConnectionPoint', 'c', { physicalNet: 'dc' }, cluster)],
      L2BridgeDomain: [
        thing(
          'L2BridgeDomain',
          'd',
          { vlan: 100, connectionPoints: ['c'], holder: { kind: 'L2Service', namespace: 'a', name: 'l', uid: service.metadata.uid } },
          { ...cluster, status: { switches: ['f/leaf1'] } },
        ),
      ],
      Fabric: [
        thing(
          'Fabric',
          'f',
          {
            switches: [{ name: 'leaf1', driver: 'memory', address: 'm' }],
            links: [{ node: 'n1', interface: 'eth1', switch: 'leaf1', switchPort: '1' }],
            gateways: [{ physicalNetwork: 'dc', switch: 'leaf1', switchPort: '48' }],
          },
          cluster,
        ),
      ],
    })
    assert.deepEqual(edges.sort(), [
      'ConnectionPoint/c of PhysicalNetwork/dc',
      'L2Service/a/l carried-by VLAN/dc/100',
      'L2ServiceAttachment/a/t at ConnectionPoint/c',
      'L2ServiceAttachment/a/t brings L2Service/a/l',
      'Node/n1 wired-to Switch/f/leaf1',
      'PhysicalNetwork/dc gateway Switch/f/leaf1',
      'VLAN/dc/100 of PhysicalNetwork/dc',
      'VLAN/dc/100 open-on Switch/f/leaf1',
    ])
  })
})

const names = fc.constantFrom('a', 'b', 'c')
const vnis = fc.option(fc.constantFrom(7, 8, 9), { nil: undefined })
const ports = fc.uniqueArray(
  fc.record({
    namespace: names,
    name: fc.string({ minLength: 1, maxLength: 3 }),
    node: fc.option(fc.constantFrom('n1', 'n2', 'n3'), { nil: undefined }),
    vni: vnis,
  }),
  { selector: ({ namespace, name }) => `${namespace}/${name}`, maxLength: 20 },
)
const networks = fc.record({
  Port: ports.map((given) => given.map(({ name, node, vni, namespace }) => port(name, node, vni, namespace))),
  Vpc: fc
    .uniqueArray(fc.tuple(names, vnis), { selector: ([namespace]) => namespace })
    .map((given) =>
      given.map(([namespace, vni]) => thing('Vpc', 'v', { provider: 'builtin' }, { namespace, status: vni === undefined ? {} : { vni } })),
    ),
  Subnet: fc
    .uniqueArray(names)
    .map((given) => given.map((namespace) => thing('Subnet', 's', { vpc: 'v', ipv4: { cidr: '10.0.0.0/24' } }, { namespace }))),
  Node: fc.uniqueArray(fc.constantFrom('n1', 'n2', 'n3')).map((given) => given.map((name) => thing('Node', name, {}, cluster))),
  L2Service: fc
    .uniqueArray(names)
    .map((given) =>
      given.map((namespace) => thing('L2Service', 'l', { segmentationID: 100, physicalNW: [`net-${namespace}`] }, { namespace })),
    ),
})

describe('whatever the objects are', () => {
  test('both ends of each edge are there, each thing once', () => {
    fc.assert(
      fc.property(networks, fc.boolean(), (objects, withPorts) => {
        const { nodes, edges } = graphOf(objects, { ports: withPorts })
        const ids = new Set(nodes.map(({ id }) => id))
        assert.equal(ids.size, nodes.length)
        assert.equal(new Set(edges.map(({ id }) => id)).size, edges.length)
        for (const { from, to } of edges) assert.ok(ids.has(from) && ids.has(to), `${from} ${to}`)
        for (const { metadata } of withPorts ? objects.Port : []) assert.ok(ids.has(`Port/${metadata.namespace}/${metadata.name}`))
      }),
      { numRuns: trials(500) },
    )
  })

  test('the pages together are the whole, whatever their size, and each holds both ends of its edges', () => {
    fc.assert(
      fc.property(networks, fc.integer({ min: 1, max: 30 }), (objects, limit) => {
        const index = indexOf(objects)
        const [nodes, edges] = [new Set<string>(), new Set<string>()]
        let from: string | undefined
        do {
          const page = topologyPage(index, { ...all, from, limit })
          const here = new Set(page.nodes.map(({ id }) => id))
          for (const edge of page.edges) assert.ok(here.has(edge.from) && here.has(edge.to))
          for (const { id } of page.nodes) nodes.add(id)
          for (const { id } of page.edges) edges.add(id)
          assert.ok(page.parts.length > 0 || page.next === undefined)
          from = page.next
        } while (from !== undefined)
        const whole = graphOf(objects)
        assert.deepEqual([nodes, edges], [new Set(whole.nodes.map(({ id }) => id)), new Set(whole.edges.map(({ id }) => id))])
      }),
      { numRuns: trials(300) },
    )
  })

  test('their order makes no difference', () => {
    fc.assert(
      fc.property(networks, (objects) => {
        const turned = Object.fromEntries(Object.entries(objects).map(([kind, items]) => [kind, [...items].reverse()]))
        assert.deepEqual(graphOf(turned), graphOf(objects))
      }),
      { numRuns: trials(300) },
    )
  })

  test('a Port is counted once on its Subnet, its segment and its Node', () => {
    fc.assert(
      fc.property(networks, (objects) => {
        const { nodes } = graphOf(objects, { ports: false })
        const sum = (kind: string): number => nodes.filter((each) => each.kind === kind).reduce((total, { ports: n = 0 }) => total + n, 0)
        assert.equal(sum('Segment'), objects.Port.filter(({ status }) => status?.vni !== undefined).length)
        const there = new Set(objects.Node.map(({ metadata }) => metadata.name))
        assert.equal(sum('Node'), objects.Port.filter(({ spec }) => there.has(spec.node ?? '')).length)
      }),
      { numRuns: trials(300) },
    )
  })
})
