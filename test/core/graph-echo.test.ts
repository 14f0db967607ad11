// A gateway's answer to a ping, made of modules that know no ICMP: byte for byte, whatever the sum is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexOf, hexOfMac, hexOfV4 } from '../../core/graph/bytes.ts'
import { Graph } from '../../core/graph/model/graph.ts'
import { run } from '../../core/graph/model/run.ts'
import { graphRenderer } from '../../core/graph/renderer.ts'
import { checksum } from '../../core/net/checksum.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import type { LocalPort, Segment } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { withChecksum } from '../node/raw-frames.ts'

const vni = 5001
const [pod, gateway] = ['10.0.0.7', '10.0.0.1']
const port: LocalPort = {
  uid: 'u7',
  of: { kind: 'Port', namespace: 'a', name: 'p' },
  number: 7,
  ifcName: 'mgz7',
  attachment: { kind: 'vni', vni },
  mac: '02:00:00:00:00:07',
  addresses: [pod],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1450,
}
const segment: Segment = { vni, subnets: [{ cidr: '10.0.0.0/24', gateway }], flood: false, hosts: [], numbers: [] }
const router = { number: 60_001, blocks: [], ways: [] }

function nodeWith(more: Partial<Segment>): Graph {
  const renderer = graphRenderer({ dpdkBy: 'vhost-user', socketFolder: '/run' })
  const items = [...renderer.base(), ...renderer.render(portPiece, port), ...renderer.render(segmentPiece, { ...segment, ...more })]
  const graph = new Graph()
  graph.putAll(items.map(({ value }) => value))
  return graph
}
interface Ping {
  readonly from: string
  readonly to: string
  readonly type?: number
  readonly ttl?: number
  /** Behind type and code; the checksum is worked out. */
  readonly body: string
}
const sumOf = (hex: string): number => checksum(Buffer.from(hex, 'hex'))
function ip({ from, to, type = 8, ttl = 64, body }: Ping): string {
  const head = `${hexOf(type, 1)}00`
  const icmp = `${head}${hexOf(sumOf(`${head}${body}`), 2)}${body}`
  const header = withChecksum(`450000${hexOf(20 + icmp.length / 2, 1)}00000000${hexOf(ttl, 1)}010000${hexOfV4(from)}${hexOfV4(to)}`)
  return `0800${header}${icmp}`
}
const [ours, gateways] = [hexOfMac(port.mac), hexOfMac(gatewayMac)]

function outsOf(graph: Graph, bytes: string): readonly (readonly [role: string, bytes: string])[] {
  const outs: [string, string][] = []
  run(graph, 'in.7', { bytes, metadata: new Map() }, { port: (role, is) => void outs.push([role, is]), tunnel: () => assert.fail() })
  return outs
}

test('a ping of the gateway is answered to who asks, with the right sums, wherever they carry', () => {
  const graphs = [nodeWith({}), nodeWith({ router })]
  for (let word = 0; word < 0x10000; word += word % 0x100 < 2 || word % 0x100 > 0xfc ? 1 : 13) {
    const body = `12340001${hexOf(word, 2)}`
    const asked = `${gateways}${ours}${ip({ from: pod, to: gateway, body, ttl: 1 + (word % 255) })}`
    const answer = `${ours}${gateways}${ip({ from: gateway, to: pod, body, type: 0 })}`
    assert.deepEqual(outsOf(graphs[word % 2]!, asked), [['p.7', answer]], body)
  }
})

test('what is no ping of the gateway goes on: to the kernel as it came where it routes, else to nobody', () => {
  const others = [
    ip({ from: pod, to: '10.0.0.2', body: '12340001' }),
    ip({ from: pod, to: gateway, body: '12340001', type: 13 }),
    ip({ from: pod, to: gateway, body: '12340001' }).replace('080045', '080046'),
    ip({ from: pod, to: gateway, body: '12340001' }).replace(/^(.{16})0000/, '$12000'),
  ]
  for (const each of others) {
    const frame = `${gateways}${ours}${each}`
    assert.deepEqual(outsOf(nodeWith({ router }), frame), [['p.60001', frame]])
    assert.deepEqual(outsOf(nodeWith({}), frame), [])
  }
})
