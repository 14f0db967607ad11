// One node with ports that policies judge, as flows in the model of a switch, and frames that its ports and others send.
import { world, unknown } from '../../core/kinds/policy/tiers.ts'
import { contains, parseCidr } from '../../core/net/cidr.ts'
import { parseIp } from '../../core/net/ip.ts'
import type { Endpoint, LocalPort, RuleSet, Segment } from '../../core/node/wanted.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { pieceSet, type NodePieces } from '../../core/pieces/piece-set.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import { tunId, tunSrc, type Field } from '../../core/pipeline/openflow/fields.ts'
import type { SwitchItem } from '../../core/pipeline/items.ts'
import { printMatch, type Flow } from '../../core/pipeline/openflow/flow.ts'
import { ipv4Value, type FieldValue } from '../../core/pipeline/openflow/values.ts'
import { numbers } from '../../core/pipeline/settings.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { Connections } from '../../core/pipeline/model/conntrack.ts'
import type { Frame } from '../../core/pipeline/model/frame.ts'
import { through, type Out, type Tables } from '../../core/pipeline/model/tables.ts'

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

/** Many switches carry the same flows, one after the other. */
const byTable = new WeakMap<readonly Flow[], ReadonlyMap<number, readonly Flow[]>>()

function tablesOf(flows: readonly Flow[]): ReadonlyMap<number, readonly Flow[]> {
  for (const { match } of flows)
    if (new Set(match.map(({ field }) => field)).size < match.length) throw new Error(`duplicate field: ${printMatch(match)}`)
  return new Map(
    [...Map.groupBy(flows, ({ table }) => table)].map(([table, all]) => [table, [...all].sort((a, b) => b.priority - a.priority)]),
  )
}

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
    this.#flows = byTable.get(flows) ?? tablesOf(flows)
    byTable.set(flows, this.#flows)
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

/** The same frame as another node sends it through the tunnel. */
export const tunnelled = (frame: Frame): Frame => new Map<Field, FieldValue>([...frame, [tunId, vni], [tunSrc, ipv4Value('192.0.2.2')]])
export const tunnel = numbers.tunnel
