// The pieces of a node as items of the kernel.
import type { Because } from '../node/because.ts'
import { broadcastLimit, learntMax, mayHaveMoreMacs } from '../node/broadcast.ts'
import type { Item } from '../node/item.ts'
import type { SegmentAttachment, Endpoint, LocalPort, NodeServiceAddress, PortSegment, Segment, VifAttachment } from '../node/wanted.ts'
import { world } from '../kinds/policy/tiers.ts'
import { canonicalIp } from '../net/ip.ts'
import { gatewayMac } from '../net/gateway-mac.ts'
import { physicalBridge } from '../pipeline/ovsdb/switch.ts'
import { uplinksOf, type LinuxOptions } from './options.ts'
import { sourcesOf } from './sources.ts'
import { trafficOf } from './traffic.ts'
import { doorName } from '../net/router-name.ts'
import { keyOf, textOf, tunnelName, type TextForm, type LinuxItem } from './linux-items.ts'
import { vlansName } from './vlan-programs.ts'

/** On a bridge that is somebody else's. */
function vifPort({ ifcName, of }: LocalPort, { plug, bridge, hybrid }: VifAttachment): readonly Item<LinuxItem>[] {
  if (plug === 'interface' || bridge === undefined || hybrid === true) return []
  return items({ rule: "a Port on this node, on a bridge that is its cloud's", of }, [{ kind: 'plugged', ifname: ifcName, bridge }])
}

type Vlans = Extract<SegmentAttachment, { readonly kind: 'vlan' }>

const local: TextForm = { learning: false, flood: 'group', answered: false }
const answered: TextForm = { learning: false, flood: 'none', answered: true }
const flooded: TextForm = { learning: false, flood: 'all', answered: false }
const ip = (text: string): string => canonicalIp(text) ?? text
export const items = (because: Because, things: readonly LinuxItem[]): readonly Item<LinuxItem>[] =>
  things.map((thing) => ({ key: keyOf(thing), text: textOf(thing), value: thing, because }))

/** None for DPDK, nor for VLANs of a physical network that the node has no uplink to. */
export function portItems(port: LocalPort, segment: PortSegment | undefined, options: LinuxOptions): readonly Item<LinuxItem>[] {
  if (port.type === 'dpdk') return []
  if (port.attachment.kind === 'vlan')
    return Object.hasOwn(uplinksOf(options), port.attachment.physicalNetwork) && port.policy?.isClosed !== true
      ? vlanPort(port, port.attachment)
      : []
  if (port.attachment.kind === 'vif') return vifPort(port, port.attachment)
  const { vni } = port.attachment
  const { ifcName: ifname, mac } = port
  return items({ rule: 'a Port on this node', of: port.of }, [
    ...(port.portSecurity ? guardsOf(port) : [{ kind: 'untagged', ifname } as const]),
    ...guestOf(port),
    ...(port.policy?.isClosed === true ? [] : onBridge(port, { vni, segment, options })),
    ...trafficOf(port, options),
    ...broadcastOf(port, { vni, segment, options }),
    ...port.addresses.flatMap((address): readonly LinuxItem[] => [
      { kind: 'neighbour', vni, address: ip(address), mac },
      ...identityOf(vni, address, port.policy?.identity),
    ]),
  ])
}

/** One that policies close is on no bridge: who has its addresses is answered all the same. */
const onBridge = (port: LocalPort, { vni, segment, options }: InSegment): readonly LinuxItem[] => [
  { kind: 'member', vni, ifname: port.ifcName, ...(segment?.flood === true && mayHaveMoreMacs(port) ? looseForm(options) : local) },
  { kind: 'fdb', vni, mac: port.mac, ifname: port.ifcName },
]

interface InSegment {
  readonly vni: number
  readonly segment: PortSegment | undefined
  readonly options: LinuxOptions
}

/** What is for unknown MACs is sent out of it too; what is learnt behind it, or behind a tunnel, moves no entry that was told. */
const looseForm = ({ noLearning }: LinuxOptions): TextForm => ({ ...flooded, learning: noLearning === undefined })

function broadcastOf({ ifcName: ifname, policy }: LocalPort, { vni, segment, options }: InSegment): readonly LinuxItem[] {
  if (segment?.flood !== true || policy?.isClosed === true || options.noTraffic !== undefined) return []
  return [{ kind: 'broadcast', ifname, vni, framesPerSecond: broadcastLimit.framesPerSecond }]
}

const identityOf = (vni: number, address: string, identity: number | undefined): readonly LinuxItem[] =>
  identity === undefined ? [] : [{ kind: 'identity', vni, address: ip(address), identity }]

/** @param isRouted it is reached by the gateway, in place of the tunnel */
export function endpointItems({ vni, address, mac, hostIP, identity }: Endpoint, isRouted = false): readonly Item<LinuxItem>[] {
  const way: readonly LinuxItem[] = isRouted
    ? []
    : [
        { kind: 'fdb', vni, mac, ifname: tunnelName(vni) },
        { kind: 'vtep', vni, mac, host: ip(hostIP) },
      ]
  return items({ rule: 'an address of this VNI on another node', of: { kind: 'IPLock', name: `${vni}/${address}` } }, [
    ...way,
    { kind: 'neighbour', vni, address: ip(address), mac: isRouted ? gatewayMac : mac },
    ...identityOf(vni, address, identity),
  ])
}

