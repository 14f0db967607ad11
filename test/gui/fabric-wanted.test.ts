// What the view Fabric shows as wanted on a switch port, against where workers open it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routesOfDomain } from '../../core/plan/l2/gateway-vrfs.ts'
import { portsOfPoint } from '../../core/plan/l2/switch-ports.ts'
import type { Item } from '../../gui/contract/kinds.ts'
import { domainsIn } from '../../gui/views/fabric/routed.ts'
import { pointsOf, type Wiring } from '../../gui/views/fabric/wanted.ts'
import { thing } from '../core/plan-things.ts'

const links = ['n1', 'n2', 'n3', 'n4'].flatMap((node) =>
  ['eth1', 'eth2', 'eth3'].map((each) => ({ node, interface: each, switch: 'leaf', switchPort: `${node}-${each}` })),
)
const fabrics = [thing('Fabric', 'rack', { switches: [{ name: 'leaf', driver: 'memory', address: 'leaf' }], links })]
const nodes = [thing('Node', 'n1', {}), thing('Node', 'n3', {}, { labels: { 'node-pool': 'labelled' } })]
const pools = [
  thing('NodePool', 'named', {
    nodes: ['n1', 'n2'],
    interfaces: [
      { name: 'eth1', connectionPoint: 'any' },
      { name: 'eth2', connectionPoint: 'of-labelled' },
      { name: 'eth3', connectionPoint: 'any', state: 'down' },
    ],
  }),
  thing('NodePool', 'labelled', {
    interfaces: [
      { name: 'eth1', connectionPoint: 'of-labelled' },
      { name: 'eth2', connectionPoint: 'any' },
      { name: 'eth3', connectionPoint: 'nowhere' },
    ],
  }),
]
const points = [thing('ConnectionPoint', 'any', {}), thing('ConnectionPoint', 'of-labelled', { nodePool: 'labelled' })]

test('a VLAN is shown at the switch ports where workers open it, and at no other port of a node or an interface of that name', () => {
  const connectionPoints = new Map(points.map((point) => [point.metadata.name, point]))
  // The same objects, as the contract has their types.
  const wiring = { connectionPoints, pools, nodes: new Map(nodes.map((node) => [node.metadata.name, node])) } as unknown as Wiring
  const shown = (name: string) => links.filter((link) => pointsOf(link, wiring).has(name)).map(({ switchPort }) => switchPort)
  for (const point of points) {
    const opened = portsOfPoint(point, { connectionPoints, pools, fabrics, nodes }).map(({ port }) => port)
    assert.deepEqual(shown(point.metadata.name).sort(), opened.sort())
  }
  assert.deepEqual(shown('any'), ['n1-eth1', 'n2-eth1', 'n3-eth2'])
  assert.deepEqual(shown('of-labelled'), ['n3-eth1'])
  assert.deepEqual(shown('nowhere'), [])
})

test('a VLAN is shown in the VRFs that workers put it into', () => {
  const vrfs = [
    { name: 'blue', namespaces: ['a'] },
    { name: 'red', namespaces: ['a', 'b'] },
  ]
  const gateway = { physicalNetwork: 'dc', switch: 'leaf', switchPort: '48', router: { switch: 'edge', port: 'e1', vrfs } }
  const edge = thing('Fabric', 'f', { switches: [{ name: 'edge', driver: 'gnmi', address: 'x' }], gateways: [gateway] })
  for (const vrf of ['blue', 'red'])
    for (const namespace of ['a', 'b'])
      for (const physicalNW of [['dc'], ['wan'], []]) {
        const spec = { vlan: 100, connectionPoints: ['cp'], physicalNW, vrf, holder: { kind: 'L2Service', namespace, name: 's', uid: 'u' } }
        const isRouted = routesOfDomain(spec, [edge]).ports.size > 0
        const domains = [thing('L2BridgeDomain', 'd', spec)] as unknown as Item<'L2BridgeDomain'>[]
        const shown = vrfs.filter((each) => domainsIn(each, gateway, domains).length > 0).map(({ name }) => name)
        assert.deepEqual(shown, isRouted ? [vrf] : [], `${vrf} ${namespace} ${physicalNW.join()}`)
      }
})
