// Links (linux/if_link.h): what is made, changed and told of interfaces.
import { parseIp, printIp } from '../../net/ip.ts'
import {
  attributes,
  be16Of,
  family,
  ipBytes,
  ipOf,
  macBytes,
  macOf,
  nestedOf,
  textOf,
  u32Of,
  u8Of,
  viewOf,
  type Attributes,
  type Writer,
} from './bytes.ts'

const attr = {
  address: 1,
  ifname: 3,
  mtu: 4,
  link: 5,
  master: 10,
  linkinfo: 18,
  alias: 20,
  afSpec: 26,
  stats64: 23,
  group: 27,
  netnsFd: 28,
  extMask: 29,
  linkNetnsid: 37,
} as const
const part = { kind: 1, of: 2, slaveKind: 4, slave: 5 } as const
const vxlanAttr = { vni: 1, group: 2, lower: 3, local: 4, learning: 7, proxy: 11, l4Port: 15, group6: 16, local6: 17, collect: 25 } as const
/** learnedMax: since Linux 6.7. */
const bridgeAttr = { ageing: 4, stp: 5, snooping: 23, learnedMax: 49 } as const
const bridgePort = { learning: 8, unicast: 9, multicast: 27, broadcast: 30, neighSuppress: 32, isolated: 33 } as const
const veth = { peer: 1 } as const
/** linux/if_link.h: IFLA_TUN_*. */
const tunAttr = { owner: 1, group: 2, multiQueue: 7 } as const
const macvlan = { mode: 1 } as const
const macvlanModes = { private: 1, vepa: 2, bridge: 4, passthru: 8 } as const
export const headBytes = 16
const flagUp = 1
/** linux/if_link.h: IFLA_INET6_ADDR_GEN_MODE and IN6_ADDR_GEN_MODE_NONE. */
const [addrGenMode, addrGenNone] = [8, 1]
/** linux/if_link.h and ip.h: IFLA_INET_CONF, IPV4_DEVCONF_*. */
const inetConf = 1
const devconf = { forwarding: 1, sendRedirects: 6, rpFilter: 8, arpIgnore: 19 } as const
/**
 * Strict reverse paths: what no route leads back to is dropped, ARP requests too; so all of it, as no route leads to an interface without
 * an address.
 */
const apart = [[devconf.rpFilter, 1]] as const
/** 8: no ARP request is answered, for whatever address. What may come in is judged by a table of nftables. */
const routing = [
  [devconf.forwarding, 1],
  [devconf.sendRedirects, 0],
  [devconf.rpFilter, 0],
  [devconf.arpIgnore, 8],
] as const
/** Counters are most of a link's bytes, and only an Inquiry reads them, of one link (RTEXT_FILTER_SKIP_STATS). */
const skipStats = 8

/** An interface: by its index where that is known, else (0) by its name. */
export interface LinkRef {
  readonly index: number
  readonly ifname: string
}

export interface LinkChange {
  readonly up?: boolean
  readonly mtu?: number
  readonly mac?: string
  /** A number by which many are deleted at once. */
  readonly group?: number
  /** Index of a bridge; 0: of none. */
  readonly master?: number
  /** 255 bytes at most. */
  readonly alias?: string
  readonly rename?: string
  /**
   * Of the node's own: it has no IPv6 link-local address by itself, answers no ARP, and takes in no IPv4. Those behind it have no node
   * there.
   */
  readonly apart?: true
  /**
   * Of the node's own: it passes on IPv4 that comes in by it, and answers no ARP; no IPv6 address by itself. IPv6 is passed on where the
   * node passes on any.
   */
  readonly routing?: true
  /** Path of the namespace it moves to. */
  readonly netns?: string
  /** Of one that is in a bridge already: in the request that puts it there the kernel refuses it (EOPNOTSUPP). */
  readonly bridgePort?: BridgePort
  /** Of a bridge: how many MACs it learns at most; 0: as many as come. A kernel that does not know it says nothing. */
  readonly learnedMax?: number
}

/** group: multicast and broadcast; all: unknown unicast too. */
export type Flood = 'all' | 'group' | 'none'

