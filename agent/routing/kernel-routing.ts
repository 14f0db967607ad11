// What the kernel of a node routes for VNIs: looked at, put and dropped over netlink. Of tables and rules only what has our protocol id is
// ours; the routes of BGP beside them are its daemon's.
import { LinkRefused } from '../../core/errors.ts'
import { everywhere } from '../../core/net/cidr.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { metrics } from '../../core/routing/items.ts'
import { doorName, routerName, vniOfRouter } from '../../core/net/router-name.ts'
import { keyOf, type KernelRoute } from '../../core/routing/kernel-routes.ts'
import type { Link, LinkRef } from '../../core/wire/netlink/link.ts'
import type { Neighbour } from '../../core/wire/netlink/neighbour.ts'
import type { NetlinkAnswer, NetlinkEvent, NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import { routeProtocol, type NewRoute, type TableRoute } from '../../core/wire/netlink/route.ts'
import { familyOfBlock, type Rule } from '../../core/wire/netlink/rule.ts'
import { egressRefused } from '../../core/routing/egress-ruleset.ts'
import { routerMark, routerMask, routerOfMark, type EgressThing } from '../../core/routing/egress-things.ts'
import { serviceWriters, type ServiceThing } from '../../core/routing/service-things.ts'
import type { UntrackedThing } from '../../core/routing/untracked.ts'
import { named } from '../links/pod-namespace.ts'
import { refusalText, refusedAs, type Netlink } from '../netlink/netlink.ts'
import { makePair, pairMtu } from './router-pair.ts'
import { RoutingDrift } from './routing-drift.ts'
import type { TranslationTable } from './translation-table.ts'

const protocol = routeProtocol.megrez
/** There already, or gone already. */
const there = ['EEXIST']
const gone = ['ENODEV', 'ENOENT', 'ESRCH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']

type Of<K extends KernelRoute['kind']> = Extract<KernelRoute, { readonly kind: K }>
const isOf =
  <K extends KernelRoute['kind']>(kind: K) =>
  (thing: KernelRoute): thing is Of<K> =>
    thing.kind === kind

const isService = (thing: KernelRoute): thing is ServiceThing => thing.kind in serviceWriters

const isEgress = (thing: KernelRoute): thing is EgressThing => thing.kind === 'egress' || thing.kind === 'sender'

const isUntracked = (thing: KernelRoute): thing is UntrackedThing => thing.kind === 'untracked'

type Table<Thing extends KernelRoute> = Pick<TranslationTable<Thing>, 'list' | 'change'>
/** What is translated on the way, and what is not even tracked, as tables of nftables. */
export interface Translations {
  readonly services: Table<ServiceThing>
  readonly egress: Table<EgressThing> & Pick<TranslationTable<EgressThing>, 'counted'>
  readonly peers: Table<UntrackedThing>
}

export class KernelRouting {
  readonly #netlink: Netlink
  /** VNI by the number of its router's interface. */
  readonly #vnis = new Map<number, number>()
  readonly #drift = new RoutingDrift((event) => goneKeys(event, (index) => this.#vnis.get(index)))
  readonly #translations: Translations | undefined

  /** @param translations absent: nothing is translated */
  constructor(netlink: Netlink, translations?: Translations) {
    this.#netlink = netlink
    this.#translations = translations
  }

  /** @param wake called when somebody else has taken something of it away, as far as the kernel tells */
  follow(wake: () => void): Promise<void> {
    return this.#drift.follow(this.#netlink, wake)
  }

  async list(): Promise<readonly KernelRoute[]> {
    const [services, egress, peers, links, rules, routes, neighbours] = await Promise.all([
      this.#translations?.services.list() ?? [],
      this.#translations?.egress.list() ?? [],
      this.#translations?.peers.list() ?? [],
      this.#netlink.list('links'),
      this.#netlink.list('rules'),
      this.#netlink.list('tableRoutes'),
      this.#netlink.list('neighbours'),
    ])
    const byIndex = new Map(links.map((link) => [link.index, link]))
    const routers = new Map(links.flatMap((link) => (vniOfRouter(link.ifname) === undefined ? [] : [[link.index, link] as const])))
    for (const { index, ifname } of routers.values()) this.#vnis.set(index, vniOfRouter(ifname)!)
    const things = [
      ...[...routers.values()].flatMap((router) => pairThing(router, byIndex)),
      ...[...routers.values()].flatMap(deviceThing),
      ...rules.flatMap(ruleThing),
      ...routes.flatMap((route) => routeThing(route, routers)),
      ...neighbours.flatMap((each) => neighbourThing(each, routers)),
      ...services,
      ...egress,
      ...peers,
    ]
    this.#drift.seen(things)
    return things
  }

  /**
   * Devices are settled first, as all else hangs on them; what chooses a table comes after what is in it. What a route leads here for is
   * translated before it leads here.
   *
   * @param replaced what these are in the place of
   */
  async put(things: readonly KernelRoute[], replaced: readonly KernelRoute[] = []): Promise<void> {
    await this.#translate(replaced, things)
    for (const { vni } of things.filter(isOf('pair'))) await this.#makePair(vni)
    const refs = await this.#refs(things.flatMap((thing) => thing.vni ?? []))
    const devices = things.filter(isOf('device')).map(({ vni }) => refOf(refs, vni))
    await this.#request(devices.flatMap(settle), [])
    await this.#request(devices.flatMap(asksNobody), gone)
    await this.#request(
      [
        ...things
          .filter(isOf('neighbour'))
          .map((each): NetlinkRequest => ({ do: 'putNeighbour', neighbour: neighbourOf(each, refOf(refs, each.vni)) })),
        ...things.filter(isOf('route')).map((each): NetlinkRequest => ({ do: 'putRoute', route: routeOf(each, refs) })),
        ...things.filter(isOf('rule')).map((each): NetlinkRequest => ({ do: 'putRule', rule: ruleOf(each) })),
      ],
      there,
    )
    this.#drift.put(things)
  }

  /** A device stays: it goes with its pair. What is gone already is no fault. */
  async drop(things: readonly KernelRoute[]): Promise<void> {
    this.#drift.drop(things)
    const refs = await this.#refs(things.flatMap((thing) => thing.vni ?? []))
    const onRefs = <T extends { readonly vni?: number | undefined }>(all: readonly T[]): readonly T[] =>
      all.filter(({ vni }) => vni === undefined || refs.has(vni))
    await this.#request(
      [
        ...things.filter(isOf('rule')).map((each): NetlinkRequest => ({ do: 'dropRule', rule: ruleOf(each) })),
        ...onRefs(things.filter(isOf('route'))).map((each): NetlinkRequest => ({ do: 'dropRoute', route: routeOf(each, refs) })),
        ...onRefs(things.filter(isOf('neighbour'))).map((each): NetlinkRequest => ({
          do: 'dropNeighbour',
          neighbour: neighbourOf(each, refOf(refs, each.vni)),
        })),
        ...things.filter(isOf('pair')).map(({ vni }): NetlinkRequest => ({ do: 'dropLink', of: named(doorName(vni)) })),
      ],
      gone,
    )
    await this.#translate(things, [])
  }

  /** Since the table of translations was made. */
  connectionsRefused(): Promise<number> {
    return this.#translations?.egress.counted(egressRefused) ?? Promise.resolve(0)
  }

  async #translate(was: readonly KernelRoute[], is: readonly KernelRoute[]): Promise<void> {
    const translations = this.#translations
    if (translations === undefined && is.some((thing) => isService(thing) || isEgress(thing) || isUntracked(thing)))
      throw new LinkRefused({ what: 'service addresses, egress and peers', reason: 'the native addon is missing' })
    await translations?.services.change(was.filter(isService), is.filter(isService))
    await translations?.egress.change(was.filter(isEgress), is.filter(isEgress))
    await translations?.peers.change(was.filter(isUntracked), is.filter(isUntracked))
  }

  /** What comes out of the router has its checksums: who reads frames in user space is not told that they are still to be made. */
  async #makePair(vni: number): Promise<void> {
    await this.#request(makePair(vni, pairMtu), there)
    const up: NetlinkRequest = { do: 'setLink', of: named(doorName(vni)), change: { up: true, apart: true } }
    await this.#netlink.requestWithoutOffload([up], undefined, routerName(vni))
  }

  close(): Promise<void> {
    this.#drift.close()
    return this.#netlink.close()
  }

  /** Those that are there, by VNI. */
  async #refs(all: readonly number[]): Promise<ReadonlyMap<number, LinkRef>> {
    const vnis = [...new Set(all)]
    if (vnis.length === 0) return new Map()
    const answers = await this.#netlink.request(vnis.map((vni): NetlinkRequest => ({ do: 'getLink', of: named(routerName(vni)) })))
    for (const [i, { link }] of answers.entries()) if (link !== undefined) this.#vnis.set(link.index, vnis[i]!)
    return new Map(answers.flatMap(({ link }, i) => (link === undefined ? [] : [[vnis[i]!, link]])))
  }

  async #request(requests: readonly NetlinkRequest[], but: readonly string[]): Promise<void> {
    if (requests.length === 0) return
    const answers: readonly NetlinkAnswer[] = await this.#netlink.request(requests)
    const at = answers.findIndex(({ refusal }) => refusal !== undefined && !but.includes(refusedAs(refusal)))
    const refusal = answers[at]?.refusal
    if (refusal !== undefined) throw new LinkRefused({ what: requests[at]!.do, reason: refusalText(refusal) })
  }
}

