// Where an address is by what BGPSpeakers say: which nodes announce it, in which groups, by which next hops; or who outside may send a
// route to it. What the kernel of a node has is its own to say.
import type { routeWays } from '../kinds/bgp/route-ways.ts'
import type { Resource } from '../kinds/index.ts'
import { contains, everywhere, parseCidr } from '../net/cidr.ts'
import { bitsOf, printIp, type Ip } from '../net/ip.ts'

type Speaker = Resource<'BGPSpeaker'>
type Group = Speaker['spec']['groups'][number]
type Session = Group['sessions'][number]
type Announced = Group['advertise'][number]

/** Of one group and VNI: the longest block that has the address. */
export interface RouteBlock extends Announced {
  readonly group: string
}
export interface NextHop {
  /** Absent: it is none of our nodes. */
  readonly node?: string
  /** What sessions with it are called, where it is none of our nodes. */
  readonly session?: string
  readonly address: string
  /** Sessions with it that are up, of those that there should be. */
  readonly established: number
  readonly configured: number
}
export interface RouteWay {
  readonly group: string
  readonly vni: number
  /** Outside: what a route to it may be inside of. */
  readonly prefix: string
  readonly way: (typeof routeWays)[number]
  readonly hops: readonly NextHop[]
}

const order = (a: { readonly group: string; readonly vni: number }, b: typeof a): number =>
  a.group === b.group ? a.vni - b.vni : a.group < b.group ? -1 : 1

export function blocksWith(to: Ip, speakers: readonly Speaker[]): readonly RouteBlock[] {
  const longest = new Map<string, RouteBlock>()
  for (const { name, advertise } of groupsOf(speakers))
    for (const each of advertise) {
      const length = lengthWith(each.cidr, to)
      const key = `${name} ${each.vni}`
      const known = longest.get(key)
      if (length !== undefined && (known === undefined || length > lengthWith(known.cidr, to)!)) longest.set(key, { ...each, group: name })
    }
  return [...longest.values()].toSorted(order)
}

/**
 * @param nodesOf on which node an address of a VNI is; several where several hold it
 * @returns in the order of groups and VNIs; none where no group knows of it
 */
export function waysTo(to: Ip, speakers: readonly Speaker[], nodesOf: (vni: number) => readonly string[]): readonly RouteWay[] {
  const blocks = blocksWith(to, speakers)
  const inside = new Set(blocks.map(({ vni }) => vni))
  return [...blocks.map((block) => wayInto(block, { to, speakers, nodesOf })), ...waysOut(to, speakers, inside)].toSorted(order)
}

interface Question {
  readonly to: Ip
  readonly speakers: readonly Speaker[]
  readonly nodesOf: (vni: number) => readonly string[]
}

function wayInto({ group, vni, cidr, hostRoutes }: RouteBlock, { to, speakers, nodesOf }: Question): RouteWay {
  const on = hostRoutes ? new Set(nodesOf(vni)) : undefined
  const saying = speakers.filter(
    ({ spec }) =>
      on?.has(spec.node) !== false &&
      spec.groups.some((each) => each.name === group && each.advertise.some((of) => of.cidr === cidr && of.vni === vni)),
  )
  const hops = saying.flatMap(({ spec }): NextHop[] => {
    const address = addressIn(
      spec.groups.find(({ name }) => name === group)!,
      to.family,
    )
    return address === undefined ? [] : [{ node: spec.node, address, ...countsOf(speakers, group, address) }]
  })
  const way = !hostRoutes ? 'block' : hops.length > 0 ? 'host' : 'nobody'
  return { group, vni, prefix: way === 'host' ? `${printIp(to)}/${bitsOf(to.family)}` : cidr, way, hops }
}

/** Of VNIs that routes of a group come into, and that have the address in no block of their own. */
function waysOut(to: Ip, speakers: readonly Speaker[], inside: ReadonlySet<number>): readonly RouteWay[] {
  const found = new Map<string, RouteWay>()
  for (const { name: group, imports } of groupsOf(speakers))
    for (const { vni, allow } of imports) {
      const [prefix] = (allow.length === 0 ? everywhere : allow.map((each) => each.prefix))
        .filter((each) => lengthWith(each, to) !== undefined)
        .toSorted((a, b) => lengthWith(b, to)! - lengthWith(a, to)!)
      if (prefix === undefined || inside.has(vni)) continue
      found.set(`${group} ${vni}`, { group, vni, prefix, way: 'outside', hops: outsideOf(speakers, group) })
    }
  return [...found.values()]
}

function outsideOf(speakers: readonly Speaker[], group: string): readonly NextHop[] {
  const sessions = groupsOf(speakers).flatMap((each) => (each.name === group ? each.sessions.filter(({ external }) => external) : []))
  const byAddress = new Map<string, Session>(sessions.map((each) => [each.address, each]))
  return [...byAddress.values()]
    .map(({ name, address }) => ({ session: name, address, ...countsOf(speakers, group, address) }))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
}

/** Of all nodes, with whoever has that address. */
function countsOf(speakers: readonly Speaker[], group: string, address: string): Pick<NextHop, 'established' | 'configured'> {
  const is = (each: { readonly address: string }): boolean => each.address === address
  const configured = groupsOf(speakers).flatMap((each) => (each.name === group ? each.sessions.filter(is) : [])).length
  const up = speakers.flatMap(({ status }) =>
    (status?.sessions ?? []).filter((each) => each.group === group && is(each) && each.state === 'established'),
  )
  return { established: up.length, configured }
}

const groupsOf = (speakers: readonly Speaker[]): readonly Group[] => speakers.flatMap(({ spec }) => spec.groups)

/** That sessions come from: of its own family, else of the other, which carries it by next hops of its own (RFC 8950). */
const addressIn = ({ addresses: { ipv4, ipv6 } }: Group, family: 4 | 6): string | undefined =>
  family === 4 ? (ipv4 ?? ipv6) : (ipv6 ?? ipv4)

function lengthWith(block: string, to: Ip): number | undefined {
  const cidr = parseCidr(block)
  return cidr !== undefined && contains(cidr, to) ? cidr.length : undefined
}