export interface BridgePort {
  readonly learning?: boolean
  /** What is sent out of it of frames for everybody or for nobody that is known. */
  readonly flood?: Flood
  /** ARP requests and neighbour solicitations are not sent out of it: they are answered from the bridge's neighbours. */
  readonly neighSuppress?: boolean
  readonly isolated?: boolean
}

export type Shape =
  | {
      readonly kind: 'veth'
      readonly peer: {
        readonly ifname: string
        readonly netns?: string
        readonly mac?: string
        readonly mtu?: number
        readonly group?: number
      }
    }
  | { readonly kind: 'bridge'; readonly ageingSeconds?: number; readonly snooping?: boolean }
  | {
      readonly kind: 'vxlan'
      readonly vni: number
      readonly local?: string
      readonly l4Port: number
      readonly learning: boolean
      readonly lower?: number
    }
  | { readonly kind: 'macvlan'; readonly on: number; readonly mode: keyof typeof macvlanModes }

export type NewLink = Pick<LinkChange, 'up' | 'mtu' | 'mac' | 'group' | 'master' | 'netns'> & {
  readonly ifname: string
  readonly shape: Shape
}

/** An interface as the kernel tells of it. */
export interface Link {
  readonly index: number
  readonly ifname: string
  readonly kind?: string
  readonly mac?: string
  readonly mtu: number
  readonly up: boolean
  readonly group: number
  /** 0: none. */
  readonly master: number
  /** Of a veth its other end, of a macvlan or vxlan what it is on; in the namespace `peerNetnsid` where that is there. 0: none. */
  readonly peer: number
  readonly peerNetnsid?: number
  readonly alias?: string
  readonly vxlan?: { readonly vni: number; readonly local?: string; readonly l4Port: number; readonly learning: boolean }
  readonly bridgePort?: Required<BridgePort>
  /** Of a bridge, where the kernel has it. */
  readonly learnedMax?: number
  readonly tun?: TunFacts
  /** Where it was asked for. */
  readonly counters?: LinkCounters
}

/** Of a tap or a tun: who may open it, where somebody is named, and whether several queues of it are opened. */
export interface TunFacts {
  readonly owner?: number
  readonly ownerGroup?: number
  readonly multiQueue: boolean
}

/** As the interface sees it: received is what came from its other end. */
export interface LinkCounters {
  readonly receivedPackets: number
  readonly sentPackets: number
  readonly receivedBytes: number
  readonly sentBytes: number
  readonly dropped: number
}

/**
 * Where in the message about a link a number is told that fills a blank: so many bytes behind the header, or (not 0) as an attribute behind
 * those.
 */
export const offsetsAt = { index: { body: 4, attribute: 0 }, peer: { body: headBytes, attribute: attr.link } } as const

/** Turns the path of a namespace into a descriptor that is open in this process. */
export type FdOf = (netns: string) => number

export function head(to: Writer, { index, up }: { readonly index: number; readonly up?: boolean | undefined }): void {
  to.u32(0)
    .u32(index)
    .u32(up === true ? flagUp : 0)
    .u32(up === undefined ? 0 : flagUp)
}

export function writeNewLink(to: Writer, link: NewLink, fdOf: FdOf): void {
  head(to, { index: 0, up: link.up })
  to.attrText(attr.ifname, link.ifname)
  writeChange(to, link, fdOf)
  to.nest(attr.linkinfo, () => {
    to.attrText(part.kind, link.shape.kind)
    to.nest(part.of, () => writeShape(to, link.shape, fdOf))
  })
  if (link.shape.kind === 'macvlan') to.attr32(attr.link, link.shape.on)
}

export function writeLinkChange(to: Writer, of: LinkRef, change: LinkChange, fdOf: FdOf): void {
  head(to, { index: of.index, up: change.up })
  if (change.rename !== undefined && of.index > 0) to.attrText(attr.ifname, change.rename)
  else if (of.index === 0) to.attrText(attr.ifname, of.ifname)
  writeChange(to, change, fdOf)
  if (change.bridgePort !== undefined) writeBridgePort(to, change.bridgePort)
  if (change.apart === true) writeConf(to, apart)
  if (change.routing === true) writeConf(to, routing)
  if (change.learnedMax !== undefined) writeLearnedMax(to, change.learnedMax)
}