export const serviceItems = ({ vni, addresses, namespace, name }: NodeServiceAddress): readonly Item<LinuxItem>[] =>
  items(
    { rule: 'a service address of a VNI with a port here', of: { kind: 'ServiceAddress', namespace, name } },
    addresses.map((address) => ({ kind: 'neighbour', vni, address: ip(address), mac: gatewayMac })),
  )

export function segmentItems(segment: Segment, options: LinuxOptions): readonly Item<LinuxItem>[] {
  const { tunnelAddress, l4Port, noRoutes, noLearning } = options
  const { vni, flood, hosts, peerHosts = [] } = segment
  return items({ rule: 'a VNI with a port here', of: { kind: 'SegmentLock', name: `vni-${vni}` } }, [
    { kind: 'bridge', vni, up: true },
    { kind: 'tunnel', vni, local: ip(tunnelAddress), l4Port },
    { kind: 'member', vni, ifname: tunnelName(vni), ...(flood ? looseForm(options) : answered) },
    ...(flood && noLearning === undefined ? [{ kind: 'learnt', vni, most: learntMax } as const] : []),
    ...[...new Set([...hosts, ...peerHosts])].map((host): LinuxItem => ({ kind: 'known', vni, host: ip(host) })),
    ...(flood ? hosts : []).map((host): LinuxItem => ({ kind: 'flood', vni, host: ip(host) })),
    ...(flood && noRoutes !== undefined ? [] : gatewaysOf(segment, noRoutes === undefined)),
    ...blocksOf(segment),
  ])
}

/** Gateways are nobody's, wherever they stand. */
function blocksOf({ vni, subnets }: Segment): readonly LinuxItem[] {
  const gateways = subnets.flatMap(({ gateway }) => gateway ?? [])
  return [
    ...[...new Set(subnets.map(({ cidr }) => cidr))].map((block): LinuxItem => ({ kind: 'inside', vni, block })),
    ...[...new Set(gateways)].flatMap((gateway) => identityOf(vni, gateway, world)),
  ]
}

/** Where nothing routes, frames for the gateway end at the tunnel: it knows no node that has it. */
function gatewaysOf({ vni, subnets, flood, router }: Segment, routed: boolean): readonly LinuxItem[] {
  const gateways = [...new Set(subnets.flatMap(({ gateway }) => (gateway === undefined ? [] : [ip(gateway)])))]
  if (gateways.length === 0) return []
  const byKernel = router !== undefined
  const ifname = flood || byKernel ? doorName(vni) : tunnelName(vni)
  return [
    ...(flood || byKernel
      ? ([
          { kind: 'door', vni, up: true },
          { kind: 'member', vni, ifname, ...answered },
        ] as const)
      : []),
    ...(flood ? [{ kind: 'router', vni, ifname: tunnelName(vni), right: true, to: byKernel ? 'nodes' : 'bridge' } as const] : []),
    { kind: 'fdb', vni, mac: gatewayMac, ifname },
    ...gateways.map((address): LinuxItem => ({ kind: 'neighbour', vni, address, mac: gatewayMac })),
    ...(routed
      ? [
          { kind: 'router', vni, ifname, right: true, to: byKernel ? 'kernel' : 'bridge' } as const,
          ...gateways.map((address): LinuxItem => ({ kind: 'gateway', ifname, address })),
        ]
      : []),
  ]
}

const guestOf = ({ type, ifcName: ifname }: LocalPort): readonly LinuxItem[] => (type === 'tap' ? [{ kind: 'guest', ifname }] : [])

function guardsOf(port: LocalPort): readonly LinuxItem[] {
  const { ifcName: ifname, portSecurity } = port
  if (!portSecurity) return []
  const sources = sourcesOf(port)
  const inV6 = [...new Set(sources.flatMap(({ mac, block }) => (block.includes(':') ? [mac] : [])))]
  return [
    { kind: 'guarded', ifname },
    ...sources.map((source): LinuxItem => ({ kind: 'source', ifname, ...source })),
    ...inV6.map((mac): LinuxItem => ({ kind: 'option', ifname, mac })),
  ]
}

function vlanPort(port: LocalPort, { physicalNetwork: network, mode, vlans }: Vlans): readonly Item<LinuxItem>[] {
  const own = { mode: mode === 'access' ? mode : 'tagged', vlans: [...new Set(vlans)].sort((a, b) => a - b) } as const
  return items({ rule: `a Port on this node, ${mode} in the physical network ${network}`, of: port.of }, [
    ...guardsOf(port),
    ...guestOf(port),
    { kind: 'vlans', bridge: physicalBridge(network), ifname: port.ifcName, name: vlansName(own), ...own },
  ])
}
