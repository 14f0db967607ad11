// The pieces of a node as what its kernel routes.
import { encloses, everywhere, parseCidr } from '../net/cidr.ts'
import { canonicalIp } from '../net/ip.ts'
import { ownTableOf } from '../net/route-table.ts'
import { guardMark } from '../net/router-name.ts'
import type { Item } from '../node/item.ts'
import type { Endpoint, LocalPort, RoutedBlock, RoutedPeer, Segment, SegmentRouter, Transit } from '../node/wanted.ts'
import { egressSenders, egressRoutes } from './egress-items.ts'
import { routerOfMark } from './egress-things.ts'
import { announcing, hostBlocksOf, hostRoute, isIn } from './host-routes.ts'
import { routeItems, type KernelRoute } from './kernel-routes.ts'

/** As much of its Segment as an address is routed by. */
export type RoutedSegment = Pick<Segment, 'l3' | 'router'>

/**
 * Between the kernel's own addresses (0) and its main table (32766). What a VNI sends goes to blocks of its own, else to those of its
 * peers, else where groups that it takes routes from say, else out by the node where that is allowed, else nowhere: never on to a rule of
 * somebody else.
 */
export const priorities = {
  own: 19_770,
  nobody: 19_771,
  peer: 19_772,
  way: 19_773,
  out: 19_774,
  end: 19_775,
  back: 19_776,
  into: 19_777,
  intoNobody: 19_778,
  answer: 19_779,
  unanswered: 19_780,
} as const
/** Behind all routes that lead somewhere. */
const lastMetric = 4_000_000_000
export const metrics = { own: 20, last: lastMetric } as const

const ip = (text: string): string => canonicalIp(text) ?? text

export function segmentRoutes(segment: Segment): readonly Item<KernelRoute>[] {
  const { vni, router, routedBlocks = [] } = segment
  if (router === undefined) return []
  const { blocks, elsewhere = [], ways, peers = [] } = router
  const inside = insideOf(segment)
  const table = ownTableOf(vni)
  return routeItems({ rule: 'a VNI that the kernel of its nodes routes', of: { kind: 'SegmentLock', name: `vni-${vni}` } }, [
    { kind: 'pair', vni, up: true },
    { kind: 'device', vni, right: true },
    ...[...blocks.filter(isOutermost), ...elsewhere].map(({ cidr, table }): KernelRoute => ({
      kind: 'rule',
      priority: priorities.own,
      vni,
      to: cidr,
      table,
    })),
    ...[...new Set([...blocks.filter(isOutermost), ...elsewhere].map(({ cidr }) => cidr))].map((to): KernelRoute => ({
      kind: 'rule',
      priority: priorities.nobody,
      vni,
      to,
      table: undefined,
    })),
    // What nobody announces is reached in its own VNI alone, as others may have the same block.
    ...inside.flatMap((cidr): KernelRoute[] => [
      { kind: 'rule', priority: priorities.own, vni, to: cidr, table },
      { kind: 'route', table, to: cidr, vni },
    ]),
    ...routedBlocks
      .filter(({ cidr }) => !isAnnounced(cidr, router))
      .flatMap(({ cidr, via }): KernelRoute[] => [
        { kind: 'rule', priority: priorities.own, vni, to: cidr, table },
        { kind: 'route', table, to: cidr, vni, via: ip(via) },
      ]),
    ...peerRoutes(vni, peers),
    ...announcedPeerRoutes(vni, peers, inside),
    ...untrackedOf(vni, router),
    ...ways.map((way): KernelRoute => ({ kind: 'rule', priority: priorities.way, vni, ...way })),
    ...egressRoutes(segment, priorities),
    ...everywhere.map((to): KernelRoute => ({ kind: 'rule', priority: priorities.end, vni, to, table: undefined })),
    ...blocks.filter(isOutermost).flatMap(passedOn),
    ...blocks.flatMap(({ cidr, table, hostRoutes }): readonly KernelRoute[] =>
      hostRoutes ? [] : [{ kind: 'route', table, to: cidr, vni }],
    ),
  ])
}

/** Blocks of Subnets that are reached in their own VNI alone. */
export function insideOf({ subnets, router, l3 = [] }: Pick<Segment, 'subnets' | 'router' | 'l3'>): readonly string[] {
  const announced = new Set(router?.blocks.map(({ cidr }) => cidr))
  return [...new Set(subnets.flatMap(({ cidr }) => (l3.includes(cidr) || announced.has(cidr) ? [] : [cidr])))]
}

/** What groups lead to, they lead to, whoever hands it over: on the Port's own node too (portRoutes). */
export function isAnnounced(block: string, { blocks, elsewhere = [] }: SegmentRouter): boolean {
  const inner = parseCidr(block)
  return [...blocks, ...elsewhere].some(({ cidr }) => {
    const outer = parseCidr(cidr)
    return inner !== undefined && outer !== undefined && encloses(outer, inner)
  })
}

/** What leads to a block leads to all of it: a service address in it needs no rule of its own, which each packet would be held to. */
const isOutermost = ({ cidr, table }: RoutedBlock, _: number, all: readonly RoutedBlock[]): boolean => {
  const own = parseCidr(cidr)
  return !all.some((other) => {
    const wider = parseCidr(other.cidr)
    return other.cidr !== cidr && other.table === table && own !== undefined && wider !== undefined && encloses(wider, own)
  })
}

export const transitRoutes = (transit: Transit): readonly Item<KernelRoute>[] =>
  routeItems({ rule: 'a block that a group of this node advertises', of: { kind: 'Node', name: 'here' } }, passedOn(transit))

