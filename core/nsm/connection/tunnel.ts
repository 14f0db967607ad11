// Mechanism VXLAN: the two ends of a connection are on two nodes, each with a forwarder, and packets travel between these.
// Sources: networkservicemesh/api, mechanisms/vxlan/helpers.go, and networkservicemesh/sdk, common/mechanisms/vxlan/vni (2026-11).
import { ChainRefused } from '../../errors.ts'
import { parseIp, type Ip } from '../../net/ip.ts'
import { parseVni } from '../../net/segment.ts'
import type { Connection, Mechanism } from '../../wire/nsm/connection.ts'
import { mechanismOf } from './mechanisms.ts'

/** As this node has it. */
export interface Tunnel {
  readonly vni: number
  /** Addresses of the two nodes, and the UDP ports on which each of them listens. */
  readonly local: string
  readonly l4Port: number
  readonly remote: string
  readonly remoteL4Port: number
}

/** What a node has for tunnels of NSM's. */
export interface TunnelPlace {
  readonly address: string
  readonly l4Port: number
  /** Those that it gives; a peer that has given one is believed, whichever it is. */
  readonly vniMin: number
  readonly vniMax: number
  /** Others use that port here too: then a VNI out of this range may be theirs, and is not taken from a peer either. */
  readonly isShared: boolean
  /** Bytes of a packet that fit into it. */
  readonly mtu: number
}

const usualL4Port = 4789

/** What a forwarder asks the node of an endpoint for. */
export const tunnelPreference = ({ address, l4Port }: TunnelPlace): Mechanism =>
  mechanismOf(
    'VXLAN',
    new Map([
      ['src_ip', address],
      ['src_port', String(l4Port)],
    ]),
  )

/** What whoever asked is answered with. @throws ChainRefused where it says not from where */
export function tunnelAnswer(wanted: Mechanism, { address, l4Port }: TunnelPlace, vni: number): Mechanism {
  if (parseIp(wanted.parameters.get('src_ip') ?? '') === undefined) throw new ChainRefused({ reason: 'mechanism VXLAN needs a src_ip' })
  const own = new Map([
    ['dst_ip', address],
    ['dst_port', String(l4Port)],
    ['vni', String(vni)],
  ])
  return { ...wanted, parameters: new Map([...wanted.parameters, ...own]) }
}

/** 0: none is said. */
export const vniOf = ({ parameters }: Mechanism): number => Number(parameters.get('vni') ?? 0)

/**
 * Two nodes that serve each other never draw the same VNI, as one of them draws even ones, the other one odd ones: even where the address
 * of whoever asks is not above that of whoever serves.
 */
export function drawsEven(wanted: Mechanism, served: string): boolean {
  const parameter = (key: string): string => wanted.parameters.get(`orig_${key}`) || (wanted.parameters.get(key) ?? '')
  const [from, to] = [parseIp(parameter('src_ip')), parseIp(wanted.parameters.get('orig_dst_ip') || served)]
  return from !== undefined && to !== undefined && in16(from) <= in16(to)
}

/** IPv4 addresses as net.IP of Go sorts them: mapped into IPv6. */
const in16 = ({ family, value }: Ip): bigint => (family === 4 ? 0xffff_0000_0000n + value : value)

/** @param side which of the two addresses of the mechanism is this node's */
export function tunnelIn({ type, parameters }: Mechanism, side: 'src' | 'dst', place: TunnelPlace): Tunnel | undefined {
  const other = side === 'src' ? 'dst' : 'src'
  const [local, remote, vni] = [parameters.get(`${side}_ip`), parameters.get(`${other}_ip`) ?? '', Number(parameters.get('vni') ?? 0)]
  const remoteL4Port = Number(parameters.get(`${other}_port`) || usualL4Port)
  if (type !== 'VXLAN' || local !== place.address || !isOtherNode(remote, place) || !isVniHere(vni, place)) return undefined
  return isL4Port(remoteL4Port) ? { vni, local, l4Port: place.l4Port, remote, remoteL4Port } : undefined
}

const isVniHere = (vni: number, { isShared, vniMin, vniMax }: TunnelPlace): boolean =>
  parseVni(vni) !== undefined && (!isShared || (vni >= vniMin && vni <= vniMax))

const isL4Port = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= 65_535

function isOtherNode(remote: string, { address }: TunnelPlace): boolean {
  const [there, here] = [parseIp(remote), parseIp(address)]
  return there !== undefined && there.family === here?.family && there.value !== here.value
}

/** What does not fit into the tunnel is known at both ends before an interface is there. */
export function withMtuAtMost(connection: Connection, mtu: number): Connection {
  const context = { extraContext: new Map<string, string>(), mtu: 0, ...connection.context }
  return { ...connection, context: { ...context, mtu: context.mtu === 0 ? mtu : Math.min(context.mtu, mtu) } }
}
