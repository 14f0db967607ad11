// Routes (linux/rtnetlink.h): those of the main table, and of all tables.
import { printIp } from '../../net/ip.ts'
import { leavingRouteProtocol, mainTable, ownRouteProtocol } from '../../net/route-table.ts'
import { attributes, family, familyOf, ipBytes, ipOf, nestedOf, prefixed, u32Of, viewOf, type Attributes, type Writer } from './bytes.ts'
import { defined, type LinkRef } from './link.ts'

const attr = { dst: 1, oif: 4, gateway: 5, priority: 6, multipath: 9, table: 15, via: 18, metrics: 8 } as const
/** RTAX_MTU, of the metrics. */
const mtuMetric = 2
const headBytes = 12
const flagOnlink = 4
const types = { unicast: 1, blackhole: 6, unreachable: 7, prohibit: 8, throw: 9 } as const
/** What goes there is dropped, and mostly told of; or is for the next rule to decide. */
const nowhere: readonly number[] = [types.blackhole, types.unreachable, types.prohibit, types.throw]
const versions: ReadonlyMap<number, 4 | 6> = new Map([
  [family.inet, 4],
  [family.inet6, 6],
])
const scopes = { universe: 0, link: 253 } as const
/** Who made it (linux/rtnetlink.h: RTPROT_*). */
export const routeProtocol = {
  kernel: 2,
  boot: 3,
  static: 4,
  zebra: 11,
  bird: 12,
  babel: 42,
  megrez: ownRouteProtocol,
  leaving: leavingRouteProtocol,
  bgp: 186,
  isis: 187,
  ospf: 188,
  rip: 189,
  eigrp: 192,
} as const

/** By a name of the kernel's, or by its number; undefined for any other name. */
export function routeProtocolOf(text: string): number | undefined {
  if (/^\d{1,3}$/.test(text)) return Number(text)
  return Object.entries(routeProtocol).find(([name]) => name === text)?.[1]
}

export interface NewRoute {
  /** A block; `0.0.0.0/0` is the default route. */
  readonly to: string
  /** Absent: the table has no way for it, whatever shorter prefixes say, and the next rule is asked. */
  readonly on?: LinkRef
  readonly via?: string
  /** `via` is on the link although no block says so. */
  readonly onlink?: boolean
  /** Absent: the main one. */
  readonly table?: number
  /** Absent: static. */
  readonly protocol?: number
  readonly metric?: number
  /** Bytes of a packet that goes this way. */
  readonly mtu?: number
}

export interface Route {
  /** A block. */
  readonly to: string
  readonly via?: string
  /** 0: it leads nowhere, or several ways. */
  readonly index: number
  readonly protocol: number
  readonly metric?: number
}

export interface RouteHop {
  readonly via?: string
  /** Of the interface. */
  readonly index: number
}

/** A route of any table; without hops it leads nowhere. */
export interface TableRoute {
  readonly table: number
  /** A block. */
  readonly to: string
  readonly hops: readonly RouteHop[]
  readonly protocol: number
  readonly metric?: number
  readonly mtu?: number
}

export function writeRoute(to: Writer, route: NewRoute): void {
  const { ip, length } = prefixed(route.to)
  const { on, mtu } = route
  const via = route.via === undefined ? undefined : prefixed(route.via).ip
  to.u8(familyOf(ip)).u8(length).u8(0).u8(0)
  writeHead(to, route, on !== undefined && via === undefined && ip.family === 4 ? scopes.link : scopes.universe)
  if (length > 0) to.attr(attr.dst, ipBytes(ip))
  if (via !== undefined) to.attr(attr.gateway, ipBytes(via))
  put32(to, attr.oif, on?.index)
  put32(to, attr.priority, route.metric)
  if (mtu !== undefined) to.nest(attr.metrics, () => to.attr32(mtuMetric, mtu))
  put32(to, attr.table, isLong(route.table) ? route.table : undefined)
}

const isLong = (table = mainTable): boolean => table > 255

function writeHead(to: Writer, { table = mainTable, protocol = routeProtocol.static, on, onlink }: NewRoute, scope: number): void {
  to.u8(isLong(table) ? 0 : table)
    .u8(protocol)
    .u8(scope)
    .u8(on === undefined ? types.throw : types.unicast)
  to.u32(onlink === true ? flagOnlink : 0)
}

function put32(to: Writer, name: number, value: number | undefined): void {
  if (value !== undefined) to.attr32(name, value)
}

const tableOf = (body: Uint8Array, all: Attributes): number => u32Of(all, attr.table) ?? body[4]!

/** undefined for what is no unicast route of the main table. */
export function readRoute(body: Uint8Array): Route | undefined {
  const version = versions.get(body[0] ?? family.any)
  if (body.length < headBytes || version === undefined) return undefined
  const all = attributes(body, headBytes)
  if (body[7] !== types.unicast || tableOf(body, all) !== mainTable) return undefined
  const via = ipOf(all.get(attr.gateway))
  return {
    to: blockOf(body, all, version),
    index: u32Of(all, attr.oif) ?? 0,
    protocol: body[5]!,
    ...defined({ via: via && printIp(via), metric: u32Of(all, attr.priority) }),
  }
}

/** undefined for what is neither a unicast route nor one that leads nowhere. */
export function readTableRoute(body: Uint8Array): TableRoute | undefined {
  const version = versions.get(body[0] ?? family.any)
  if (body.length < headBytes || version === undefined) return undefined
  const type = body[7]!
  if (type !== types.unicast && !nowhere.includes(type)) return undefined
  const all = attributes(body, headBytes)
  return {
    table: tableOf(body, all),
    to: blockOf(body, all, version),
    hops: type === types.unicast ? hopsOf(all) : [],
    protocol: body[5]!,
    ...defined({ metric: u32Of(all, attr.priority), mtu: u32Of(nestedOf(all, attr.metrics), mtuMetric) }),
  }
}

function blockOf(body: Uint8Array, all: Attributes, version: 4 | 6): string {
  const to = ipOf(all.get(attr.dst)) ?? ({ family: version, value: 0n } as const)
  return `${printIp(to)}/${body[1]}`
}

/** One hop stands by itself, several in a list (struct rtnexthop: length, flags, weight, interface). */
function hopsOf(all: Attributes): readonly RouteHop[] {
  const several = all.get(attr.multipath)
  if (several === undefined) return [hopOf(all, u32Of(all, attr.oif) ?? 0)]
  const hops: RouteHop[] = []
  const view = viewOf(several)
  for (let at = 0; at + 8 <= several.length;) {
    const length = view.getUint16(at, true)
    if (length < 8 || at + length > several.length) break
    hops.push(hopOf(attributes(several.subarray(0, at + length), at + 8), view.getUint32(at + 4, true)))
    at += (length + 3) & ~3
  }
  return hops
}

/** A next hop of the other family stands behind its family (RTA_VIA), as IPv4 over IPv6 has it (RFC 8950). */
function hopOf(all: Attributes, index: number): RouteHop {
  const via = ipOf(all.get(attr.gateway)) ?? ipOf(all.get(attr.via)?.subarray(2))
  return { index, ...defined({ via: via && printIp(via) }) }
}
