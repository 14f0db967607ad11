// What of the node's addresses and routes a daemon's configuration depends on, followed in the kernel.
import { blockOf, parseCidr, printCidr } from '../../core/net/cidr.ts'
import { parseIp } from '../../core/net/ip.ts'
import { LinkRefused } from '../../core/errors.ts'
import { linkScope } from '../../core/wire/netlink/address.ts'
import { routeProtocol, routeProtocolOf, type TableRoute } from '../../core/wire/netlink/route.ts'
import type { FollowedLists } from '../netlink/followed-lists.ts'

const mainTable = 254
/** Routes of a node through gateways; more than this is a table of the Internet. */
const underlayMost = 1_000
/** Whose routes are BGP's own: next hops are not looked up by those. */
const ofBgp: readonly number[] = [routeProtocol.bgp, routeProtocol.bird, routeProtocol.zebra]

/** @throws LinkRefused: what is not known must not look like nothing */
export async function linksOf(kernel: FollowedLists): Promise<readonly string[]> {
  const up = new Set([...(await kernel.of('links'))].flatMap((link) => (link.up ? [link.index] : [])))
  const blocks = [...(await kernel.of('addresses'))].flatMap(({ index, address, scope }) => {
    const [ip, length] = address.split('/')
    const local = parseIp(ip ?? '')
    return local === undefined || scope === linkScope || !up.has(index) ? [] : [printCidr(blockOf(local, Number(length)))]
  })
  return [...new Set(blocks)].toSorted()
}

/** Through one gateway, of the block's own family, which is more than its link's neighbour; and nobody learned it by BGP. */
export function isUnderlay({ table, to, hops, protocol }: TableRoute): boolean {
  const [via, ...others] = hops.map((hop) => hop.via)
  if (table !== mainTable || via === undefined || others.length > 0 || ofBgp.includes(protocol)) return false
  return !/^fe80:/i.test(via) && parseIp(via)?.family === parseCidr(to)?.family
}

/** @throws LinkRefused */
export async function underlayOf(kernel: FollowedLists): Promise<readonly { readonly prefix: string; readonly via: string }[]> {
  const through = [...(await kernel.of('tableRoutes'))].flatMap((route) => {
    const { to, hops, metric = 0 } = route
    const via = hops[0]?.via
    return via === undefined || !isUnderlay(route) ? [] : [{ prefix: to, via, metric }]
  })
  return through
    .toSorted((a, b) => (a.prefix === b.prefix ? a.metric - b.metric : a.prefix < b.prefix ? -1 : 1))
    .filter((each, i, all) => each.prefix !== all[i - 1]?.prefix)
    .slice(0, underlayMost)
    .map(({ prefix, via }) => ({ prefix, via }))
}

/**
 * Prefixes of that protocol's routes in that table.
 *
 * @param protocol a number, or a name of the kernel's
 * @param leading those alone that lead somewhere
 * @throws LinkRefused
 */
export async function routesOf(
  kernel: FollowedLists,
  { table, protocol, leading }: { readonly table: number; readonly protocol: string; readonly leading?: true },
): Promise<readonly string[]> {
  const number = routeProtocolOf(protocol)
  if (number === undefined)
    throw new LinkRefused({ what: `routes of ${protocol}`, reason: 'it knows no protocol of that name: say its number' })
  const routes = [...(await kernel.of('tableRoutes'))].filter(
    (each) => each.table === table && each.protocol === number && (leading !== true || each.hops.length > 0),
  )
  return routes.map(({ to }) => to).toSorted()
}