/** @throws LinkRefused */
function refOf(refs: ReadonlyMap<number, LinkRef>, vni: number): LinkRef {
  const ref = refs.get(vni)
  if (ref === undefined) throw new LinkRefused({ what: `what concerns ${routerName(vni)}`, reason: 'there is no such interface yet' })
  return ref
}

const settle = (of: LinkRef): readonly NetlinkRequest[] => [
  { do: 'setLink', of, change: { mac: gatewayMac } },
  { do: 'setLink', of, change: { up: true, routing: true } },
]

/** All neighbours are told: a pod that tries every address would fill the node's tables of them. */
const asksNobody = (on: LinkRef): readonly NetlinkRequest[] =>
  (['arp_cache', 'ndisc_cache'] as const).map((of) => ({ do: 'setProbes', on, of, probes: 0 }))

const neighbourOf = ({ address, mac }: Of<'neighbour'>, on: LinkRef) => ({ on, address, mac })

function routeOf(thing: Of<'route'>, refs: ReadonlyMap<number, LinkRef>): NewRoute {
  const { table, to } = thing
  if (thing.vni === undefined) return { to, table, protocol, metric: metrics.last }
  const { vni, via, mtu, leaving } = thing
  return {
    to,
    table,
    protocol: leaving === true ? routeProtocol.leaving : protocol,
    metric: metrics.own,
    on: refOf(refs, vni),
    ...(via !== undefined && { via, onlink: true }),
    ...(mtu !== undefined && { mtu }),
  }
}

