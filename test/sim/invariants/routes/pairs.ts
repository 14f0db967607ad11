// Who is to reach whom by the kernels of nodes, as nodes were told, and does not.
import { isInBlock } from '../../../../core/net/cidr.ts'
import { parseIp } from '../../../../core/net/ip.ts'
import { keyOf, resolveReference, type Resource } from '../../../../core/kinds/index.ts'
import type { World } from '../../happening.ts'
import { nodeAddress } from '../../layout.ts'
import { claimedPrefix, gatewayAddress, outsideAddress } from '../../world/routing/gateway.ts'
import type { Station, Walked } from '../../world/traffic.ts'
import type { Truth } from '../../truth.ts'
import type { Peerings } from './peerings.ts'
import type { SpeakerGroup, Speakers } from './speakers.ts'

interface Judging {
  readonly speakers: Speakers
  readonly peerings: Peerings
  /** Whether nothing has been wrong with a node for long enough. */
  readonly isCalm: (node: string) => boolean
}
/** A Port with an interface that its node has told of, and that nobody judges. */
interface End {
  readonly station: Station
  readonly node: string
  readonly vni: number
  readonly address: string
  readonly subnet: Resource<'Subnet'>
  readonly name: string
  /** Its node says that other Subnets do not reach it: they are l3, and no group announces them. */
  readonly isToldUnsaid: boolean
}

/** In words, of each pair. */
export function* missedPairs(world: World, judging: Judging): Generator<string> {
  const ends = [...endsOf(world, judging)]
  for (const [from, to] of ends.flatMap((from) => ends.map((to) => [from, to] as const))) {
    if (from === to || !hasWay(world, from, to.address) || !isExpected(from, to, ends, judging)) continue
    const walked = world.traffic.reach(from.station, to.address)
    if (!hasCome(walked, to)) yield `${nameOf(from)} does not reach ${nameOf(to)}: ${endOf(walked)}`
  }
  for (const end of ends) {
    yield* missedOutside(world, end, judging)
    yield* saidWrongly(end, judging)
  }
}

function* saidWrongly(end: End, judging: Judging): Generator<string> {
  if (end.isToldUnsaid === isUnsaid(end, judging)) return
  yield end.isToldUnsaid
    ? `${nameOf(end)} says that no group announces it, and one does`
    : `${nameOf(end)} does not say that no group announces it`
}

function* missedOutside({ traffic, routing }: World, end: End, { speakers }: Judging): Generator<string> {
  const outside = speakers.now(end.node).find((group) => isFirst(group, gatewayAddress, speakers.now(end.node)))
  if (outside === undefined || !routing.joined(nodeAddress(end.node), gatewayAddress) || !says(outside, end)) return
  // That one the gateway takes for its own.
  if (claimedPrefix === `${end.address}/32`) return
  const back = traffic.reachFromOutside(outsideAddress, end.address)
  if (!hasCome(back, end)) yield `nobody outside reaches ${nameOf(end)}: ${endOf(back)}`
  if (!asksForOutside(outside, end.vni) || !hasWay({ traffic }, end, outsideAddress)) return
  const there = traffic.reach(end.station, outsideAddress)
  if (there.ways.at(-1)?.end.to !== 'outside') yield `${nameOf(end)} does not reach the outside: ${endOf(there)}`
}

function endsOf({ traffic, site: { truth } }: World, { isCalm }: Judging): readonly End[] {
  const ports = new Map([...truth.values('Port')].map((port) => [port.metadata.uid, port]))
  return [...traffic.stations()].flatMap((station) => {
    const { name } = station.machine
    const port = ports.get(station.port.uid)
    return port === undefined || !isInForce(port, station) || !isCalm(name) ? [] : endOfPort(port, station, truth)
  })
}

function endOfPort({ metadata, spec, status }: Resource<'Port'>, station: Station, truth: Truth): readonly End[] {
  const address = status?.addresses?.find((each) => !each.includes(':'))
  const subnet = truth.at('Subnet', keyOf(resolveReference(spec.subnet, metadata.namespace ?? '')))
  const vni = status?.vni
  if (address === undefined || subnet === undefined || vni === undefined || subnet.status?.vni !== vni) return []
  const name = `${metadata.namespace}/${metadata.name}`
  return [{ station, node: station.machine.name, vni, address, subnet, name, isToldUnsaid: isToldUnsaid(status) }]
}

