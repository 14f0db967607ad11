// What the Linux data plane is made of, as things with a key and a text: both are read back from the kernel, and both can be read.
import { ownerText } from '../kinds/policy/peer-decision.ts'
import { rangeText } from '../net/ranges.ts'
import type { JudgedDecision, RuledTraffic } from './treatments.ts'
import type { PortVlans } from './vlan-programs.ts'

export type LinuxItem =
  /** The tables that guard against false sources. */
  | { readonly kind: 'table' }
  /** The table of the senders whose tunnel packets are accepted. */
  | { readonly kind: 'tunnels' }
  /** A node that may tunnel into a VNI. */
  | { readonly kind: 'known'; readonly vni: number; readonly host: string }
  /** The table that routes between Subnets. */
  | { readonly kind: 'routes' }
  /** One bridge a VNI. */
  | { readonly kind: 'bridge'; readonly vni: number; readonly up: boolean }
  /** The bridge of a physical network, by its name. */
  | { readonly kind: 'physical'; readonly bridge: string; readonly up: boolean }
  /** An interface in such a bridge, with the VLANs that it may use; `name` says all of them (vlansName). */
  | ({ readonly kind: 'vlans'; readonly bridge: string; readonly ifname: string; readonly name: string } & PortVlans)
  /** An interface of ours in a bridge that is somebody else's. */
  | { readonly kind: 'plugged'; readonly ifname: string; readonly bridge: string }
  /** Its tunnel device, without learning: all it knows is told it. */
  | { readonly kind: 'tunnel'; readonly vni: number; readonly local: string; readonly l4Port: number }
  /** An interface in a bridge. */
  | ({ readonly kind: 'member'; readonly vni: number; readonly ifname: string } & TextForm)
  /** Behind which interface of the bridge a MAC is. */
  | { readonly kind: 'fdb'; readonly vni: number; readonly mac: string; readonly ifname: string }
  /** How many MACs the bridge learns at most. */
  | { readonly kind: 'learnt'; readonly vni: number; readonly most: number }
  /** On which node a MAC is. */
  | { readonly kind: 'vtep'; readonly vni: number; readonly mac: string; readonly host: string }
  /** A node that gets a copy of what everybody gets. */
  | { readonly kind: 'flood'; readonly vni: number; readonly host: string }
  /** Whose an address is: the bridge answers ARP and neighbour solicitations by it. */
  | { readonly kind: 'neighbour'; readonly vni: number; readonly address: string; readonly mac: string }
  /** Where broadcast is replicated, the port of the bridge that the gateway is behind: a pair of devices, and nothing at its other end. */
  | { readonly kind: 'door'; readonly vni: number; readonly up: boolean }
  /**
   * What the bridge of a VNI sends out of this port of it for the gateway goes back into the bridge, to whom its neighbours say; or on to
   * the kernel, which routes it, save pings of the gateway. Or that goes nowhere, and what the kernel has routed goes on to other nodes.
   */
  | { readonly kind: 'router'; readonly vni: number; readonly ifname: string; readonly right: boolean; readonly to: RouterEnd }
  /** There, a ping of the gateway is answered. */
  | { readonly kind: 'gateway'; readonly ifname: string; readonly address: string }
  /** An interface whose frames must have a source below. */
  | { readonly kind: 'guarded'; readonly ifname: string }
  | { readonly kind: 'source'; readonly ifname: string; readonly mac: string; readonly block: string }
  /** What it says in neighbour discovery of a MAC as its own. */
  | { readonly kind: 'option'; readonly ifname: string; readonly mac: string }
  /** The table that judges by policies. */
  | { readonly kind: 'policies' }
  /** An interface that is judged, with whom it may talk, and by which rules: in order. What nothing is said of does not pass. */
  | { readonly kind: 'judged'; readonly ifname: string; readonly vni: number; readonly decisions: readonly JudgedDecision[] }
  /** Whose an address is, to who is judged. */
  | { readonly kind: 'identity'; readonly vni: number; readonly address: string; readonly identity: number }
  /** A block of the VNI: who is in it and not known may be anybody. */
  | { readonly kind: 'inside'; readonly vni: number; readonly block: string }
  /** An interface in a VNI that is not guarded: its frames have no tags either. */
  | { readonly kind: 'untagged'; readonly ifname: string }
  /** A TAP whose guest is answered by its agent: what it asks of DHCP and routers goes no further. */
  | { readonly kind: 'guest'; readonly ifname: string }
  /** The table that limits and marks. */
  | { readonly kind: 'traffic' }
  /** How much the pod of an interface may send, or get. */
  | { readonly kind: 'limited'; readonly ifname: string; readonly way: TrafficWay; readonly bytesPerSecond: number }
  /** What an interface sends to groups comes to the limit of its VNI. */
  | { readonly kind: 'broadcast'; readonly ifname: string; readonly vni: number; readonly framesPerSecond: number }
  /** The DSCP of what it sends. */
  | { readonly kind: 'marked'; readonly ifname: string; readonly dscp: number }
  /** How much passes, and how it is marked, of what rules of policies allow: told by what its mark says once it was judged. */
  | ({ readonly kind: 'ruled'; readonly ifname: string; readonly mark: number } & Pick<RuledTraffic, 'rate' | 'dscp'>)

