// What iproute2 prints with -json -details -N, as the values of core/wire/netlink/netlink.ts.
import { isObject, type Json } from '../../json.ts'
import { canonicalIp } from '../../net/ip.ts'
import type { Listed } from './netlink.ts'
import { linkScope, type Address } from './address.ts'
import { defined, floodOf, type Link } from './link.ts'
import type { Neighbour } from './neighbour.ts'
import type { Route, RouteHop, TableRoute } from './route.ts'
import type { Rule } from './rule.ts'

type IndexOf = (ifname: unknown) => number

const fieldsOf = (value: unknown): Json => (isObject(value) ? value : {})
const rows = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const number = (value: unknown): number => (Number.isFinite(Number(value)) ? Number(value) : 0)
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** @param json what each command printed, parsed; links first, since the others name interfaces */
export function readListed<K extends keyof Listed>(what: K, links: unknown, json: unknown): readonly Listed[K][] {
  const all = rows(links)
  const indexes = new Map(all.map((each) => [each.ifname, number(each.ifindex)]))
  const indexOf: IndexOf = (ifname) => indexes.get(ifname) ?? 0
  const readers: { readonly [N in keyof Listed]: () => readonly Listed[N][] } = {
    links: () => all.map((each) => readLink(each, indexOf)),
    addresses: () => rows(json).flatMap(readAddresses),
    routes: () => rows(json).map((each) => readRoute(each, indexOf)),
    tableRoutes: () => rows(json).flatMap((each) => readTableRoute(each, indexOf)),
    rules: () => rows(json).flatMap(readRule),
    neighbours: () => rows(json).flatMap((each) => readNeighbour(each, indexOf)),
    fdb: () => rows(json).flatMap((each) => readFdb(each, indexOf)),
  }
  return readers[what]()
}

function readLink(each: Json, indexOf: IndexOf): Link {
  const linkinfo = fieldsOf(each.linkinfo)
  const kind = text(linkinfo.info_kind)
  return {
    index: number(each.ifindex),
    ifname: text(each.ifname) ?? '',
    mtu: number(each.mtu),
    up: list(each.flags).includes('UP'),
    group: number(each.group),
    master: indexOf(each.master),
    peer: number(each.link_index) || indexOf(each.link),
    ...defined({
      kind,
      mac: text(each.address),
      peerNetnsid: each.link_netnsid === undefined ? undefined : number(each.link_netnsid),
      alias: text(each.ifalias),
      vxlan: kind === 'vxlan' ? readVxlan(fieldsOf(linkinfo.info_data)) : undefined,
      learnedMax: kind === 'bridge' ? (fieldsOf(linkinfo.info_data).fdb_max_learned as number | undefined) : undefined,
      tun: kind === 'tun' ? readTun(fieldsOf(linkinfo.info_data)) : undefined,
      bridgePort: linkinfo.info_slave_kind === 'bridge' ? readBridgePort(fieldsOf(linkinfo.info_slave_data)) : undefined,
    }),
  }
}

function readVxlan(of: Json): Link['vxlan'] {
  const local = text(of.local) ?? text(of.local6)
  return {
    vni: number(of.id),
    l4Port: number(of.port),
    learning: of.learning === true,
    ...(local === undefined ? {} : { local: canonicalIp(local) ?? local }),
  }
}

/** iproute2 tells an owner by name where it knows one: then it is told of none here. */
function readTun({ user, group, multi_queue: multiQueue }: Json): Link['tun'] {
  const numbered = (value: unknown): number | undefined => (/^\d+$/.test(String(value)) ? Number(value) : undefined)
  return { ...defined({ owner: numbered(user), ownerGroup: numbered(group) }), multiQueue: multiQueue === true }
}

function readBridgePort(of: Json): Link['bridgePort'] {
  const flood = floodOf({ unicast: of.flood === true, multicast: of.mcast_flood === true, broadcast: of.bcast_flood === true })
  return { learning: of.learning === true, flood, neighSuppress: of.neigh_suppress === true, isolated: of.isolated === true }
}

function readAddresses(each: Json): Address[] {
  const scopes: Readonly<Record<string, number>> = { global: 0, link: linkScope, host: 254 }
  return rows(each.addr_info).map(({ local, prefixlen, dynamic, scope }) => ({
    index: number(each.ifindex),
    address: `${canonicalIp(text(local) ?? '') ?? local}/${prefixlen}`,
    permanent: dynamic !== true,
    scope: scopes[text(scope) ?? 'global'] ?? number(scope),
  }))
}

function readRoute({ dst, gateway, dev, protocol, metric }: Json, indexOf: IndexOf): Route {
  const via = text(gateway)
  return {
    to: blockText(text(dst) ?? '', via),
    index: indexOf(dev),
    protocol: number(protocol),
    ...defined({ via: via && (canonicalIp(via) ?? via), metric: metric === undefined ? undefined : number(metric) }),
  }
}