const isToldUnsaid = (status: Resource<'Port'>['status']): boolean =>
  status?.node?.conditions?.some(({ message }) => message?.includes('l3: no BGPSessionGroup')) === true

/** Policies are for others to look at. */
const isInForce = ({ metadata, spec, status }: Resource<'Port'>, { machine, port }: Station): boolean =>
  metadata.deletionTimestamp === undefined &&
  spec.node === machine.name &&
  status?.node?.wired === true &&
  status.policy === undefined &&
  port.policy === undefined &&
  status.addresses?.join() === port.addresses.join()

/** A guest whose addresses nobody here has given to its interface asks for everybody on the link. */
const hasWay = ({ traffic }: Pick<World, 'traffic'>, { station }: End, address: string): boolean =>
  station.inside.addresses.length > 0 && traffic.hasWay(station, address)

function isExpected(from: End, to: End, ends: readonly End[], judging: Judging): boolean {
  if (from.vni !== to.vni) return isPeered(from, to, judging)
  if (from.subnet !== to.subnet && (isUnsaid(from, judging) || isUnsaid(to, judging))) return false
  const isHere = ends.some(({ node, subnet }) => node === from.node && subnet === to.subnet)
  if (from.node === to.node || (to.subnet.spec.mode !== 'l3' && isHere)) return true
  return (from.subnet === to.subnet && to.subnet.spec.mode !== 'l3') || isAnnounced(from, to, judging)
}

/** No tunnel leads to an l3 one of another node. */
const isPeered = (from: End, to: End, judging: Judging): boolean =>
  judging.peerings.allow({ from: from.vni, into: to.vni, source: from.address, destination: to.address }, Number.POSITIVE_INFINITY) &&
  (from.node === to.node || to.subnet.spec.mode !== 'l3' || isTold(from.node, to, judging))

const isAnnounced = (from: End, to: End, judging: Judging): boolean =>
  judging.speakers.now(from.node).some((group) => says(group, from)) && isTold(from.node, to, judging)

/** Whether a node hears by BGP where somebody is. */
function isTold(node: string, to: End, { speakers }: Judging): boolean {
  const [here, there] = [speakers.now(node), speakers.now(to.node)]
  return there.some((group) => says(group, to) && here.some(({ name }) => name === group.name) && isFirst(group, nodeAddress(node), there))
}

/** Nothing leads to its addresses, and nothing back. */
const isUnsaid = (end: End, { speakers }: Judging): boolean =>
  end.subnet.spec.mode === 'l3' && !speakers.now(end.node).some((group) => says(group, end))

const says = ({ advertise }: SpeakerGroup, { vni, address }: End): boolean =>
  advertise.some((each) => each.vni === vni && isInBlock(each.cidr, parseIp(address)!))

/** Of several groups that have a session between two addresses the first by name keeps it. */
const isFirst = ({ name, sessions }: SpeakerGroup, address: string, all: readonly SpeakerGroup[]): boolean =>
  sessions.some((each) => each.address === address) &&
  !all.some((other) => other.name < name && other.sessions.some((each) => each.address === address))

const asksForOutside = ({ imports, sessions }: SpeakerGroup, vni: number): boolean =>
  imports.some((each) => each.vni === vni && each.allow.length === 0) &&
  sessions.some((session) => session.address === gatewayAddress && session.import.length > 0)

const hasCome = ({ arrived }: Walked, to: End): boolean => arrived.some(({ at, read }) => read && at.port.uid === to.station.port.uid)
const nameOf = ({ name, node, address }: End): string => `${name} (${address} on ${node})`
function endOf({ ways, arrived }: Walked): string {
  const way = ways.at(-1)
  if (way === undefined) return `no kernel was asked${arrived.length > 0 ? ', and others got it' : ''}`
  return `by ${way.hops.join(', ')} ${way.end.to === 'nowhere' ? `nowhere, as ${way.end.why}` : `to ${way.end.to}`}`
}
