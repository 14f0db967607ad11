// The same requests as core/wire/netlink/netlink.ts as arguments of iproute2's `ip` and `bridge` (6.1 and newer), for where the addon is
// missing.
import type { NetlinkRequest } from './netlink.ts'
import type { BridgePort, LinkChange, LinkRef, Shape } from './link.ts'
import type { NewFdb, NewNeighbour } from './neighbour.ts'
import type { NewRoute } from './route.ts'
import type { Rule } from './rule.ts'

export type Command = readonly [program: 'ip' | 'bridge', ...args: string[]]

/** iproute2 reads `if7` as the interface with index 7. */
const device = ({ index, ifname }: LinkRef): string => (index > 0 ? `if${index}` : ifname)
const option = (name: string, value: string | number | undefined): string[] => (value === undefined ? [] : [name, String(value)])
const onOff = (name: string, value: boolean | undefined): string[] => (value === undefined ? [] : [name, value ? 'on' : 'off'])

/** In order; the first that is refused is the answer. None: getLink, which is a list. */
export function commandsOf(request: NetlinkRequest): readonly Command[] {
  switch (request.do) {
    case 'addLink':
      return [
        [
          'ip',
          'link',
          'add',
          ...on(request.link.shape),
          'name',
          request.link.ifname,
          ...changeArgs(request.link),
          'type',
          request.link.shape.kind,
          ...shapeArgs(request.link.shape),
        ],
      ]
    case 'setLink':
      return setLink(request.of, request.change)
    case 'getLink':
      return []
    case 'dropLink':
      return [['ip', 'link', 'delete', 'dev', device(request.of)]]
    case 'dropGroup':
      return [['ip', 'link', 'delete', 'group', String(request.group)]]
    case 'setProbes':
      return [['ip', 'ntable', 'change', 'name', request.of, 'dev', device(request.on), 'mcast_probes', String(request.probes)]]
    default:
      return [entry(request)]
  }
}

type Entry = Extract<NetlinkRequest, { readonly do: `${string}${'Address' | 'Route' | 'Rule' | 'Neighbour' | 'Fdb'}` }>

function entry(request: Entry): Command {
  const verb = verbs[request.do]
  if ('address' in request)
    return [
      'ip',
      'address',
      verb,
      request.address,
      'dev',
      device(request.on),
      ...(verb === 'replace' && request.address.includes(':') ? ['nodad'] : []),
    ]
  if ('route' in request) return route(verb, request.route)
  if ('rule' in request) return rule(verb, request.rule)
  if ('neighbour' in request) return neighbour(verb, request.neighbour)
  return fdb(request.append === true ? 'append' : verb, request.fdb)
}

const verbs = {
  putAddress: 'replace',
  dropAddress: 'delete',
  putRoute: 'replace',
  dropRoute: 'delete',
  putRule: 'add',
  dropRule: 'delete',
  putNeighbour: 'replace',
  dropNeighbour: 'delete',
  putFdb: 'replace',
  dropFdb: 'delete',
} as const satisfies Readonly<Record<Entry['do'], string>>

const on = (shape: Shape): string[] => (shape.kind === 'macvlan' ? ['link', `if${shape.on}`] : [])

function setLink(of: LinkRef, { bridgePort, ...change }: LinkChange): readonly Command[] {
  const args = changeArgs(change)
  const first: readonly Command[] = args.length === 0 ? [] : [['ip', 'link', 'set', 'dev', device(of), ...args]]
  return bridgePort === undefined
    ? first
    : [...first, ['ip', 'link', 'set', 'dev', device(of), 'type', 'bridge_slave', ...bridgePortArgs(bridgePort)]]
}

function changeArgs({ up, mtu, mac, group, master, alias, rename, netns, apart, routing }: LinkChange): string[] {
  return [
    ...(up === undefined ? [] : [up ? 'up' : 'down']),
    ...option('mtu', mtu),
    ...option('address', mac),
    ...option('group', group),
    ...(master === 0 ? ['nomaster'] : option('master', master === undefined ? undefined : `if${master}`)),
    ...option('alias', alias),
    ...option('name', rename),
    ...option('netns', netns),
    ...(apart === true || routing === true ? ['addrgenmode', 'none'] : []),
  ]
}

function shapeArgs(shape: Shape): string[] {
  if (shape.kind === 'veth')
    return [
      'peer',
      'name',
      shape.peer.ifname,
      ...option('mtu', shape.peer.mtu),
      ...option('address', shape.peer.mac),
      ...option('netns', shape.peer.netns),
    ]
  if (shape.kind === 'macvlan') return ['mode', shape.mode]
  if (shape.kind === 'bridge')
    return [
      ...option('ageing_time', shape.ageingSeconds === undefined ? undefined : shape.ageingSeconds * 100),
      'stp_state',
      '0',
      ...option('mcast_snooping', shape.snooping === undefined ? undefined : Number(shape.snooping)),
    ]
  const lower = shape.lower === undefined ? undefined : `if${shape.lower}`
  return [
    'id',
    String(shape.vni),
    ...option('local', shape.local),
    ...option('dev', lower),
    'dstport',
    String(shape.l4Port),
    shape.learning ? 'learning' : 'nolearning',
  ]
}

function bridgePortArgs({ learning, flood, neighSuppress, isolated }: BridgePort): string[] {
  return [
    ...onOff('learning', learning),
    ...onOff('flood', flood && flood === 'all'),
    ...onOff('mcast_flood', flood && flood !== 'none'),
    ...onOff('bcast_flood', flood && flood !== 'none'),
    ...onOff('neigh_suppress', neighSuppress),
    ...onOff('isolated', isolated),
  ]
}

function route(verb: string, { to, via, on: link, onlink, table, protocol, metric, mtu }: NewRoute): Command {
  return [
    'ip',
    to.includes(':') ? '-6' : '-4',
    'route',
    verb,
    ...(link === undefined ? ['throw'] : []),
    to,
    ...option('via', via),
    ...(link === undefined ? [] : ['dev', device(link)]),
    ...(onlink === true ? ['onlink'] : []),
    'proto',
    String(protocol ?? 'static'),
    ...option('table', table),
    ...option('metric', metric),
    ...option('mtu', mtu),
  ]
}

function rule(verb: string, { family, priority, iif, from, to, mark, table, protocol }: Rule): Command {
  return [
    'ip',
    family === 6 ? '-6' : '-4',
    'rule',
    verb,
    ...option('iif', iif),
    ...option('from', from),
    ...option('to', to),
    ...option('fwmark', mark && `${mark.value}/${mark.mask}`),
    ...option('priority', priority),
    ...option('protocol', protocol),
    ...(table === undefined ? ['unreachable'] : ['table', String(table)]),
  ]
}

function neighbour(verb: string, { on: link, address, mac }: NewNeighbour): Command {
  return ['ip', 'neighbour', verb, address, ...(verb === 'delete' ? [] : ['lladdr', mac, 'nud', 'permanent']), 'dev', device(link)]
}

function fdb(verb: string, { on: link, mac, dst, l4Port, sticky }: NewFdb): Command {
  const state = verb === 'delete' ? [] : [dst === undefined ? 'static' : 'permanent', ...(sticky === true ? ['sticky'] : [])]
  const to = dst === undefined ? ['master'] : ['dst', dst, ...option('port', l4Port), 'self']
  return ['bridge', 'fdb', verb, mac, 'dev', device(link), ...to, ...state]
}