const mainTable = 254
const unicast: readonly unknown[] = [undefined, 'unicast', '1']
const unreachable: readonly unknown[] = ['unreachable', '7']
const nowhere: readonly unknown[] = ['blackhole', '6', ...unreachable, 'prohibit', '8', 'throw', '9']

function readTableRoute(each: Json, indexOf: IndexOf): TableRoute[] {
  const { type, table, nexthops, dev, metrics } = each
  if (!unicast.includes(type) && !nowhere.includes(type)) return []
  const { to, protocol, metric } = readRoute(each, indexOf)
  const several = rows(nexthops)
  const one = nowhere.includes(type) || dev === undefined ? [] : [each]
  return [
    {
      table: table === undefined ? mainTable : number(table),
      to,
      hops: (several.length > 0 ? several : one).map((hop) => hopOf(hop, indexOf)),
      protocol,
      ...defined({ metric, mtu: numbered(rows(metrics)[0]?.mtu) }),
    },
  ]
}

const numbered = (value: unknown): number | undefined => (value === undefined ? undefined : number(value))

function hopOf({ gateway, via, dev }: Json, indexOf: IndexOf): RouteHop {
  const address = text(gateway) ?? text(fieldsOf(via).host)
  return { index: indexOf(dev), ...defined({ via: address && (canonicalIp(address) ?? address) }) }
}

/** Those that look up a table, or refuse. */
function readRule({ priority, iif, src, srclen, dst, dstlen, fwmark, fwmask, table, action, protocol, inSix }: Json): Rule[] {
  if (table === undefined && !unreachable.includes(action)) return []
  return [
    {
      family: inSix === true ? 6 : 4,
      priority: number(priority),
      ...defined({
        iif: text(iif),
        from: src === 'all' ? undefined : prefixText(src, srclen),
        to: prefixText(dst, dstlen),
        // A whole mask is not printed.
        mark: fwmark === undefined ? undefined : { value: number(fwmark), mask: fwmask === undefined ? 0xffff_ffff : number(fwmask) },
        table: numbered(table),
        protocol: numbered(protocol),
      }),
    },
  ]
}

function prefixText(address: unknown, length: unknown): string | undefined {
  const of = text(address)
  return of && `${canonicalIp(of) ?? of}/${numbered(length) ?? (of.includes(':') ? 128 : 32)}`
}

/** `default` does not say of which family; the caller has said it by `family`. */
function blockText(dst: string, via: string | undefined): string {
  if (dst === 'default') return via?.includes(':') === true ? '::/0' : '0.0.0.0/0'
  if (dst.includes('/')) return dst
  return `${canonicalIp(dst) ?? dst}/${dst.includes(':') ? 128 : 32}`
}

function readNeighbour({ dst, dev, lladdr, state }: Json, indexOf: IndexOf): Neighbour[] {
  const address = text(dst)
  return address === undefined
    ? []
    : [
        {
          kind: 'neighbour',
          index: indexOf(dev),
          address: canonicalIp(address) ?? address,
          permanent: list(state).includes('PERMANENT'),
          ...defined({ mac: text(lladdr) }),
        },
      ]
}

function readFdb({ mac, ifname, dst, port, master, state, flags }: Json, indexOf: IndexOf): Neighbour[] {
  const to = text(dst)
  const permanent = state === 'static' || (state === 'permanent' && to !== undefined)
  return typeof mac !== 'string'
    ? []
    : [
        {
          kind: 'fdb',
          index: indexOf(ifname),
          mac,
          permanent,
          ...defined({
            dst: to && (canonicalIp(to) ?? to),
            l4Port: port === undefined ? undefined : Number(port),
            master: master === undefined ? undefined : indexOf(master),
            sticky: list(flags).includes('sticky') ? (true as const) : undefined,
          }),
        },
      ]
}

/** linux/errno.h by the words that iproute2 prints; 5 (EIO) where it says something else. */
const errnos: readonly (readonly [RegExp, number])[] = [
  [/File exists/, 17],
  [/Cannot find device|No such device|does not exist/, 19],
  [/No such process/, 3],
  [/No such file or directory/, 2],
  [/Cannot assign requested address/, 99],
  [/address not found/i, 99],
  [/Operation not permitted/, 1],
  [/Permission denied/, 13],
  [/Operation not supported/, 95],
  [/Device or resource busy/, 16],
  [/Invalid argument/, 22],
]

/** Of standard error of a command that was refused. */
export function errnoOf(stderr: string): number {
  return errnos.find(([words]) => words.test(stderr))?.[1] ?? 5
}
