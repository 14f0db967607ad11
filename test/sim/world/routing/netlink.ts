// What an agent asks of the kernel's network, answered by the model of it: each request on its way for a while, in order, and refused as
// Linux refuses it.
import { constants } from 'node:os'
import type { Netlink } from '../../../../agent/netlink/netlink.ts'
import type { Translations } from '../../../../agent/routing/kernel-routing.ts'
import { keyOf, type KernelRoute } from '../../../../core/routing/kernel-routes.ts'
import { doorName, routerName } from '../../../../core/net/router-name.ts'
import type { Link } from '../../../../core/wire/netlink/link.ts'
import type { Listed, NetlinkAnswer, NetlinkEvent, NetlinkRequest } from '../../../../core/wire/netlink/netlink.ts'
import type { Neighbour } from '../../../../core/wire/netlink/neighbour.ts'
import type { NewRoute, TableRoute } from '../../../../core/wire/netlink/route.ts'
import type { Rule } from '../../../../core/wire/netlink/rule.ts'
import { nodeBlock } from '../../layout.ts'
import type { Process } from '../../process.ts'
import type { KernelNeighbour, KernelNet, KernelRouteEntry, RouterPair } from './kernel.ts'

const { EEXIST, ENODEV, ENOENT, ESRCH } = constants.errno
const done: NetlinkAnswer = {}
const refused = (errno: number): NetlinkAnswer => ({ refusal: { errno } })

/** @param address of the node, on its one link */
export function netlinkOf(kernel: KernelNet, process: Process, address: string): Netlink {
  const way = (what: string): Promise<void> => process.pass(process.way(), what)
  const request = async (requests: readonly NetlinkRequest[]): Promise<readonly NetlinkAnswer[]> => {
    const answers: NetlinkAnswer[] = []
    await way('netlink')
    for (const each of requests) answers.push(answered(kernel, each))
    await way('netlink answers')
    return answers
  }
  const never = (): never => {
    throw new TypeError('the model of the kernel does nothing of it')
  }
  return {
    carrier: 'model',
    request,
    requestWithoutOffload: request,
    async list<K extends keyof Listed>(what: K): Promise<readonly Listed[K][]> {
      const all = listed(kernel, address)[what as 'links'] as unknown as (() => readonly Listed[K][]) | undefined
      await way('netlink lists')
      return (all ?? never)()
    },
    listen(_, wake, only) {
      const changed = (gone?: NetlinkEvent): void => {
        if (only === undefined) wake()
        else if (gone !== undefined) wake([gone])
      }
      kernel.wakes.add(changed)
      const stop = (): void => void kernel.wakes.delete(changed)
      process.onEnd(stop)
      return Promise.resolve({ stop })
    },
    frame: never,
    tap: never,
    close: () => Promise.resolve(),
  }
}

/** Service addresses are kept, and what leaves by the node, and nobody translates. */
export const translationsOf = (kernel: KernelNet, process: Process): Translations => ({
  services: tableOf(kernel.services, (does) => process.pass(process.way(), `services ${does}`)),
  // A second list at a time would take no other way than the first.
  egress: { ...tableOf(kernel.egress, () => Promise.resolve()), counted: () => Promise.resolve(0) },
  peers: tableOf(kernel.untracked, () => Promise.resolve()),
})

const tableOf = <Thing extends KernelRoute>(things: Map<string, Thing>, pass: (does: string) => Promise<void>) => ({
  async list(): Promise<readonly Thing[]> {
    await pass('are listed')
    return [...things.values()]
  },
  async change(was: readonly Thing[], is: readonly Thing[]): Promise<void> {
    await pass('change')
    for (const each of was) things.delete(keyOf(each))
    for (const each of is) things.set(keyOf(each), each)
  },
})

/** By which the other nodes are reached. */
const uplink: Link = { index: 2, ifname: 'eth0', mac: '02:00:00:00:ff:fd', mtu: 1_500, up: true, group: 0, master: 0, peer: 0 }

type ListName = 'links' | 'addresses' | 'rules' | 'tableRoutes' | 'neighbours'
const listed = (kernel: KernelNet, address: string): Readonly<Record<ListName, () => readonly unknown[]>> => ({
  links: () => [uplink, ...[...kernel.pairs.values()].flatMap((pair) => [linkOf(pair, pair.router), linkOf(pair, pair.door)])],
  addresses: () => [{ index: uplink.index, address: `${address}/${nodeBlock.split('/')[1]}`, scope: 0 }],
  rules: () => [...kernel.rules.values()],
  tableRoutes: () => [...kernel.routes.values()].map(routeOf),
  neighbours: () => [...kernel.neighbours.values()].map(neighbourOf),
})