/** Where a bridge's frames for the gateway go. */
export const routerEnds = ['bridge', 'kernel', 'nodes'] as const
export type RouterEnd = (typeof routerEnds)[number]

/** As the pod has it. */
export type TrafficWay = 'sent' | 'got'

/**
 * How an interface is in its bridge. `answered`: requests for addresses do not go out of it, but are answered from the bridge's neighbours.
 */
export interface TextForm {
  readonly learning: boolean
  /** group: multicast and broadcast; all: unknown unicast too. */
  readonly flood: 'all' | 'group' | 'none'
  readonly answered: boolean
}

/** Tables of nftables, as nft has it: family and name. */
export const tableNames = {
  guard: 'bridge megrez',
  known: 'inet megrez',
  policies: 'bridge megrez-policies',
  traffic: 'bridge megrez-traffic',
  routes: 'netdev megrez',
} as const

/** Device names: letters for bridge, tunnel or door, and the VNI in hex. */
export const bridgeName = (vni: number): string => `mgbr${vni.toString(16).padStart(6, '0')}`
export const tunnelName = (vni: number): string => `mgvx${vni.toString(16).padStart(6, '0')}`
/** Of a device with one of these names; of any other nonsense. */
export const vniOfName = (ifname: string): number => Number.parseInt(ifname.slice(4), 16)

export const keyOf = (thing: LinuxItem): string => texts(thing)[0]
export const textOf = (thing: LinuxItem): string => texts(thing)[1]

type KeyAndText = readonly [key: string, text: string]
const writers: { readonly [K in LinuxItem['kind']]: (thing: Extract<LinuxItem, { readonly kind: K }>) => KeyAndText } = {
  table: () => ['table', 'there'],
  tunnels: () => ['tunnels', 'there'],
  known: ({ vni, host }) => [`known/${vni}/${host}`, 'may tunnel'],
  routes: () => ['routes', 'there'],
  bridge: ({ vni, up }) => [`bridge/${vni}`, up ? 'up' : 'down'],
  physical: ({ bridge, up }) => [`physical/${bridge}`, up ? 'up' : 'down'],
  vlans: ({ bridge, ifname, name }) => [`vlans/${ifname}`, `of ${bridge} ${name}`],
  plugged: ({ ifname, bridge }) => [`plugged/${ifname}`, `into ${bridge}`],
  tunnel: ({ vni, local, l4Port }) => [`tunnel/${vni}`, `from ${local} to ${l4Port}`],
  member: ({ vni, ifname, learning, flood, answered }) => [
    `member/${ifname}`,
    `of ${vni} flood ${flood}${learning ? ' learning' : ''}${answered ? ' answered' : ''}`,
  ],
  fdb: ({ vni, mac, ifname }) => [`fdb/${vni}/${mac}`, ifname],
  learnt: ({ vni, most }) => [`learnt/${vni}`, `${most} at most`],
  vtep: ({ vni, mac, host }) => [`vtep/${vni}/${mac}`, host],
  flood: ({ vni, host }) => [`flood/${vni}/${host}`, 'copied'],
  neighbour: ({ vni, address, mac }) => [`neighbour/${vni}/${address}`, mac],
  door: ({ vni, up }) => [`door/${vni}`, up ? 'up' : 'down'],
  router: ({ ifname, right, to }) => [`router/${ifname}`, right ? `of its ${to}` : 'of nothing'],
  gateway: ({ ifname, address }) => [`gateway/${ifname}/${address}`, 'answers'],
  guarded: ({ ifname }) => [`guarded/${ifname}`, 'checked'],
  source: ({ ifname, mac, block }) => [`source/${ifname}/${mac}/${block}`, 'passes'],
  option: ({ ifname, mac }) => [`option/${ifname}/${mac}`, 'passes'],
  untagged: ({ ifname }) => [`untagged/${ifname}`, 'checked'],
  guest: ({ ifname }) => [`guest/${ifname}`, 'answered'],
  policies: () => ['policies', 'there'],
  judged: ({ ifname, vni, decisions }) => [`judged/${ifname}`, `of ${vni}: ${decisions.map(decisionText).join('; ')}`],
  identity: ({ vni, address, identity }) => [`identity/${vni}/${address}`, String(identity)],
  inside: ({ vni, block }) => [`inside/${vni}/${block}`, 'of it'],
  traffic: () => ['traffic', 'there'],
  limited: ({ ifname, way, bytesPerSecond }) => [`limited/${ifname}/${way}`, `${bytesPerSecond} bytes a second`],
  broadcast: ({ ifname, vni, framesPerSecond }) => [`broadcast/${ifname}`, `${framesPerSecond} frames a second of ${vni}`],
  marked: ({ ifname, dscp }) => [`marked/${ifname}`, `DSCP ${dscp}`],
  ruled: ({ ifname, mark, rate, dscp }) => [
    `ruled/${ifname}/${mark}`,
    [
      ...(rate === undefined ? [] : [`${rate.bytesPerSecond} bytes a second of ${rate.name}`]),
      ...(dscp === undefined ? [] : [`DSCP ${dscp}`]),
    ].join(', '),
  ],
}
const decisionText = ({ direction, identity, range, isAllowed, by, log, treatment, isRuled }: JudgedDecision): string =>
  [
    ...[direction, identity, rangeText(range), isAllowed ? 'passes' : 'ends', ...by.map(ownerText)],
    ...(log === undefined ? [] : ['log', ownerText(log)]),
    ...(treatment === 0 ? [] : ['treatment', treatment]),
    ...(isRuled ? ['ruled'] : []),
  ].join(' ')
