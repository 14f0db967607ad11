// What a pair of addresses adds to a connection, and takes from it: networkservicemesh/sdk, pkg/networkservice/ipam (2026-11).
import { contains, type Cidr } from '../../net/cidr.ts'
import type { IpContext } from '../../wire/nsm/context.ts'
import { addressOf, type Pair } from './address-pool.ts'

export const noAddresses: IpContext = {
  srcIpAddrs: [],
  dstIpAddrs: [],
  srcIpRequired: false,
  dstIpRequired: false,
  srcRoutes: [],
  dstRoutes: [],
  excludedPrefixes: [],
  ipNeighbors: [],
  extraPrefixRequest: [],
  extraPrefixes: [],
  policies: [],
}

type Routes = IpContext['srcRoutes']
const with1 = (texts: readonly string[], text: string): readonly string[] => (texts.includes(text) ? texts : [...texts, text])
const withRoute = (routes: Routes, prefix: string): Routes =>
  routes.some((each) => each.prefix === prefix) ? routes : [...routes, { prefix, nextHop: '' }]

/** Each end has its address, and a route to the other's. */
export const withPair = (context: IpContext, { client, endpoint }: Pair): IpContext => ({
  ...context,
  srcIpAddrs: with1(context.srcIpAddrs, client),
  dstIpAddrs: with1(context.dstIpAddrs, endpoint),
  srcRoutes: withRoute(context.srcRoutes, endpoint),
  dstRoutes: withRoute(context.dstRoutes, client),
})

export const withoutPair = (context: IpContext, { client, endpoint }: Pair): IpContext =>
  without(context, { clients: [client], endpoints: [endpoint] })

/** Without the addresses that are in none of these blocks: another endpoint has given them. */
export function onlyOf(blocks: readonly Cidr[], context: IpContext): IpContext {
  const foreign = (text: string): boolean => {
    const ip = addressOf(text)
    return ip === undefined || !blocks.some((block) => contains(block, ip))
  }
  return without(context, { clients: context.srcIpAddrs.filter(foreign), endpoints: context.dstIpAddrs.filter(foreign) })
}

function without(context: IpContext, { clients, endpoints }: { clients: readonly string[]; endpoints: readonly string[] }): IpContext {
  return {
    ...context,
    srcIpAddrs: context.srcIpAddrs.filter((each) => !clients.includes(each)),
    dstIpAddrs: context.dstIpAddrs.filter((each) => !endpoints.includes(each)),
    srcRoutes: context.srcRoutes.filter(({ prefix }) => !endpoints.includes(prefix)),
    dstRoutes: context.dstRoutes.filter(({ prefix }) => !clients.includes(prefix)),
  }
}
