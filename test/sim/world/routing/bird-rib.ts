// What BIRD's model makes of all it knows: the best route to each prefix of a table, what a neighbour is told, and what the kernel gets.
import type { BirdChannel, BirdConfig, BirdSession } from './bird-config.ts'
import { isBetter, localRoute, preferences, type RibRoute, type ToldRoute } from './bird-route.ts'
import type { KernelNet } from './kernel.ts'

/** RTPROT_BIRD (linux/rtnetlink.h), and the metric of its routes (krt_metric). */
export const own = { protocol: 12, metric: 32 } as const

export interface RibSources {
  readonly config: BirdConfig
  readonly kernel: KernelNet
  /** What the neighbour of a session has told. */
  readonly told: (session: string) => Iterable<ToldRoute>
}
export interface KernelWish {
  readonly table: number
  readonly to: string
  readonly via: string
}

/** By prefix. */
export function toldTo(session: BirdSession, known: RibSources): ReadonlyMap<string, ToldRoute> {
  const told = new Map<string, ToldRoute>()
  for (const channel of session.channels)
    for (const best of bestOf(channel.table, known)) {
      const route = mayBeTold(best, session) ? copyOf(best) : undefined
      if (route !== undefined && channel.exportFilter(route) === 'accept') told.set(route.net, asTold(route, session, known.config))
    }
  return told
}

/** Nothing goes back to who has told it, nor from one node to another, save by a reflector. */
function mayBeTold({ by }: RibRoute, { name, localAs, as, isClient }: BirdSession): boolean {
  if (by === undefined) return true
  return by.session !== name && (as !== localAs || !by.isInternal || by.isClient || isClient)
}

function asTold(route: RibRoute, session: BirdSession, { routerID }: BirdConfig): ToldRoute {
  const { net, asPath, communities, largeCommunities, localPref, originator = routerID } = route
  const nextHop = nextHopFor(session, route)
  const same = { net, nextHop, communities, largeCommunities }
  return session.as === session.localAs
    ? { ...same, asPath, localPref, originator }
    : { ...same, asPath: [session.localAs, ...asPath], localPref: undefined, originator: undefined }
}

/**
 * `next hop self ebgp`: of what another node has told us the next hop stays; to the outside only where all are on one link
 * (bgp_use_next_hop in BIRD's proto/bgp/attrs.c).
 */
function nextHopFor({ as, localAs, local, isDirect }: BirdSession, { by }: RibRoute): string {
  const stays = by?.isInternal === true && (as === localAs || (isDirect && by.isDirect))
  return stays ? by.nextHop : local
}

/** What others have told, as far as the filters of the kernel let it through. */
export const kernelWishes = (known: RibSources): readonly KernelWish[] =>
  known.config.kernels.flatMap(({ kernelTable, channel }) =>
    bestOf(channel.table, known).flatMap((best) =>
      best.by !== undefined && channel.exportFilter(copyOf(best)) === 'accept'
        ? [{ table: kernelTable, to: best.net, via: best.by.nextHop }]
        : [],
    ),
  )

function bestOf(table: string, known: RibSources): readonly RibRoute[] {
  const best = new Map<string, RibRoute>()
  for (const route of [...learned(table, known), ...statics(table, known.config), ...letIn(table, known)]) {
    const there = best.get(route.net)
    if (there === undefined || isBetter(route, there)) best.set(route.net, route)
  }
  return [...best.values()]
}

const learned = (table: string, { config, kernel }: RibSources): readonly RibRoute[] =>
  config.kernels
    .filter(({ channel }) => channel.table === table)
    .flatMap(({ kernelTable, channel }) =>
      [...kernel.routes.values()]
        // Of the types of routes BIRD reads none that sends a packet on to the next rule (RTN_THROW: sysdep/linux/netlink.c).
        .filter((route) => route.table === kernelTable && route.isPast !== true && isOfFamily(route.to, channel))
        .filter(({ protocol }) => protocol !== own.protocol)
        .map(({ to, protocol }) => localRoute(to, 'kernel', protocol))
        .filter((route) => channel.importFilter(route) === 'accept'),
    )

const statics = (table: string, { statics: all }: BirdConfig): readonly RibRoute[] =>
  all.filter((each) => each.table === table).flatMap(({ prefixes }) => prefixes.map((net) => localRoute(net, 'static')))

const letIn = (table: string, { config, told }: RibSources): readonly RibRoute[] =>
  config.sessions.flatMap((session) =>
    session.channels
      .filter((channel) => channel.table === table)
      .flatMap((channel) =>
        [...told(session.name)]
          .filter((route) => isOfFamily(route.net, channel) && !isOurOwn(route, session, config))
          .map((route) => asHeard(route, session))
          .filter((route) => channel.importFilter(route) === 'accept'),
      ),
  )

/** It has been here already (RFC 4271 section 9.1.2, RFC 4456 section 8). */
const isOurOwn = ({ asPath, originator }: ToldRoute, { localAs }: BirdSession, { routerID }: BirdConfig): boolean =>
  asPath.includes(localAs) || originator === routerID

const asHeard = (route: ToldRoute, { name, as, localAs, isClient, isDirect }: BirdSession): RibRoute => ({
  ...route,
  source: 'bgp',
  communities: new Set(route.communities),
  largeCommunities: new Set(route.largeCommunities),
  localPref: route.localPref ?? 100,
  preference: preferences.bgp,
  by: { session: name, isInternal: as === localAs, isClient, isDirect, nextHop: route.nextHop },
})

const isOfFamily = (net: string, { family }: BirdChannel): boolean => net.includes(':') === (family === 'ipv6')

const copyOf = (route: RibRoute): RibRoute => ({
  ...route,
  communities: new Set(route.communities),
  largeCommunities: new Set(route.largeCommunities),
})
