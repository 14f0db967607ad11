// A service address as what the kernel of a node translates and announces. A node translates to endpoints that are its own, whose answers
// come back by it; to those of other nodes only as from an address of its own, which leads their answers here. From nodes without endpoints
// the address is reached by the routes of those that have some.
import { everywhere } from '../net/cidr.ts'
import { hash80 } from '../net/names.ts'
import { canonicalIp } from '../net/ip.ts'
import { ownTableOf } from '../net/route-table.ts'
import type { Item } from '../node/item.ts'
import type { NodeServiceAddress, NodeServiceEndpoint, Segment, SegmentRouter } from '../node/wanted.ts'
import { hostBlocksOf, hostRoute } from './host-routes.ts'
import { insideOf, isAnnounced, priorities, type RoutedSegment } from './items.ts'
import { routeItems, type KernelRoute } from './kernel-routes.ts'
import { maglevTable } from './maglev.ts'
import type { ServiceEndpoint } from './service-things.ts'

/** As much of its Segment as a service address is rendered with. */
export type ServiceSegment = RoutedSegment & Pick<Segment, 'subnets'>

export const serviceSegment = ({ l3, router, subnets }: Segment): ServiceSegment => ({
  subnets,
  ...(l3 && { l3 }),
  ...(router && { router }),
})

const ip = (text: string): string => canonicalIp(text) ?? text
const isV6 = (address: string): boolean => address.includes(':')

/**
 * What leads to a node without an endpoint is nothing: the routes of others do.
 *
 * @param source addresses that this node sends to endpoints of others as from
 */
export function serviceRoutes(
  service: NodeServiceAddress,
  segment: ServiceSegment | undefined,
  source: readonly string[] = [],
): readonly Item<KernelRoute>[] {
  if (segment?.router === undefined) return []
  const routed: Routed = { ...segment, router: segment.router }
  const { namespace, name, addresses, isSource = false } = service
  const of = { kind: 'ServiceAddress', namespace, name } as const
  if (isSource) {
    const rule = 'what this node sends to endpoints of other nodes as from'
    return routeItems({ rule, of }, [
      ...addresses.flatMap((address) => hostThings(service, routed.router, address)),
      ...backThings(service, routed),
    ])
  }
  const things = addresses.flatMap((address) => addressThings(service, { address, segment: routed, source }))
  return routeItems({ rule: 'a service address with endpoints on this node', of }, things)
}

type Routed = ServiceSegment & { readonly router: SegmentRouter }

/**
 * Where answers of endpoints elsewhere go on to: Ports here that lead back to no node, as nobody announces their Subnet; who is reached by
 * anybody (`into`); else where the VNI has a way, or nowhere, as if the endpoint were here.
 */
function backThings({ vni, addresses }: NodeServiceAddress, segment: Routed): readonly KernelRoute[] {
  const { number: mark, ways } = segment.router
  const inside = insideOf(segment)
  const of = (all: readonly string[], family: string): readonly string[] => all.filter((each) => isV6(each) === isV6(family))
  return everywhere
    .filter((any) => of(addresses, any).length > 0)
    .flatMap((any): readonly KernelRoute[] => [
      ...(of(inside, any).length > 0 ? [{ kind: 'rule', priority: priorities.back, to: any, mark, table: ownTableOf(vni) } as const] : []),
      ...ways
        .filter(({ to }) => isV6(to) === isV6(any))
        .map((way): KernelRoute => ({ kind: 'rule', priority: priorities.answer, mark, ...way })),
      { kind: 'rule', priority: priorities.unanswered, to: any, mark, table: undefined },
    ])
}

const hostThings = ({ vni }: NodeServiceAddress, router: SegmentRouter, address: string, leaving = false): readonly KernelRoute[] =>
  hostBlocksOf(router, address).map(({ table }) => ({
    kind: 'route',
    table,
    to: hostRoute(address),
    vni,
    ...(leaving && { leaving: true }),
  }))

interface AddressHere {
  readonly address: string
  readonly segment: Routed
  readonly source: readonly string[]
}