/** IPv6 that is sent to its MAC would still be taken in where it is apart; it sends nothing by itself, and nobody knows that MAC. */
function writeConf(to: Writer, conf: readonly (readonly [name: number, value: number])[]): void {
  to.nest(attr.afSpec, () => {
    to.nest(family.inet, () => to.nest(inetConf, () => conf.forEach(([name, value]) => to.attr32(name, value))))
    to.nest(family.inet6, () => to.attr8(addrGenMode, addrGenNone))
  })
}

export function writeLinkRef(to: Writer, of: LinkRef): void {
  head(to, { index: of.index })
  if (of.index === 0) to.attrText(attr.ifname, of.ifname)
}

export function writeLinkGet(to: Writer, of: LinkRef, counted = false): void {
  writeLinkRef(to, of)
  if (!counted) to.attr32(attr.extMask, skipStats)
}

export function writeGroup(to: Writer, group: number): void {
  head(to, { index: 0 })
  to.attr32(attr.group, group)
}

function writeChange(to: Writer, { mtu, mac, group, master, alias, netns }: LinkChange, fdOf: FdOf): void {
  if (mtu !== undefined) to.attr32(attr.mtu, mtu)
  if (mac !== undefined) to.attr(attr.address, macBytes(mac))
  if (group !== undefined) to.attr32(attr.group, group)
  if (master !== undefined) to.attr32(attr.master, master)
  if (alias !== undefined) to.attr(attr.alias, new TextEncoder().encode(alias))
  if (netns !== undefined) to.attr32(attr.netnsFd, fdOf(netns))
}

function writeShape(to: Writer, shape: Shape, fdOf: FdOf): void {
  if (shape.kind === 'veth') {
    to.nest(veth.peer, () => {
      head(to, { index: 0 })
      to.attrText(attr.ifname, shape.peer.ifname)
      writeChange(to, shape.peer, fdOf)
    })
  } else if (shape.kind === 'macvlan') to.attr32(macvlan.mode, macvlanModes[shape.mode])
  else if (shape.kind === 'bridge') writeBridge(to, shape)
  else writeVxlan(to, shape)
}

function writeBridge(to: Writer, { ageingSeconds, snooping }: Shape & { readonly kind: 'bridge' }): void {
  // In hundredths of a second (USER_HZ).
  if (ageingSeconds !== undefined) to.attr32(bridgeAttr.ageing, ageingSeconds * 100)
  to.attr32(bridgeAttr.stp, 0)
  if (snooping !== undefined) to.attr8(bridgeAttr.snooping, Number(snooping))
}

function writeLearnedMax(to: Writer, most: number): void {
  to.nest(attr.linkinfo, () => {
    to.attrText(part.kind, 'bridge')
    to.nest(part.of, () => to.attr32(bridgeAttr.learnedMax, most))
  })
}

function writeVxlan(to: Writer, { vni, local, l4Port, learning, lower }: Shape & { readonly kind: 'vxlan' }): void {
  const from = local === undefined ? undefined : parseIp(local)
  to.attr32(vxlanAttr.vni, vni)
  if (from !== undefined) to.attr(from.family === 4 ? vxlanAttr.local : vxlanAttr.local6, ipBytes(from))
  to.attrBe16(vxlanAttr.l4Port, l4Port).attr8(vxlanAttr.learning, Number(learning))
  if (lower !== undefined) to.attr32(vxlanAttr.lower, lower)
}

function writeBridgePort(to: Writer, { learning, flood, neighSuppress, isolated }: BridgePort): void {
  const put = (type: number, value: boolean | undefined): void => {
    if (value !== undefined) to.attr8(type, Number(value))
  }
  to.nest(attr.linkinfo, () => {
    to.attrText(part.slaveKind, 'bridge')
    to.nest(part.slave, () => {
      put(bridgePort.learning, learning)
      put(bridgePort.unicast, flood && flood === 'all')
      put(bridgePort.multicast, flood && flood !== 'none')
      put(bridgePort.broadcast, flood && flood !== 'none')
      put(bridgePort.neighSuppress, neighSuppress)
      put(bridgePort.isolated, isolated)
    })
  })
}

