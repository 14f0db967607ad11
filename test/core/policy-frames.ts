// One node with ports that policies judge, as flows in the model of a switch, and frames that its ports and others send.
import { world, unknown } from '../../core/kinds/policy/tiers.ts'
import { contains, parseCidr } from '../../core/net/cidr.ts'
import { parseIp } from '../../core/net/ip.ts'
import type { Endpoint, LocalPort, RuleSet, Segment } from '../../core/node/wanted.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import {
  ethDst,
  ethSrc,
  ethType,
  icmp6Code,
  icmp6Type,
  icmpCode,
  icmpType,
  ipProto,
  ipv4Dst,
  ipv4Src,
  ipv6Dst,
  ipv6Src,
  sctpDst,
  sctpSrc,
  tcpDst,
  tcpSrc,
  tunId,
  tunSrc,
  udpDst,
  udpSrc,
  type Field,
} from '../../core/pipeline/openflow/fields.ts'
import type { SwitchItem } from '../../core/pipeline/items.ts'
import { printMatch, type Flow } from '../../core/pipeline/openflow/flow.ts'
import { ipv4Value, ipv6Value, macValue, type FieldValue } from '../../core/pipeline/openflow/values.ts'
import { numbers } from '../../core/pipeline/settings.ts'
import { itemsOf, type NodePieces } from '../../core/plan/node/items.ts'
import type { Transport } from '../../core/policy/verdict.ts'
import { pieceSet } from '../laws/node-wanted.ts'
import { Connections } from '../sim/world/switch/conntrack.ts'
import type { Frame } from '../sim/world/switch/frame.ts'
import { through, type Out, type Tables } from '../sim/world/switch/tables.ts'

export const vni = 5001
const subnets = [
  { cidr: '10.0.0.0/24', gateway: '10.0.0.254' },
  { cidr: '2001:db8::/64', gateway: '2001:db8::fffe' },
]

export const renderer = switchRenderer(() => ({
  node: 'n',
  bridge: 'mgz',
  datapath: 'netdev',
  tunnelAddress: '192.0.2.1',
  tunnelL4Port: 4789,
  uplinks: {},
}))

export const macOf = (n: number): string => `02:00:00:00:00:${n.toString(16).padStart(2, '0')}`
export const addressOf = (n: number, family: 4 | 6): string => (family === 4 ? `10.0.0.${n}` : `2001:db8::${n.toString(16)}`)

/** Of a number below 100: one of this node, with both families. */
export const portOf = (number: number, more: Partial<LocalPort> = {}): LocalPort => ({
  uid: `uid-${number}`,
  of: { kind: 'Port', namespace: 'a', name: `port-${number}` },
  number,
  ifcName: `mgz${number}`,
  attachment: { kind: 'vni', vni },
  mac: macOf(number),
  addresses: [addressOf(number, 4), addressOf(number, 6)],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1450,
  ...more,
})

/** Of a number from 100: one of another node. */
export const endpointsOf = (n: number, identity?: number): readonly Endpoint[] =>
  ([4, 6] as const).map((family) => ({
    vni,
    address: addressOf(n, family),
    mac: macOf(n),
    hostIP: '192.0.2.2',
    ...(identity !== undefined && { identity }),
  }))

export interface Node {
  readonly ports: readonly LocalPort[]
  readonly endpoints: readonly Endpoint[]
  readonly sets: readonly RuleSet[]
  readonly flood?: boolean
}

function segmentOf({ ports, flood = false }: Pick<Node, 'ports' | 'flood'>): Segment {
  const judged = ports.filter(({ policy }) => policy !== undefined && !policy.isClosed).map(({ number }) => number)
  return { vni, subnets, flood, hosts: ['192.0.2.2'], numbers: flood ? ports.map(({ number }) => number) : [], judged }
}

export const piecesOfNode = (node: Node): NodePieces =>
  pieceSet([
    [portPiece, node.ports],
    [segmentPiece, [segmentOf(node)]],
    [endpointPiece, node.endpoints],
    [ruleSetPiece, node.sets],
  ])

export const itemsOfNode = (node: Node): readonly SwitchItem[] => [...itemsOf(renderer, piecesOfNode(node))]
export const flowsOfNode = (node: Node): readonly Flow[] =>
  itemsOfNode(node).flatMap(({ value }) => (value.kind === 'flow' ? [value.flow] : []))