const linkOf = (pair: RouterPair, index: number): Link => ({
  index,
  ifname: index === pair.router ? routerName(pair.vni) : doorName(pair.vni),
  mac: index === pair.router ? pair.mac : '02:00:00:00:ff:fe',
  mtu: 9_000,
  up: pair.up.has(index),
  group: 0,
  master: 0,
  peer: index === pair.router ? pair.door : pair.router,
})

const routeOf = ({ index, via, table, to, metric, protocol, mtu }: KernelRouteEntry): TableRoute => ({
  table,
  to,
  metric,
  protocol,
  ...(mtu !== undefined && { mtu }),
  hops: index === undefined && via === undefined ? [] : [{ index: index ?? 0, ...(via !== undefined && { via }) }],
})
const neighbourOf = (each: KernelNeighbour): Neighbour => ({ kind: 'neighbour', permanent: true, ...each })

type RequestOf<D, R extends NetlinkRequest = NetlinkRequest> = R extends unknown ? (D extends R['do'] ? R : never) : never
type Answers = { readonly [D in NetlinkRequest['do']]?: (kernel: KernelNet, asked: RequestOf<D>) => NetlinkAnswer }
const answers: Answers = {
  addLink(kernel, { link: { ifname } }) {
    const vni = Number.parseInt(ifname.slice(4), 16)
    if (ifname !== doorName(vni)) throw new TypeError(`the model of the kernel makes pairs of routers, and not ${ifname}`)
    return kernel.makePair(vni) ? done : refused(EEXIST)
  },
  setLink(kernel, { of: { ifname }, change }) {
    const link = kernel.linkOf(ifname)
    if (link === undefined) return refused(ENODEV)
    if (change.up === true) link.pair.up.add(link.index)
    if (change.mac !== undefined) link.pair.mac = change.mac
    kernel.changed()
    return done
  },
  getLink(kernel, { of: { ifname } }) {
    const link = kernel.linkOf(ifname)
    return link === undefined ? refused(ENODEV) : { link: linkOf(link.pair, link.index) }
  },
  dropLink(kernel, { of: { ifname } }) {
    const link = kernel.linkOf(ifname)
    return link !== undefined && kernel.dropPair(link.pair.vni) ? done : refused(ENODEV)
  },
  setProbes: (kernel, { on }) => (isThere(kernel, on.index) ? done : refused(ENODEV)),
  putRoute(kernel, { route }) {
    if (route.on !== undefined && !isThere(kernel, route.on.index)) return refused(ENODEV)
    const { table = 254, to, metric = 0, protocol = 4, mtu, on } = route
    const isPast = on === undefined
    const entry = { table, to, metric, protocol, ...(mtu !== undefined && { mtu }), ...(on !== undefined && { index: on.index }), isPast }
    kernel.put(kernel.routes, routeKey(route), entry)
    return done
  },
  dropRoute: (kernel, { route }) =>
    kernel.drop(kernel.routes, routeKey(route), (each) => ({ gone: true, kind: 'tableRoutes', route: routeOf(each), replaces: false }))
      ? done
      : refused(ESRCH),
  putRule(kernel, { rule }) {
    if (kernel.rules.has(ruleKey(rule))) return refused(EEXIST)
    kernel.put(kernel.rules, ruleKey(rule), { ...rule, protocol: rule.protocol ?? 0 })
    return done
  },
  dropRule: (kernel, { rule }) =>
    kernel.drop(kernel.rules, ruleKey(rule), (each) => ({ gone: true, kind: 'rules', rule: each })) ? done : refused(ENOENT),
  putNeighbour(kernel, { neighbour: { on, address, mac } }) {
    if (!isThere(kernel, on.index)) return refused(ENODEV)
    kernel.put(kernel.neighbours, `${on.index} ${address}`, { index: on.index, address, mac })
    return done
  },
  dropNeighbour: (kernel, { neighbour: { on, address } }) =>
    kernel.drop(kernel.neighbours, `${on.index} ${address}`, (each) => ({ gone: true, kind: 'neighbours', neighbour: neighbourOf(each) }))
      ? done
      : refused(ENOENT),
}

function answered(kernel: KernelNet, request: NetlinkRequest): NetlinkAnswer {
  const answer = answers[request.do] as ((kernel: KernelNet, asked: NetlinkRequest) => NetlinkAnswer) | undefined
  if (answer === undefined) throw new TypeError(`the model of the kernel does not know ${request.do}`)
  return answer(kernel, request)
}

const isThere = (kernel: KernelNet, index: number): boolean => [...kernel.pairs.values()].some(({ router }) => router === index)
/** As the kernel tells routes apart: of one prefix and metric one is there (fib_table_insert with NLM_F_REPLACE). */
export const routeKey = ({ table = 254, to, metric = 0 }: Pick<NewRoute, 'table' | 'to' | 'metric'>): string => `${table} ${to} ${metric}`
const ruleKey = ({ family, priority, iif, from, to, mark, table }: Rule): string =>
  [family, priority, iif, from, to, mark?.value, table].join(' ')