const ruleOf = ({ priority, vni, from, to, mark, table }: Of<'rule'>): Rule => ({
  family: familyOfBlock(to),
  priority,
  protocol,
  ...(vni !== undefined && { iif: routerName(vni) }),
  ...(from !== undefined && { from }),
  ...(!everywhere.includes(to) && { to }),
  ...(mark !== undefined && { mark: { value: routerMark(mark), mask: routerMask } }),
  ...(table !== undefined && { table }),
})

/** Of what has gone, by what it may have been for us. */
function goneKeys(event: NetlinkEvent, vniAt: (index: number) => number | undefined): readonly string[] {
  switch (event.kind) {
    case 'links': {
      const vni = vniOfRouter(event.link.ifname)
      return vni === undefined ? [] : [keyOf({ kind: 'pair', vni, up: false }), keyOf({ kind: 'device', vni, right: false })]
    }
    case 'rules':
      return ruleThing(event.rule).map(keyOf)
    case 'tableRoutes':
      return event.route.protocol === protocol ? [keyOf({ kind: 'route', table: event.route.table, to: event.route.to })] : []
    case 'neighbours': {
      const { neighbour } = event
      const vni = vniAt(neighbour.index)
      return vni === undefined || neighbour.kind !== 'neighbour'
        ? []
        : [keyOf({ kind: 'neighbour', vni, address: neighbour.address, mac: '' })]
    }
    default:
      return []
  }
}

function pairThing({ ifname, up, peer }: Link, byIndex: ReadonlyMap<number, Link>): KernelRoute[] {
  const vni = vniOfRouter(ifname)
  const door = byIndex.get(peer)
  return vni === undefined || door?.ifname !== doorName(vni) ? [] : [{ kind: 'pair', vni, up: up && door.up }]
}

function deviceThing({ ifname, up, mac }: Link): KernelRoute[] {
  const vni = vniOfRouter(ifname)
  return vni === undefined || mac !== gatewayMac ? [] : [{ kind: 'device', vni, right: up }]
}

function ruleThing({ family, priority, iif, from, to, mark, table, protocol: by }: Rule): KernelRoute[] {
  const vni = iif === undefined ? undefined : vniOfRouter(iif)
  if (by !== protocol || (iif !== undefined && vni === undefined)) return []
  const blocks = {
    to: to ?? everywhere[family === 4 ? 0 : 1],
    ...(from !== undefined && { from }),
    ...(mark && { mark: routerOfMark(mark.value) }),
  }
  return [{ kind: 'rule', priority, ...blocks, table, ...(vni !== undefined && { vni }) }]
}

function routeThing({ table, to, hops, protocol: by, mtu }: TableRoute, routers: ReadonlyMap<number, Link>): KernelRoute[] {
  if (by !== protocol && by !== routeProtocol.leaving) return []
  const [hop] = hops
  if (hop === undefined) return [{ kind: 'route', table, to }]
  const vni = vniOfRouter(routers.get(hop.index)?.ifname ?? '')
  const leaving = by === routeProtocol.leaving && { leaving: true as const }
  const more = { ...(hop.via !== undefined && { via: hop.via }), ...(mtu !== undefined && { mtu }), ...leaving }
  return vni === undefined ? [] : [{ kind: 'route', table, to, vni, ...more }]
}

function neighbourThing(each: Neighbour, routers: ReadonlyMap<number, Link>): KernelRoute[] {
  const router = routers.get(each.index)
  const vni = router === undefined ? undefined : vniOfRouter(router.ifname)
  if (each.kind !== 'neighbour' || !each.permanent || vni === undefined || each.mac === undefined) return []
  return [{ kind: 'neighbour', vni, address: each.address, mac: each.mac }]
}