export class ModelSwitch {
  #flows: ReadonlyMap<number, readonly Flow[]> = new Map()
  readonly #tables: Tables = {
    flowsOf: (table) => this.#flows.get(table) ?? [],
    group: () => undefined,
    isUp: () => true,
    connections: new Connections(),
  }

  /** Other flows, and the same connections. */
  carry(flows: readonly Flow[]): void {
    for (const { match } of flows)
      if (new Set(match.map(({ field }) => field)).size < match.length) throw new Error(`duplicate field: ${printMatch(match)}`)
    this.#flows = new Map(
      [...Map.groupBy(flows, ({ table }) => table)].map(([table, all]) => [table, [...all].sort((a, b) => b.priority - a.priority)]),
    )
  }

  /** The numbers that it leaves by. @param met told of each flow that it meets */
  send(frame: Frame, from: number, met?: (flow: Flow) => void): readonly number[] {
    return this.outs(frame, from, met).map(({ number }) => number)
  }

  outs(frame: Frame, from: number, met?: (flow: Flow) => void): readonly Out[] {
    return through(this.#tables, frame, from, met)
  }
}

/** What a node knows of an address of its VNI. */
export function identityOf(address: string, { ports, endpoints }: Pick<Node, 'ports' | 'endpoints'>): number {
  const here = ports.find(({ addresses }) => addresses.includes(address))?.policy?.identity
  const there = endpoints.find((each) => each.address === address)?.identity
  if (here !== undefined || there !== undefined) return here ?? there!
  const isInside = subnets.some(({ cidr }) => contains(parseCidr(cidr)!, parseIp(address)!))
  return isInside && !subnets.some(({ gateway }) => gateway === address) ? unknown : world
}

export interface Packet {
  readonly from: string
  readonly to: string
  readonly transport: Transport
  /** Of TCP, UDP and SCTP. */
  readonly l4From: number
}

const l4: ReadonlyMap<number, readonly [src: Field, dst: Field]> = new Map([
  [6, [tcpSrc, tcpDst]],
  [17, [udpSrc, udpDst]],
  [132, [sctpSrc, sctpDst]],
])

const isV6 = (address: string): boolean => address.includes(':')

/** @param reply the answer to it instead */
export function frameOf(
  { from, to, transport, l4From }: Packet,
  macs: { readonly src: string; readonly dst: string },
  reply = false,
): Frame {
  const { l4Port = 0 } = transport
  const { type, src, dst, value } = isV6(from) ? six : four
  const addresses = [value(from), value(to)]
  const numbered = [l4From, l4Port]
  const [one, other] = reply ? [1, 0] : [0, 1]
  const [l4Src, l4Dst] = l4.get(transport.protocol) ?? []
  return new Map<Field, FieldValue>([
    [ethSrc, macValue(macs.src)],
    [ethDst, macValue(macs.dst)],
    [ethType, type],
    [ipProto, transport.protocol],
    [src, addresses[one]!],
    [dst, addresses[other]!],
    ...(l4Src === undefined ? [] : [[l4Src, numbered[one]!] as const, [l4Dst!, numbered[other]!] as const]),
    ...icmpFields(transport, reply),
  ])
}

const four = { type: 0x0800, src: ipv4Src, dst: ipv4Dst, value: ipv4Value } as const
const six = { type: 0x86dd, src: ipv6Src, dst: ipv6Dst, value: ipv6Value } as const

function icmpFields({ protocol, icmpType: type = 0, icmpCode: code = 0 }: Transport, reply: boolean): [Field, FieldValue][] {
  const of: Readonly<Record<number, readonly [Field, Field, number]>> = { 1: [icmpType, icmpCode, 0], 58: [icmp6Type, icmp6Code, 129] }
  const [typeField, codeField, answers] = of[protocol] ?? []
  if (typeField === undefined) return []
  return [
    [typeField, reply ? answers! : type],
    [codeField!, code],
  ]
}

/** The same frame as another node sends it through the tunnel. */
export const tunnelled = (frame: Frame): Frame => new Map<Field, FieldValue>([...frame, [tunId, vni], [tunSrc, ipv4Value('192.0.2.2')]])
export const tunnel = numbers.tunnel