/**
 * Whoever hands it over. Who is in no table of a group that advertises a block is nobody, and then no default route may lead there: back to
 * where it came from. That is said behind all tables: one of them alone may have the way.
 */
const passedOn = ({ cidr, table }: Transit): readonly KernelRoute[] => [
  { kind: 'rule', priority: priorities.into, to: cidr, table },
  { kind: 'route', table, to: cidr },
  { kind: 'rule', priority: priorities.intoNobody, to: cidr, table: undefined },
]

/**
 * A block of ours that each peer has routes to needs one rule, whatever the number of theirs: every packet that a node passes on is held to
 * all rules, one after the other. One that some peer has no routes to, as it has the same addresses itself, is said block by block.
 */
function peerRoutes(vni: number, peers: readonly RoutedPeer[]): readonly KernelRoute[] {
  const table = ownTableOf(vni)
  const rule = (from: string, to: string): KernelRoute => ({ kind: 'rule', priority: priorities.peer, vni, from, to, table })
  const sources = [...new Set(peers.flatMap(({ own }) => own))]
  return [
    ...sources.flatMap((from) => {
      const isSame = isOfFamily(from)
      const having = peers.filter(({ own }) => own.includes(from))
      return having.length === peers.length
        ? everywhere.filter(isSame).map((to) => rule(from, to))
        : having.flatMap(({ blocks }) => blocks.filter(isSame).map((to) => rule(from, to)))
    }),
    ...peers.flatMap(({ vni: into, blocks, mtu }) =>
      blocks.map((to): KernelRoute => ({ kind: 'route', table, to, vni: into, ...(mtu !== undefined && { mtu }) })),
    ),
  ]
}

/**
 * By the tables of their groups, before what is said of all blocks of peers; who is in none of these is reached if it is here. No two
 * peers of a VNI have one block, and what is announced is one VNI's: so what goes there leads back to this router, whoever else has the
 * addresses that it is from.
 *
 * @param inside blocks of the VNI that nobody announces
 */
function announcedPeerRoutes(vni: number, peers: readonly RoutedPeer[], inside: readonly string[]): readonly KernelRoute[] {
  return peers.flatMap(({ own, announced = [] }) => [
    ...announced.flatMap(({ cidr: to, table }) =>
      own.filter(isOfFamily(to)).map((from): KernelRoute => ({ kind: 'rule', priority: priorities.own, vni, from, to, table })),
    ),
    ...[...new Set(announced.map(({ cidr }) => cidr))].flatMap((from) =>
      own
        .filter((to) => isOfFamily(from)(to) && inside.includes(to))
        .map((to): KernelRoute => ({
          kind: 'rule',
          priority: priorities.back,
          mark: routerOfMark(guardMark),
          from,
          to,
          table: ownTableOf(vni),
        })),
    ),
  ])
}

/** What is for a peer, and what comes from one without a tunnel. */
function untrackedOf(vni: number, { blocks, peers = [] }: SegmentRouter): readonly KernelRoute[] {
  const bare = blocks.filter(({ hostRoutes }) => hostRoutes).map(({ cidr }) => cidr)
  return peers.flatMap(({ own, blocks: theirs }) =>
    theirs.flatMap((block): readonly KernelRoute[] => [
      { kind: 'untracked', vni, to: block },
      ...own
        .filter((each) => bare.includes(each) && isOfFamily(block)(each))
        .map((to): KernelRoute => ({ kind: 'untracked', from: block, to })),
    ]),
  )
}

const isOfFamily =
  (block: string) =>
  (other: string): boolean =>
    other.includes(':') === block.includes(':')

export function portRoutes(port: LocalPort, segment: RoutedSegment | undefined): readonly Item<KernelRoute>[] {
  const { attachment, addresses, mac, mtu, of, policy, routedBlocks = [] } = port
  const router = segment?.router
  if (attachment.kind !== 'vni' || router === undefined || policy?.isClosed === true) return []
  const { vni } = attachment
  return routeItems({ rule: 'a Port on this node, in a VNI that its kernel routes', of }, [
    ...addresses.map((address): KernelRoute => ({ kind: 'neighbour', vni, address: ip(address), mac })),
    ...egressSenders(port, vni, router),
    ...addresses.flatMap((address) =>
      hostBlocksOf(router, address).map(({ table }): KernelRoute => ({ kind: 'route', table, to: hostRoute(address), vni, mtu })),
    ),
    ...routedBlocks.flatMap((to) => {
      const via = addresses.find(isOfFamily(to))
      return via === undefined
        ? []
        : announcing(router, to).map(({ table }): KernelRoute => ({ kind: 'route', table, to, vni, via: ip(via), mtu }))
    }),
  ])
}

export function endpointRoutes(endpoint: Endpoint, segment: RoutedSegment | undefined): readonly Item<KernelRoute>[] {
  if (segment?.router === undefined || isRouted(endpoint.address, segment)) return []
  const { vni, address, mac } = endpoint
  return routeItems({ rule: 'an address of this VNI on another node', of: { kind: 'IPLock', name: `${vni}/${address}` } }, [
    { kind: 'neighbour', vni, address: ip(address), mac },
  ])
}

/** Whether other nodes reach an address by routes, and not by a tunnel. */
export const isRouted = (address: string, segment: RoutedSegment | undefined): boolean =>
  (segment?.l3 ?? []).some((cidr) => isIn(address, cidr))
