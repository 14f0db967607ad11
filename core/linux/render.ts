// A node as bridges, VXLAN devices, static neighbours and forwarding entries of the kernel.
//
// Where broadcast is not replicated (a VPC), it stays among the VPC's ports on this node: a request for an address elsewhere, or for the
// gateway's, is answered from the neighbours that the bridge is told of, and nothing unknown leaves by the tunnel. For a request from
// one port about another the kernel answers ARP or floods IPv6, never both (net/bridge/br_arp_nd_proxy.c and br_forward.c, Linux 6.18),
// so both are flooded there. Where broadcast is replicated (an L2 service), requests travel, and members learn from each other; tunnels
// never learn.
//
// Frames for the gateway's MAC are sent to a port of the bridge that does not get requests, so that the bridge answers for that MAC: the
// tunnel, and where broadcast is replicated a door, as the tunnel gets requests there. Before they leave it, nftables hands them back to the bridge, with the MAC
// that the bridge's own neighbours give the destination and a hop less, or as the answer to a ping: that is all there is to routing, on the
// sender's own node, between the Subnets of a VNI and no further. What the bridge answers for the gateway does not leave by the tunnel.
//
// A physical network is a bridge with the uplink and its ports. It learns nothing and gives a frame to all of them: each lets out what is
// of its VLANs (vlan-programs.ts). A bridge that learned would mix VLANs up, as one MAC may be in several of them, with VRRP say.
import type { Because } from '../node/because.ts'
import { explainPlainly } from '../node/explained.ts'
import type { Item } from '../node/item.ts'
import type { Unsupported } from '../node/unsupported.ts'
import type { SegmentAttachment, Endpoint, LocalPort, PortSegment, Segment } from '../node/wanted.ts'
import { canonicalIp } from '../net/ip.ts'
import { gatewayMac } from '../pipeline/gateway-mac.ts'
import { physicalBridge } from '../pipeline/switch.ts'
import { sourcesOf } from './sources.ts'
import { vlansName, type PortVlans } from './vlan-programs.ts'
import { doorName, keyOf, textOf, tunnelName, type TextForm, type LinuxItem } from './linux-items.ts'

export interface LinuxOptions {
  /** This node's address that others tunnel to. */
  readonly tunnelAddress: string
  /** The UDP port of VXLAN. */
  readonly l4Port: number
  /** Why this kernel does not route between Subnets; absent: it does. */
  readonly noRoutes?: string
  /** The interface that leads to each physical network: those that the node has. */
  readonly uplinks?: Readonly<Record<string, string>>
  /** Why this kernel carries no VLANs; absent: it does. */
  readonly noVlans?: string
}

type Vlans = Extract<SegmentAttachment, { readonly kind: 'vlan' }>

const local: TextForm = { learning: false, flood: 'group', answered: false }
const answered: TextForm = { learning: false, flood: 'none', answered: true }
const flooded: TextForm = { learning: true, flood: 'all', answered: false }
const everyVlan: PortVlans = { mode: 'tagged', vlans: 'all' }
const here = { kind: 'Node', name: 'here' } as const
const ip = (text: string): string => canonicalIp(text) ?? text
const items = (because: Because, things: readonly LinuxItem[]): readonly Item<LinuxItem>[] => things.map((thing) => ({ key: keyOf(thing), text: textOf(thing), value: thing, because }))

/** The pure half of the Linux data plane: core/contracts/dataplane.ts has its contract. */
export function linuxRenderer(options: LinuxOptions) {
  const { tunnelAddress, l4Port, noRoutes } = options
  const uplinks = options.noVlans === undefined ? (options.uplinks ?? {}) : {}
  return {
    base: (): readonly Item<LinuxItem>[] => [
      ...items({ rule: 'sources are guarded on every node', of: here }, [{ is: 'table' }]),
      ...items({ rule: 'tunnel packets are taken from nodes that are known alone', of: here }, [{ is: 'tunnels' }]),
      ...(noRoutes === undefined ? items({ rule: 'every node routes between the Subnets of its own ports', of: here }, [{ is: 'routes' }]) : []),
      ...Object.entries(uplinks).flatMap(([name, ifname]) => physicalNetwork(name, ifname)),
    ],

    /** None for DPDK, nor for VLANs of a physical network that the node has no uplink to. */
    port(port: LocalPort, segment?: PortSegment): readonly Item<LinuxItem>[] {
      if (port.type !== 'kernel') return []
      if (port.attachment.kind === 'vlan') return Object.hasOwn(uplinks, port.attachment.physicalNetwork) ? vlanPort(port, port.attachment) : []
      const { vni } = port.attachment
      const { ifcName: ifname, mac } = port
      return items({ rule: 'a Port on this node', of: port.of }, [
        ...(port.portSecurity ? guardsOf(port) : [{ is: 'untagged', ifname } as const]),
        { is: 'member', vni, ifname, ...(segment?.flood === true ? flooded : local) },
        { is: 'fdb', vni, mac, ifname },
        ...port.addresses.map((address): LinuxItem => ({ is: 'neighbour', vni, address: ip(address), mac })),
      ])
    },

    endpoint({ vni, address, mac, hostIP }: Endpoint): readonly Item<LinuxItem>[] {
      return items({ rule: 'an address of this VNI on another node', of: { kind: 'IPLock', name: `${vni}/${address}` } }, [
        { is: 'fdb', vni, mac, ifname: tunnelName(vni) },
        { is: 'vtep', vni, mac, host: ip(hostIP) },
        { is: 'neighbour', vni, address: ip(address), mac },
      ])
    },

    segment(segment: Segment): readonly Item<LinuxItem>[] {
      const { vni, flood, hosts } = segment
      return items({ rule: 'a VNI with a port here', of: { kind: 'SegmentLock', name: `vni-${vni}` } }, [
        { is: 'bridge', vni, up: true },
        { is: 'tunnel', vni, local: ip(tunnelAddress), l4Port },
        { is: 'member', vni, ifname: tunnelName(vni), ...(flood ? { ...flooded, learning: false } : answered) },
        ...hosts.map((host): LinuxItem => ({ is: 'known', vni, host: ip(host) })),
        ...(flood ? hosts : []).map((host): LinuxItem => ({ is: 'flood', vni, host: ip(host) })),
        ...(flood && noRoutes !== undefined ? [] : gatewaysOf(segment, noRoutes === undefined)),
      ])
    },

    unsupported: unsupportedWhere({ ...options, uplinks }),
    explain: explainPlainly,
  }
}

