// What the view Fabric shows as wanted on a switch port, against where workers open it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portsOfPoint } from '../../core/plan/l2/switch-ports.ts'
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