/** undefined for what is too short to be one, or has no name. */
export function readLink(body: Uint8Array): Link | undefined {
  if (body.length < headBytes) return undefined
  const view = viewOf(body)
  const all = attributes(body, headBytes)
  const ifname = textOf(all, attr.ifname)
  if (ifname === undefined) return undefined
  return {
    index: view.getInt32(4, true),
    ifname,
    mtu: u32Of(all, attr.mtu) ?? 0,
    up: (view.getUint32(8, true) & flagUp) !== 0,
    group: u32Of(all, attr.group) ?? 0,
    master: u32Of(all, attr.master) ?? 0,
    peer: u32Of(all, attr.link) ?? 0,
    ...defined({
      mac: macOf(all.get(attr.address)),
      peerNetnsid: u32Of(all, attr.linkNetnsid),
      alias: textOf(all, attr.alias) || undefined,
      counters: readCounters(all.get(attr.stats64)),
    }),
    ...readKind(nestedOf(all, attr.linkinfo)),
  }
}

/** struct rtnl_link_stats64 (linux/if_link.h): its first eight numbers. */
function readCounters(bytes: Uint8Array | undefined): LinkCounters | undefined {
  if (bytes === undefined || bytes.length < 64) return undefined
  const view = viewOf(bytes)
  const [receivedPackets = 0, sentPackets = 0, receivedBytes = 0, sentBytes = 0, , , receivedDropped = 0, sentDropped = 0] = Array.from(
    { length: 8 },
    (_, i) => Number(view.getBigUint64(8 * i, true)),
  )
  return { receivedPackets, sentPackets, receivedBytes, sentBytes, dropped: receivedDropped + sentDropped }
}

function readKind(linkinfo: Attributes): Pick<Link, 'kind' | 'vxlan' | 'bridgePort' | 'tun' | 'learnedMax'> {
  const kind = textOf(linkinfo, part.kind)
  const slave = textOf(linkinfo, part.slaveKind) === 'bridge' ? readBridgePort(nestedOf(linkinfo, part.slave)) : undefined
  const of = (): Attributes => nestedOf(linkinfo, part.of)
  return defined({
    kind,
    vxlan: kind === 'vxlan' ? readVxlan(of()) : undefined,
    tun: kind === 'tun' ? readTun(of()) : undefined,
    bridgePort: slave,
    learnedMax: kind === 'bridge' ? u32Of(of(), bridgeAttr.learnedMax) : undefined,
  })
}

function readVxlan(all: Attributes): Link['vxlan'] {
  const local = ipOf(all.get(vxlanAttr.local) ?? all.get(vxlanAttr.local6))
  return {
    vni: u32Of(all, vxlanAttr.vni) ?? 0,
    l4Port: be16Of(all, vxlanAttr.l4Port) ?? 0,
    learning: u8Of(all, vxlanAttr.learning) === 1,
    ...(local === undefined ? {} : { local: printIp(local) }),
  }
}

function readTun(all: Attributes): TunFacts {
  const [owner, ownerGroup] = [u32Of(all, tunAttr.owner), u32Of(all, tunAttr.group)]
  return { ...defined({ owner, ownerGroup }), multiQueue: u8Of(all, tunAttr.multiQueue) === 1 }
}

function readBridgePort(all: Attributes): Required<BridgePort> {
  const on = (type: number): boolean => u8Of(all, type) === 1
  const flood = floodOf({ unicast: on(bridgePort.unicast), multicast: on(bridgePort.multicast), broadcast: on(bridgePort.broadcast) })
  return { learning: on(bridgePort.learning), flood, neighSuppress: on(bridgePort.neighSuppress), isolated: on(bridgePort.isolated) }
}

/** Of three switches; mixtures that nobody here makes are the nearest that sends more. */
export function floodOf({
  unicast,
  multicast,
  broadcast,
}: {
  readonly unicast: boolean
  readonly multicast: boolean
  readonly broadcast: boolean
}): Flood {
  if (unicast) return 'all'
  return multicast || broadcast ? 'group' : 'none'
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
/** Without the fields that are undefined. */
export function defined<T extends object>(fields: T): Defined<T> {
  const kept: Defined<T> = {}
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name] as Exclude<T[typeof name], undefined>
  return kept
}
