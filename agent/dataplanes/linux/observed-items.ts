// What of the kernel's links, forwarding entries and neighbours is ours, as things. Pure.
import type { Link } from '../../../core/wire/netlink/link.ts'
import type { Neighbour } from '../../../core/wire/netlink/neighbour.ts'
import { doorName } from '../../../core/net/router-name.ts'
import { bridgeName, tunnelName, vniOfName, type LinuxItem } from '../../../core/linux/linux-items.ts'
import { linkGroup } from '../../links/pod-namespace.ts'

const noMac = '00:00:00:00:00:00'

export interface KernelSeen {
  readonly links: readonly Link[]
  readonly fdb: readonly Neighbour[]
  readonly neighbours: readonly Neighbour[]
}

/** Names say the VNI, and the link group that they are ours: made by us, not by somebody with an eye for names. */
export function observedItems({ links, fdb, neighbours }: KernelSeen): readonly LinuxItem[] {
  const bridges = new Map(links.flatMap((link) => vniOf(link, 'bridge', bridgeName)))
  const tunnels = new Map(links.flatMap((link) => vniOf(link, 'vxlan', tunnelName)))
  const byIndex = new Map(links.map((link) => [link.index, link]))
  return [
    ...links.flatMap(({ index, up }): LinuxItem[] => (bridges.has(index) ? [{ kind: 'bridge', vni: bridges.get(index)!, up }] : [])),
    ...links.flatMap(({ index, learnedMax = 0 }): LinuxItem[] =>
      bridges.has(index) && learnedMax > 0 ? [{ kind: 'learnt', vni: bridges.get(index)!, most: learnedMax }] : [],
    ),
    ...links.flatMap((link) => tunnelThing(link, tunnels)),
    ...links.flatMap((link) => doorThing(link, byIndex)),
    ...links.flatMap((link) => memberThing(link, bridges)),
    ...links.flatMap((link) => pluggedThing(link, byIndex)),
    ...fdb.flatMap((each) => fdbThing(each, { bridges, tunnels, byIndex })),
    ...neighbours.flatMap((each) => neighbourThing(each, bridges)),
  ]
}

function vniOf({ index, ifname, kind, group }: Link, wanted: string, name: (vni: number) => string): [number, number][] {
  const vni = vniOfName(ifname)
  return kind === wanted && group === linkGroup.ours && ifname === name(vni) ? [[index, vni]] : []
}

function tunnelThing({ index, up, vxlan }: Link, tunnels: ReadonlyMap<number, number>): LinuxItem[] {
  const vni = tunnels.get(index)
  // One that is down, learns, or is of another VNI is none: it is made anew.
  const right = vxlan !== undefined && up && !vxlan.learning && vxlan.vni === vni
  return vni === undefined
    ? []
    : [{ kind: 'tunnel', vni, local: right ? (vxlan.local ?? 'nowhere') : 'nowhere', l4Port: vxlan?.l4Port ?? 0 }]
}

function doorThing({ ifname, kind, group, up, peer }: Link, byIndex: ReadonlyMap<number, Link>): LinuxItem[] {
  const vni = vniOfName(ifname)
  if (kind !== 'veth' || group !== linkGroup.door || ifname !== doorName(vni)) return []
  return [{ kind: 'door', vni, up: up && byIndex.get(peer)?.up === true }]
}

function memberThing({ ifname, master, bridgePort }: Link, bridges: ReadonlyMap<number, number>): LinuxItem[] {
  const vni = bridges.get(master)
  if (vni === undefined || bridgePort === undefined) return []
  return [{ kind: 'member', vni, ifname, learning: bridgePort.learning, flood: bridgePort.flood, answered: bridgePort.neighSuppress }]
}

/** Ours in a bridge that is not. */
function pluggedThing({ ifname, kind, group, master }: Link, byIndex: ReadonlyMap<number, Link>): LinuxItem[] {
  if (group !== linkGroup.ours || master === 0 || (kind !== 'veth' && kind !== 'tun')) return []
  const bridge = byIndex.get(master)
  return bridge?.kind !== 'bridge' || bridge.group === linkGroup.ours ? [] : [{ kind: 'plugged', ifname, bridge: bridge.ifname }]
}

interface KnownLinks {
  readonly bridges: ReadonlyMap<number, number>
  readonly tunnels: ReadonlyMap<number, number>
  readonly byIndex: ReadonlyMap<number, Link>
}

function fdbThing(each: Neighbour, { bridges, tunnels, byIndex }: KnownLinks): LinuxItem[] {
  if (each.kind !== 'fdb' || !each.permanent) return []
  const { mac, dst, index } = each
  const tunnel = tunnels.get(index)
  if (dst !== undefined)
    return tunnel === undefined
      ? []
      : [mac === noMac ? { kind: 'flood', vni: tunnel, host: dst } : { kind: 'vtep', vni: tunnel, mac, host: dst }]
  const vni = bridges.get(each.master ?? 0)
  return vni === undefined ? [] : [{ kind: 'fdb', vni, mac, ifname: stuckTo(each, byIndex) }]
}

/** One that what is learnt could move is none of ours: it is put again. */
const stuckTo = ({ index, ...each }: Neighbour, byIndex: KnownLinks['byIndex']): string =>
  each.kind === 'fdb' && each.sticky === true ? (byIndex.get(index)?.ifname ?? '') : ''

function neighbourThing(each: Neighbour, bridges: ReadonlyMap<number, number>): LinuxItem[] {
  const vni = bridges.get(each.index)
  return each.kind !== 'neighbour' || !each.permanent || vni === undefined
    ? []
    : [{ kind: 'neighbour', vni, address: each.address, mac: each.mac ?? noMac }]
}
