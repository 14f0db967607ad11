// Pieces that want the same item of a data plane, as one address is heard of by two watches in any order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRenderer } from '../../agent/dataplanes/memory.ts'
import { Pieces } from '../../agent/pieces/pieces.ts'
import type { Renderer } from '../../core/contracts/dataplane.ts'
import { graphRenderer } from '../../core/graph/renderer.ts'
import { linuxRenderer } from '../../core/linux/render.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import type { Endpoint, LocalPort, Segment } from '../../core/node/wanted.ts'
import { changeOf } from '../../core/plan/node/change.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { segmentKey, segmentPiece } from '../../core/pieces/segment.ts'
import { endpointKey } from '../../core/pieces/endpoint-map.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { drawNode, usualDrawing, type NodeWanted } from '../laws/node-wanted.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'

const renderers: Readonly<Record<string, Renderer>> = {
  'Open vSwitch': switchRenderer(() => ({
    node: 'n',
    bridge: 'mgz',
    datapath: 'netdev',
    tunnelAddress: '192.0.2.1',
    tunnelL4Port: 4789,
    uplinks: { physnet1: 'up0' },
  })),
  BESS: graphRenderer({
    uplink: { ifcName: 'eth0', mac: '02:00:00:00:0f:01', address: '192.0.2.1', l4Port: 4789 },
    dpdkBy: 'vhost-user',
    socketFolder: '/run/dpdk',
  }),
  Linux: linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789, uplinks: { physnet1: 'up0' } }),
  memory: memoryRenderer,
}

/** What a data plane has that is told of one change after the other. */
class There {
  readonly pieces = new Pieces({ changed: () => undefined })
  readonly items = new Map<string, string>()
  readonly #renderer: Renderer

  constructor(renderer: Renderer) {
    this.#renderer = renderer
    for (const { key, text } of renderer.base()) this.items.set(key, text)
  }

  /** @returns keys that were put anew, replaced or dropped, as the change says: what is there agrees with it */
  apply(endpointsMax: number): void {
    const { drop, put } = changeOf(this.#renderer, this.pieces.take(endpointsMax))
    const dropped = new Set(drop.map(({ key }) => key))
    for (const { key, text } of drop) assert.equal(this.items.get(key), text, `${key} is dropped as it is`)
    for (const { key } of drop) this.items.delete(key)
    for (const { key, text } of put) {
      assert.equal(this.items.has(key), false, `${key} is new, or what was there is dropped: ${[...dropped].join(' ')}`)
      this.items.set(key, text)
    }
  }

  wanted(): Map<string, string> {
    const all = new Map<string, string>()
    for (const { key, text } of itemsOf(this.#renderer, this.pieces.wanted())) if (!all.has(key)) all.set(key, text)
    return all
  }
}

const port: LocalPort = {
  uid: 'u1',
  of: { kind: 'Port', namespace: 'a', name: 'p' },
  number: 1,
  ifcName: 'mgz1',
  attachment: { kind: 'vni', vni: 5000 },
  mac: '02:00:00:00:00:01',
  addresses: ['10.0.0.2'],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1450,
}
const segment: Segment = { vni: 5000, subnets: [{ cidr: '10.0.0.0/24', gateway: '10.0.0.1' }], flood: false, hosts: [], numbers: [] }
const elsewhere: Endpoint = { vni: 5000, address: '10.0.0.2', mac: port.mac, hostIP: '192.0.2.9' }
/** Pieces by the words of a test. */
const news: Readonly<Record<string, (pieces: Pieces) => void>> = {
  'it is elsewhere': (pieces) => pieces.set(endpointPiece, endpointKey(5000, '10.0.0.2'), elsewhere),
  'it is elsewhere no more': (pieces) => pieces.set(endpointPiece, endpointKey(5000, '10.0.0.2'), undefined),
  'it is here': (pieces) => pieces.set(portPiece, 'u1', port),
  'it is here no more': (pieces) => pieces.set(portPiece, 'u1', undefined),
}
const orders = [
  ['it is elsewhere', 'it is here', 'it is elsewhere no more'],
  ['it is here', 'it is elsewhere', 'it is elsewhere no more'],
  ['it is here', 'it is elsewhere', 'it is here no more'],
  ['it is elsewhere', 'it is here', 'it is here no more'],
]

for (const [name, renderer] of Object.entries(renderers)) {
  for (const order of orders) {
    test(`${name}: ${order.join(', ')}: after each of the three what is wanted is there`, () => {
      const there = new There(renderer)
      there.pieces.set(segmentPiece, segmentKey(5000), segment)
      for (const each of order) {
        news[each]!(there.pieces)
        there.apply(10)
        assert.deepEqual(new Map([...there.items].sort()), new Map([...there.wanted()].sort()), each)
      }
    })
  }

  test(`${name}: addresses that are here, a gateway's and elsewhere at once, told in any order and taken in part: what is there is what a comparison finds right`, () => {
    for (let seed = 1; seed <= trials(400); seed++) {
      const random = seeded(seed)
      const there = new There(renderer)
      for (let step = 0; step < 20; step++) {
        change(there.pieces, drawNode(random, { ...usualDrawing, vnis: [5000], portsMax: 4, endpointsMax: 4 }), random)
        there.apply(1 + Math.floor(random() * 3))
      }
      while (there.pieces.isChanged) there.apply(2)
      assert.deepEqual(new Map([...there.items].sort()), new Map([...there.wanted()].sort()), `seed ${seed}`)
    }
  })
}

/** Some of the pieces become those of another node; endpoints take names of ports and gateways there. */
function change(pieces: Pieces, { ports, segments, endpoints }: NodeWanted, random: () => number): void {
  const perhaps = (p: number): boolean => random() < p
  for (const uid of new Set([...pieces.of(portPiece).keys(), ...ports.keys()])) if (perhaps(0.4)) pieces.set(portPiece, uid, ports.get(uid))
  for (const vni of new Set([...[...pieces.of(segmentPiece).values()].map((each) => each.vni), ...segments.keys()]))
    if (perhaps(0.4)) pieces.set(segmentPiece, segmentKey(vni), segments.get(vni))
  for (const each of [...moved([...ports.values()]), ...endpoints.values(), gateway])
    if (perhaps(0.4))
      pieces.set(endpointPiece, endpointKey(each.vni, each.address), perhaps(0.6) ? { ...each, hostIP: '192.0.2.7' } : undefined)
}

const gateway: Endpoint = { vni: 5000, address: '10.0.0.254', mac: '02:00:00:00:00:fe', hostIP: '192.0.2.7' }
const moved = (ports: readonly LocalPort[]): readonly Endpoint[] =>
  ports.flatMap(({ attachment, mac, addresses }) =>
    attachment.kind === 'vni' ? addresses.map((address) => ({ vni: attachment.vni, address, mac, hostIP: '' })) : [],
  )
