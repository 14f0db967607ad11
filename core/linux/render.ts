// A node as bridges, VXLAN devices, static neighbours and forwarding entries of the kernel.
//
// Where broadcast is not replicated (a VPC), it stays among the VPC's ports on this node: a request for an address elsewhere, or for the
// gateway's, is answered from the neighbours that the bridge is told of, and nothing unknown leaves by the tunnel. For a request from
// one port about another the kernel answers ARP or floods IPv6, never both (net/bridge/br_arp_nd_proxy.c and br_forward.c, Linux 6.18),
// so both are flooded there. Where broadcast is replicated (an L2 service), requests travel, and members learn from each other; tunnels
// never learn.
//
// Frames for the gateway's MAC are sent to the tunnel, so that the bridge answers for that MAC. Before they leave, nftables hands them
// back to the bridge, with the MAC that the bridge's own neighbours give the destination and a hop less: that is all there is to routing,
// on the sender's own node, between the Subnets of a VNI and no further. Where broadcast is replicated nobody answers for the gateway.
import type { Because } from '../node/because.ts'
import { explainPlainly } from '../node/explained.ts'
import type { Item } from '../node/item.ts'
import type { Unsupported } from '../node/unsupported.ts'
import type { Endpoint, LocalPort, Segment } from '../node/wanted.ts'
import { canonicalIp } from '../net/ip.ts'
import { gatewayMac } from '../pipeline/gateway-mac.ts'
import { sourcesOf } from './sources.ts'
import { keyOf, textOf, tunnelName, type Manner, type Thing } from './things.ts'

export interface LinuxOptions {
  /** This node's address that others tunnel to. */
  readonly tunnelAddress: string
  /** The UDP port of VXLAN. */
  readonly l4Port: number
  /** Why this kernel does not route between Subnets; absent: it does. */
  readonly noRoutes?: string
}

const local: Manner = { learning: false, flood: 'group', answered: false }
const answered: Manner = { learning: false, flood: 'none', answered: true }
const flooded: Manner = { learning: true, flood: 'all', answered: false }
const here = { kind: 'Node', name: 'here' } as const
const ip = (text: string): string => canonicalIp(text) ?? text
const items = (because: Because, things: readonly Thing[]): readonly Item<Thing>[] => things.map((thing) => ({ key: keyOf(thing), text: textOf(thing), value: thing, because }))

/** The pure half of the Linux data plane: core/contracts/dataplane.ts has its contract. */
export function linuxRenderer({ tunnelAddress, l4Port, noRoutes }: LinuxOptions) {
  return {
    base: (): readonly Item<Thing>[] => [
      ...items({ rule: 'sources are guarded on every node', of: here }, [{ is: 'table' }]),
      ...(noRoutes === undefined ? items({ rule: 'every node routes between the Subnets of its own ports', of: here }, [{ is: 'routes' }]) : []),
    ],

    /** None for VLANs: a macvlan carries those, and it is no data plane's (agent/links). None for DPDK. */
    port(port: LocalPort, segment?: Segment): readonly Item<Thing>[] {
      if (port.attachment.kind !== 'vni' || port.type !== 'kernel') return []
      const { vni } = port.attachment
      const { ifcName: ifname, mac } = port
      const guards: readonly Thing[] = port.portSecurity ? [{ is: 'guarded', ifname }, ...sourcesOf(port).map((source): Thing => ({ is: 'source', ifname, ...source }))] : []
      return items({ rule: 'a Port on this node', of: port.of }, [
        ...guards,
        { is: 'member', vni, ifname, ...(segment?.flood === true ? flooded : local) },
        { is: 'fdb', vni, mac, ifname },
        ...port.addresses.map((address): Thing => ({ is: 'neighbour', vni, address: ip(address), mac })),
      ])
    },

    endpoint({ vni, address, mac, hostIP }: Endpoint): readonly Item<Thing>[] {
      return items({ rule: 'an address of this VNI on another node', of: { kind: 'IPLock', name: `${vni}/${address}` } }, [
        { is: 'fdb', vni, mac, ifname: tunnelName(vni) },
        { is: 'vtep', vni, mac, host: ip(hostIP) },
        { is: 'neighbour', vni, address: ip(address), mac },
      ])
    },

    segment({ vni, subnets, flood, hosts }: Segment): readonly Item<Thing>[] {
      const gateways = flood ? [] : [...new Set(subnets.flatMap(({ gateway }) => (gateway === undefined ? [] : [ip(gateway)])))]
      return items({ rule: 'a VNI with a port here', of: { kind: 'SegmentLock', name: `vni-${vni}` } }, [
        { is: 'bridge', vni, up: true },
        { is: 'tunnel', vni, local: ip(tunnelAddress), l4Port },
        { is: 'member', vni, ifname: tunnelName(vni), ...(flood ? { ...flooded, learning: false } : answered) },
        ...hosts.map((host): Thing => ({ is: 'flood', vni, host: ip(host) })),
        // The tunnel knows no node that has it: where nothing routes, such frames end there.
        ...(gateways.length === 0 ? [] : [{ is: 'fdb', vni, mac: gatewayMac, ifname: tunnelName(vni) } as const]),
        ...(gateways.length === 0 || noRoutes !== undefined ? [] : [{ is: 'router', vni, right: true } as const]),
        ...gateways.map((address): Thing => ({ is: 'neighbour', vni, address, mac: gatewayMac })),
      ])
    },

    unsupported: unsupportedWhere(noRoutes),
    explain: explainPlainly,
  }
}

type UnsupportedOf = (port: LocalPort, segment: Segment | undefined) => readonly Unsupported[]

const unsupportedWhere = (noRoutes: string | undefined): UnsupportedOf => ({ attachment, type }, segment) => {
  if (attachment.kind === 'vlan') return [{ name: 'vlan', why: 'the kernel\'s bridge of a VNI carries no VLANs: it is in no network' }]
  if (type === 'dpdk') return [{ name: 'dpdk', why: 'the kernel has no such ports: it is in no network' }]
  const why = segment?.flood === true ? 'where broadcast is replicated, the kernel\'s plane does not route between Subnets' : noRoutes
  const several = new Set(segment?.subnets.map(({ cidr }) => cidr.includes(':'))).size < (segment?.subnets.length ?? 0)
  return several && why !== undefined ? [{ name: 'routes', why }] : []
}