/** Where nothing routes, frames for the gateway end at the tunnel: it knows no node that has it. */
function gatewaysOf({ vni, subnets, flood }: Segment, routed: boolean): readonly LinuxItem[] {
  const gateways = [...new Set(subnets.flatMap(({ gateway }) => (gateway === undefined ? [] : [ip(gateway)])))]
  if (gateways.length === 0) return []
  const ifname = flood ? doorName(vni) : tunnelName(vni)
  return [
    ...(flood ? [{ is: 'door', vni, up: true }, { is: 'member', vni, ifname, ...answered }, { is: 'router', vni, ifname: tunnelName(vni), right: true }] as const : []),
    { is: 'fdb', vni, mac: gatewayMac, ifname },
    ...gateways.map((address): LinuxItem => ({ is: 'neighbour', vni, address, mac: gatewayMac })),
    ...(routed ? [{ is: 'router', vni, ifname, right: true } as const, ...gateways.map((address): LinuxItem => ({ is: 'gateway', ifname, address }))] : []),
  ]
}

type UnsupportedOf = (port: LocalPort, segment: PortSegment | undefined) => readonly Unsupported[]

function guardsOf(port: LocalPort): readonly LinuxItem[] {
  const { ifcName: ifname, portSecurity } = port
  if (!portSecurity) return []
  const sources = sourcesOf(port)
  const inV6 = [...new Set(sources.flatMap(({ mac, block }) => (block.includes(':') ? [mac] : [])))]
  return [{ is: 'guarded', ifname }, ...sources.map((source): LinuxItem => ({ is: 'source', ifname, ...source })), ...inV6.map((mac): LinuxItem => ({ is: 'option', ifname, mac }))]
}

function physicalNetwork(name: string, ifname: string): readonly Item<LinuxItem>[] {
  const bridge = physicalBridge(name)
  return items({ rule: `this node's way to the physical network ${name}`, of: here }, [{ is: 'physical', bridge, up: true }, { is: 'vlans', bridge, ifname, name: vlansName(everyVlan), ...everyVlan }])
}

function vlanPort(port: LocalPort, { physicalNetwork: network, mode, vlans }: Vlans): readonly Item<LinuxItem>[] {
  const own = { mode: mode === 'access' ? mode : 'tagged', vlans: [...new Set(vlans)].sort((a, b) => a - b) } as const
  return items({ rule: `a Port on this node, ${mode} in the physical network ${network}`, of: port.of }, [...guardsOf(port), { is: 'vlans', bridge: physicalBridge(network), ifname: port.ifcName, name: vlansName(own), ...own }])
}

const unsupportedWhere = ({ noRoutes, noVlans, uplinks = {} }: LinuxOptions): UnsupportedOf => ({ attachment, type }, segment) => {
  if (type === 'dpdk') return [{ name: 'dpdk', why: 'the kernel has no such ports: it is in no network' }]
  if (attachment.kind === 'vlan') return noVlan(attachment, uplinks, noVlans)
  const several = new Set(segment?.subnets.map(({ cidr }) => cidr.includes(':'))).size < (segment?.subnets.length ?? 0)
  return several && noRoutes !== undefined ? [{ name: 'routes', why: noRoutes }] : []
}

function noVlan({ physicalNetwork: network }: Vlans, uplinks: Readonly<Record<string, string>>, noVlans: string | undefined): readonly Unsupported[] {
  if (noVlans !== undefined) return [{ name: 'vlan', why: `${noVlans}: it is in no network` }]
  return Object.hasOwn(uplinks, network) ? [] : [{ name: 'vlan', why: `this node has no interface to the physical network ${network}: it is in no network` }]
}
