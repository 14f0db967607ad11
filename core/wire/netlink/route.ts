// Routes (linux/rtnetlink.h), those of the main table.
import { printIp } from '../../net/ip.ts'
import { attributes, family, familyOf, ipBytes, ipOf, prefixed, u32Of, type Writer } from './bytes.ts'
import { defined, type LinkRef } from './link.ts'

const attr = { dst: 1, oif: 4, gateway: 5, priority: 6, table: 15 } as const
const headBytes = 12
const mainTable = 254
const flagOnlink = 4
const unicast = 1
const versions: ReadonlyMap<number, 4 | 6> = new Map([
  [family.inet, 4],
  [family.inet6, 6],
])
const scopes = { universe: 0, link: 253 } as const
/** Who made it: 2 the kernel, 3 boot, 4 static; daemons have numbers of their own. */
export const routeProtocol = { kernel: 2, boot: 3, static: 4 } as const

export interface NewRoute {
  /** A block; `0.0.0.0/0` is the default route. */
  readonly to: string
  readonly on: LinkRef
  readonly via?: string
  /** `via` is on the link although no block says so. */
  readonly onlink?: boolean
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

export function writeRoute(to: Writer, route: NewRoute): void {
  const { ip, length } = prefixed(route.to)
  const via = route.via === undefined ? undefined : prefixed(route.via).ip
  const scope = via === undefined && ip.family === 4 ? scopes.link : scopes.universe
  to.u8(familyOf(ip)).u8(length).u8(0).u8(0)
  to.u8(mainTable).u8(routeProtocol.static).u8(scope).u8(unicast)
  to.u32(route.onlink === true ? flagOnlink : 0)
  if (length > 0) to.attr(attr.dst, ipBytes(ip))
  if (via !== undefined) to.attr(attr.gateway, ipBytes(via))
  to.attr32(attr.oif, route.on.index)
}

/** undefined for what is no unicast route of the main table. */
export function readRoute(body: Uint8Array): Route | undefined {
  const version = versions.get(body[0] ?? family.any)
  if (body.length < headBytes || version === undefined) return undefined
  const all = attributes(body, headBytes)
  if (body[7] !== unicast || (u32Of(all, attr.table) ?? body[4]) !== mainTable) return undefined
  const to = ipOf(all.get(attr.dst)) ?? ({ family: version, value: 0n } as const)
  const via = ipOf(all.get(attr.gateway))
  return {
    to: `${printIp(to)}/${body[1]}`,
    index: u32Of(all, attr.oif) ?? 0,
    protocol: body[5]!,
    ...defined({ via: via && printIp(via), metric: u32Of(all, attr.priority) }),
  }
}