const texts = (thing: LinuxItem): KeyAndText => (writers[thing.kind] as (of: LinuxItem) => KeyAndText)(thing)

/**
 * The thing of a key and a text that `keyOf` and `textOf` gave.
 *
 * @throws RangeError for any other: a fault of the program
 */
export function linuxItemOf(key: string, text: string): LinuxItem {
  const [is = '', first = '', second = '', ...rest] = key.split('/')
  const vni = Number(first)
  const readers: Readonly<Record<string, () => LinuxItem>> = {
    table: () => ({ kind: 'table' }),
    tunnels: () => ({ kind: 'tunnels' }),
    known: () => ({ kind: 'known', vni, host: second }),
    routes: () => ({ kind: 'routes' }),
    bridge: () => ({ kind: 'bridge', vni, up: text === 'up' }),
    physical: () => ({ kind: 'physical', bridge: first, up: text === 'up' }),
    vlans: () => portVlansOf(first, text),
    plugged: () => ({ kind: 'plugged', ifname: first, bridge: text.slice('into '.length) }),
    tunnel: () => tunnelOf(vni, text),
    member: () => memberOf(first, text),
    fdb: () => ({ kind: 'fdb', vni, mac: second, ifname: text }),
    learnt: () => ({ kind: 'learnt', vni, most: Number.parseInt(text, 10) }),
    vtep: () => ({ kind: 'vtep', vni, mac: second, host: text }),
    flood: () => ({ kind: 'flood', vni, host: second }),
    neighbour: () => ({ kind: 'neighbour', vni, address: second, mac: text }),
    door: () => ({ kind: 'door', vni, up: text === 'up' }),
    router: () => ({
      kind: 'router',
      vni: vniOfName(first),
      ifname: first,
      right: text !== 'of nothing',
      to: routerEnds.find((to) => text === `of its ${to}`) ?? 'bridge',
    }),
    gateway: () => ({ kind: 'gateway', ifname: first, address: second }),
    guarded: () => ({ kind: 'guarded', ifname: first }),
    option: () => ({ kind: 'option', ifname: first, mac: second }),
    untagged: () => ({ kind: 'untagged', ifname: first }),
    guest: () => ({ kind: 'guest', ifname: first }),
    policies: () => ({ kind: 'policies' }),
    // Enough of it to drop it: all that an interface may goes with it.
    judged: () => ({ kind: 'judged', ifname: first, vni: 0, decisions: [] }),
    identity: () => ({ kind: 'identity', vni, address: second, identity: Number(text) }),
    inside: () => ({ kind: 'inside', vni, block: [second, ...rest].join('/') }),
    traffic: () => ({ kind: 'traffic' }),
    limited: () => ({ kind: 'limited', ifname: first, way: second === 'sent' ? second : 'got', bytesPerSecond: Number.parseInt(text, 10) }),
    broadcast: () => ({
      kind: 'broadcast',
      ifname: first,
      vni: Number(text.split(' ').at(-1)),
      framesPerSecond: Number.parseInt(text, 10),
    }),
    marked: () => ({ kind: 'marked', ifname: first, dscp: Number(text.slice('DSCP '.length)) }),
    // Enough of it to drop it.
    ruled: () => ({ kind: 'ruled', ifname: first, mark: Number(second) }),
    source: () => ({ kind: 'source', ifname: first, mac: second, block: rest.join('/') }),
  }
  const read = readers[is]
  if (read === undefined) throw new RangeError(`${key} is no thing of the Linux data plane`)
  return read()
}

function memberOf(ifname: string, text: string): LinuxItem {
  const [, vni, , flood, ...marks] = text.split(' ')
  return {
    kind: 'member',
    vni: Number(vni),
    ifname,
    learning: marks.includes('learning'),
    flood: flood === 'all' || flood === 'group' ? flood : 'none',
    answered: marks.includes('answered'),
  }
}

/** Enough of it to drop it: which VLANs those were is no matter then. */
function portVlansOf(ifname: string, text: string): LinuxItem {
  const [, bridge = '', ...words] = text.split(' ')
  return { kind: 'vlans', bridge, ifname, name: words.join(' '), mode: 'tagged', vlans: [] }
}

function tunnelOf(vni: number, text: string): LinuxItem {
  const [, local = '', , l4Port = ''] = text.split(' ')
  return { kind: 'tunnel', vni, local, l4Port: Number(l4Port) }
}
