// What a connection of mechanism KERNEL is made of: an interface at each end, joined, with addresses and routes of its context. Where the
// other end is on another node, by mechanism VXLAN, it is the interface of one end, joined to a tunnel.
// Source: networkservicemesh/sdk-kernel, pkg/kernel/networkservice/connectioncontextkernel (2026-11).
import type { Connection, Mechanism } from '../../wire/nsm/connection.ts'
import { noAddresses } from './ip-context.ts'
import { interfaceName, mechanismOf } from './mechanisms.ts'
import { tunnelIn, type Tunnel, type TunnelPlace } from './tunnel.ts'

/** The interface of one end. */
export interface WireEnd {
  /** URL of its network namespace: `file:///proc/4711/ns/net`, `inode://4/4026532771`. */
  readonly namespace: string
  readonly ifname: string
  /** With their lengths. */
  readonly addresses: readonly string[]
  readonly routes: readonly { readonly to: string; readonly via?: string }[]
}

interface Joined {
  /** Of the connection, as whoever makes the wire has it: the same after a restart. */
  readonly id: string
  /** Bytes; undefined: the kernel's own. */
  readonly mtu: number | undefined
}
/** Both ends are on this node. */
export interface PairWire extends Joined {
  readonly client: WireEnd
  readonly endpoint: WireEnd
}
export interface TunnelWire extends Joined {
  readonly end: WireEnd
  /** Which of the two it is. */
  readonly endIs: 'client' | 'endpoint'
  readonly tunnel: Tunnel
}
export type Wire = PairWire | TunnelWire

/** Packets and bytes as the forwarder sees them: received is what came from that side. */
export interface SideCounters {
  readonly receivedPackets: number
  readonly sentPackets: number
  readonly receivedBytes: number
  readonly sentBytes: number
  readonly dropped: number
}
/** Towards the client, and towards the endpoint. */
export interface WireCounters {
  readonly client: SideCounters
  readonly endpoint: SideCounters
}

/** As linux/if.h has it, without the final zero; a name of the kernel's own making has a `%`. */
const isInterfaceName = (name: string): boolean => /^[^\s/:%]{1,15}$/.test(name) && name !== '.' && name !== '..'

/** Undefined where an end is neither an interface of the kernel that says where it is, nor a tunnel of this node. */
export function wireOf(connection: Connection, [client, endpoint]: WireMechanisms, place?: TunnelPlace): Wire | undefined {
  const [a, b] = endsOf(connection, [client, endpoint])
  const joined: Joined = { id: connection.id, mtu: connection.context?.mtu || undefined }
  if (a !== undefined && b !== undefined) return { ...joined, client: a, endpoint: b }
  if (place === undefined) return undefined
  // Towards an endpoint this node is the source of the tunnel; towards a client it is what that one's node asked.
  if (a !== undefined) return tunnelled({ ...joined, end: a, endIs: 'client' }, endpoint && tunnelIn(endpoint, 'src', place))
  return b && tunnelled({ ...joined, end: b, endIs: 'endpoint' }, client && tunnelIn(client, 'dst', place))
}
type WireMechanisms = readonly [client: Mechanism | undefined, endpoint: Mechanism | undefined]

function endsOf({ context }: Connection, [client, endpoint]: WireMechanisms) {
  const { srcIpAddrs, srcRoutes, dstIpAddrs, dstRoutes } = context?.ipContext ?? noAddresses
  return [endOf(client, srcIpAddrs, srcRoutes), endOf(endpoint, dstIpAddrs, dstRoutes)] as const
}

const tunnelled = (near: Omit<TunnelWire, 'tunnel'>, tunnel: Tunnel | undefined): TunnelWire | undefined => tunnel && { ...near, tunnel }

function endOf(
  mechanism: Mechanism | undefined,
  addresses: readonly string[],
  routes: readonly { readonly prefix: string; readonly nextHop: string }[],
): WireEnd | undefined {
  const [namespace, ifname] = ['inodeURL', 'name'].map((key) => mechanism?.parameters.get(key) ?? '')
  if (mechanism?.type !== 'KERNEL' || !namespace || !ifname || !isInterfaceName(ifname)) return undefined
  return {
    namespace,
    ifname,
    addresses,
    routes: routes.map(({ prefix, nextHop }) => ({ to: prefix, ...(nextHop !== '' && { via: nextHop }) })),
  }
}

/** What a forwarder asks an endpoint for: its interface has the same name after a restart, as it is made of the connection's id. */
export function endpointMechanism({ id, networkService }: Connection): Mechanism {
  let digits = BigInt(`0x0${id.replaceAll(/[^0-9a-f]/gi, '').slice(0, 32)}`)
  const drawn = (): number => {
    const part = Number(digits % 1024n)
    digits /= 1024n
    return part / 1024
  }
  return mechanismOf('kernel', new Map([['name', interfaceName(networkService, drawn)]]))
}

/** As path segments say them: sdk-vpp, pkg/networkservice/stats/common.go (2026-11), whose server side is the client's. */
export const metricsOf = ({ client, endpoint }: WireCounters): ReadonlyMap<string, string> =>
  new Map(
    (
      [
        ['server', client],
        ['client', endpoint],
      ] as const
    ).flatMap(([side, counted]) =>
      Object.entries({
        rx_packets: counted.receivedPackets,
        tx_packets: counted.sentPackets,
        rx_bytes: counted.receivedBytes,
        tx_bytes: counted.sentBytes,
        drops: counted.dropped,
      }).map(([name, value]) => [`${side}_${name}`, String(value)] as const),
    ),
  )
