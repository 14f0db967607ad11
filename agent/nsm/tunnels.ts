// Connections of NSM to other nodes: a VXLAN device among the node's own interfaces, and on it a macvlan in the namespace of the one end
// that is here. The device never is in that namespace: whoever is root there would choose VNIs and nodes to send to.
import { LinkRefused } from '../../core/errors.ts'
import { hash80 } from '../../core/net/names.ts'
import type { SideCounters, TunnelWire, WireCounters } from '../../core/nsm/connection/wire.ts'
import type { Tunnel } from '../../core/nsm/connection/tunnel.ts'
import type { NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import type { Link } from '../../core/wire/netlink/link.ts'
import { findLink, linkGroup, named, throwUnless } from '../links/pod-namespace.ts'
import type { Netlink } from '../netlink/netlink.ts'
import {
  aliasOf,
  countedBehind,
  dropWhere,
  finish,
  inPlace,
  isInTheWay,
  readOwn,
  roundsMax,
  settle,
  unlessGone,
  type OpenedEnd,
  type SentPaths,
} from './wire-ends.ts'

const everybody = '00:00:00:00:00:00'
/** Where the node has no other: of IPv4's VXLAN over Ethernet. */
const usualMtu = 1_450

/** Of the device, by the connection: 15 characters. */
const deviceName = (id: string): string => `mgv${hash80('wire', id).slice(0, 12)}`

export async function joinTunnel(netlink: Netlink, wire: TunnelWire, sent: SentPaths): Promise<void> {
  const alias = aliasOf(wire.id)
  await inPlace(wire.end, sent, async (end) => {
    for (let round = 0; round < roundsMax; round++) {
      if (await settled(netlink, wire, end)) return
      await dropWhere(netlink, end.netns, isInTheWay(alias, end.ifname))
      await dropWhere(netlink, undefined, isInTheWay(alias, deviceName(wire.id)))
      await make(netlink, wire, end)
    }
    throw new LinkRefused({ what: wire.end.ifname, reason: 'somebody else makes and deletes it at the same time' })
  })
}

/** The device takes along what is on it, wherever that is. */
export async function partTunnel(netlink: Netlink, { id, end }: TunnelWire, sent: SentPaths): Promise<void> {
  const alias = aliasOf(id)
  await dropWhere(netlink, undefined, (link) => link.alias === alias)
  await inPlace(end, sent, ({ netns }) => dropWhere(netlink, netns, (link) => link.alias === alias)).catch(unlessGone)
}

/** Undefined where one of both is gone. */
export async function countTunnel(netlink: Netlink, { id, end, endIs }: TunnelWire, sent: SentPaths): Promise<WireCounters | undefined> {
  const inside = await inPlace(end, sent, (place) => countedBehind(netlink, place))
  const [answer] = await netlink.request([{ do: 'getLink', of: named(deviceName(id)), counted: true }])
  const outside: SideCounters | undefined = answer?.link?.counters
  if (inside === undefined || outside === undefined) return undefined
  return endIs === 'client' ? { client: inside, endpoint: outside } : { client: outside, endpoint: inside }
}

/** Devices of connections that nobody has asked for since this process began. @param known ids of those that somebody has */
export const sweepTunnels = (netlink: Netlink, known: Iterable<string>): Promise<void> => {
  const aliases = new Set([...known].map(aliasOf))
  return dropWhere(netlink, undefined, ({ kind, alias }) => kind === 'vxlan' && !aliases.has(alias ?? ''))
}

async function settled(netlink: Netlink, { id, tunnel, mtu }: TunnelWire, end: OpenedEnd): Promise<boolean> {
  const alias = aliasOf(id)
  const found = await readOwn(netlink, end, alias)
  const device = await findLink(netlink, deviceName(id))
  if (found === undefined || device === undefined || !areOne([found.link, device], alias)) return false
  if (!isTo(tunnel, device) || !(await leadsTo(netlink, tunnel, device))) return false
  if (mtu !== undefined && device.mtu !== mtu) throwUnless(await netlink.request([{ do: 'setLink', of: device, change: { mtu } }]), [])
  await settle(netlink, end, found, { alias, mtu })
  return true
}

const areOne = ([inside, device]: readonly [Link, Link], alias: string): boolean =>
  inside.kind === 'macvlan' && inside.peer === device.index && inside.alias === alias && device.alias === alias

const isTo = ({ vni, local, l4Port }: Tunnel, { vxlan }: Link): boolean =>
  vxlan?.vni === vni && vxlan.local === local && vxlan.l4Port === l4Port

async function leadsTo(netlink: Netlink, { remote, l4Port, remoteL4Port }: Tunnel, { index }: Link): Promise<boolean> {
  const entries = (await netlink.list('fdb')).filter((each) => each.index === index && each.kind === 'fdb' && each.mac === everybody)
  return (
    entries.length === 1 && entries.every((each) => each.kind === 'fdb' && each.dst === remote && (each.l4Port ?? l4Port) === remoteL4Port)
  )
}

async function make(netlink: Netlink, { id, tunnel, mtu = usualMtu }: TunnelWire, end: OpenedEnd): Promise<void> {
  const [alias, ifname] = [aliasOf(id), deviceName(id)]
  const { vni, local, l4Port, remote, remoteL4Port } = tunnel
  const common = { mtu, group: linkGroup.wire }
  const shape = { kind: 'vxlan', vni, local, l4Port, learning: false } as const
  throwUnless(await netlink.request([{ do: 'addLink', link: { ...common, ifname, shape } }]), [])
  const device = await findLink(netlink, ifname)
  if (device === undefined) return
  const toPeer = { on: device, mac: everybody, dst: remote, ...(remoteL4Port !== l4Port && { l4Port: remoteL4Port }) }
  const requests: NetlinkRequest[] = [
    { do: 'setLink', of: device, change: { alias, apart: true } },
    { do: 'putFdb', append: true, fdb: toPeer },
    { do: 'setLink', of: device, change: { up: true } },
    {
      do: 'addLink',
      link: { ...common, ifname: end.ifname, netns: end.netns, shape: { kind: 'macvlan', on: device.index, mode: 'passthru' } },
    },
  ]
  throwUnless(await netlink.request(requests), [], requests)
  await finish(netlink, end, alias)
}