function addressThings(service: NodeServiceAddress, { address, segment, source }: AddressHere): readonly KernelRoute[] {
  const { subnets, l3 = [], router } = segment
  const own = service.endpoints.filter((each) => addressIn(each, address) !== undefined)
  if (own.length === 0) return []
  const { from, others } = othersOf(service, { address, router, source })
  const endpoints = [...own, ...others]
  const ready = endpoints.filter(isReady)
  const indexes = indexesOf(endpoints.map(({ port }) => port))
  const { number, serviceAddresses: going } = router
  const hosts = going === 'withheld' ? [] : hostThings(service, router, address, going === 'leaving' || !own.some(isReady))
  const inside = subnets.flatMap(({ cidr }) => (isV6(cidr) === isV6(address) && !l3.includes(cidr) ? [cidr] : []))
  return [
    { kind: 'vip', vni: service.vni, address: ip(address), number, outside: hosts.length > 0, inside: [...new Set(inside)] },
    // Before a connection may be sent there.
    ...others.map(({ port }): KernelRoute => ({
      kind: 'from',
      number,
      address: ip(address),
      index: indexes.get(port)!,
      source: from!,
    })),
    ...portThings(service, { address, number, endpoints, indexes, chosen: ready.length > 0 ? ready : endpoints }),
    ...hosts,
  ]
}

const isReady = ({ state }: NodeServiceEndpoint): boolean => state === 'ready'

interface Reach {
  readonly address: string
  readonly router: SegmentRouter
  readonly source: readonly string[]
}
interface Others {
  readonly from?: string
  readonly others: readonly NodeServiceEndpoint[]
}

/** Those that are reached from outside too, where their answers find the way back to this node. */
function othersOf({ elsewhere = [] }: NodeServiceAddress, { address, router, source }: Reach): Others {
  const from = source.map(ip).find((each) => isV6(each) === isV6(address) && hostBlocksOf(router, each).length > 0)
  if (from === undefined) return { others: [] }
  const isReached = (each: NodeServiceEndpoint): boolean => {
    const own = addressIn(each, address)
    return own !== undefined && isAnnounced(hostRoute(own), router)
  }
  return { from, others: elsewhere.filter(isReached) }
}

interface AddressServed {
  readonly address: string
  readonly number: number
  readonly endpoints: readonly NodeServiceEndpoint[]
  /** By the names of their Ports. */
  readonly indexes: ReadonlyMap<string, number>
  /** Who gets new connections: those that are ready, or where none is, those that drain. */
  readonly chosen: readonly NodeServiceEndpoint[]
}

function portThings(
  { ports, byClient }: NodeServiceAddress,
  { address, number, endpoints, indexes, chosen }: AddressServed,
): readonly KernelRoute[] {
  return ports.flatMap(({ protocol, l4Port }, i): readonly KernelRoute[] => {
    // A pod may have no port of that name: 0.
    const has = ({ l4Ports }: NodeServiceEndpoint): boolean => (l4Ports[i] ?? 0) > 0
    const table = maglevTable(chosen.filter(has).map(({ port }) => port))
    const slots = Map.groupBy(table.keys(), (slot) => table[slot]!)
    const serving = endpoints.filter(has).map((each): ServiceEndpoint => ({
      index: indexes.get(each.port)!,
      address: addressIn(each, address)!,
      l4Port: each.l4Ports[i]!,
      slots: slots.get(each.port) ?? [],
    }))
    if (serving.length === 0) return []
    return [{ kind: 'service', number, address: ip(address), protocol, l4Port, spread: byClient ? 'client' : 'flow', endpoints: serving }]
  })
}

const addressIn = ({ addresses }: NodeServiceEndpoint, like: string): string | undefined =>
  addresses.map(ip).find((each) => isV6(each) === isV6(like))

/** By its name alone, so that it stays while others come and go; the next that is free where two come to one. */
function indexesOf(names: readonly string[]): ReadonlyMap<string, number> {
  const taken = new Map<number, string>()
  for (const name of [...names].sort()) {
    let index = Number.parseInt(hash80('endpoint', name).slice(0, 6), 32) % indexMost
    while (taken.has(index)) index = (index + 1) % indexMost
    taken.set(index, name)
  }
  return new Map([...taken].map(([index, name]) => [name, index + 1]))
}
const indexMost = 65_535
