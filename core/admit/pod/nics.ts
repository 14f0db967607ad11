// The Nics a pod gets. One pure function for admission, workers and agent, so that a pod which slipped past admission is
// served the same as one that did not.
import { flavorAnnotation } from '../../kinds/annotations.ts'
import type { Resource } from '../../kinds/index.ts'
import { whyNotAddress } from './address.ts'
import { problemInFollowing } from './network-by-policy.ts'
import { nicRequestOf, vpcOf, type NicRequest, type NicPod } from './nic-request.ts'
import { refusalOfInterfaces, interfaceNameOf, nameNics } from './interfaces.ts'
import { hotNicsIn, problemInHot, problemInHotSubnet } from './hot-nics.ts'
import { nicAt, readNics, unlistedNic, type NicFields } from './nic-fields.ts'
import { problemInType, typeOf, typeWith } from './nic-type.ts'
import { atUrls, nicServiceOf, subnetOfService } from './network-services.ts'
import { blockRefused } from './routed-blocks.ts'
import { whyNoQosPolicy } from '../object/qos-policy.ts'
import { isRefusal, refuse, type Refusal } from '../refusal.ts'
import { quoted } from '../quoted.ts'
import { defaultSubnet, portNamed, subnetAt, subnetNamed } from './subnets.ts'
import type { NicLimits, NicSettings, ResolvedNic, NicResolution, NetworkView } from '../network-view.ts'

export type { NicPod } from './nic-request.ts'

const unlisted: readonly NicFields[] = [unlistedNic]
/** The least that IPv6 runs on (RFC 8200 section 5). */
const mtuMinV6 = 1280
const primaryWarning = 'megrez.io/cluster-nic is none: probes, Services and NetworkPolicies of the primary network do not reach this pod'

/**
 * What a pod asks for, with defaults filled in and every reference resolved; or the first thing that is wrong.
 * Whether an address or a Port is free is not asked here: that is settled by whoever takes it.
 */
export function resolveNics(pod: NicPod, world: NetworkView, settings: NicSettings): NicResolution {
  const request = nicRequestOf(pod, world, settings)
  if (request.kind !== 'asks') return request
  const found = resolveRequest(request, world, settings)
  return request.byUrl === true && isRefusal(found) ? atUrls(found) : found
}

function resolveRequest(request: NicRequest, world: NetworkView, settings: NicSettings): NicResolution {
  const lists = listsOf(request)
  if (isRefusal(lists)) return lists
  const wrong = problemInLists(lists, request, settings.nicLimits)
  if (wrong !== undefined) return wrong
  const vpc = vpcOf(request, world)
  return isRefusal(vpc) ? vpc : resolve(lists, { request, vpc, world }, settings.nicLimits)
}

/** What its NICs are called, whatever is wrong with their networks; undefined: its lists do not say. */
export function listedNames(pod: NicPod, world: NetworkView, settings: NicSettings): ReadonlySet<string> | undefined {
  const request = nicRequestOf(pod, world, settings)
  if (request.kind !== 'asks') return undefined
  const lists = listsOf(request)
  if (isRefusal(lists) || problemInHot(lists.hot, request) !== undefined) return undefined
  const places = placesOf(lists)
  return isRefusal(places) ? undefined : new Set(places.map(([, { name }]) => name))
}

/** Of what is wrong before anything is looked up. */
const problemInLists = ({ listed, hot }: Lists, request: NicRequest, limits: NicLimits): Refusal | undefined =>
  problemInType(request.annotations) ??
  problemInCount(listed, hot, limitOf(request.annotations[flavorAnnotation], limits)) ??
  problemInHot(hot, request) ??
  (request.byPolicy ? problemInFollowing(listed, request.annotations) : undefined)

/** A pod that lists none has one. */
function problemInCount(listed: readonly NicFields[], hot: readonly NicFields[], limit: Limit): Refusal | undefined {
  const own = hot.length === 0 ? listed.length : Math.max(1, listed.length)
  const count = own + hot.length
  if (count <= limit.most) return undefined
  const at = own > limit.most ? nicAt({ index: limit.most }) : nicAt({ hot: true, index: limit.most - own })
  return refuse(at, `the pod asks for ${count} NICs; ${limit.by} allows ${limit.most}`)
}

interface Limit {
  readonly most: number
  readonly by: string
  readonly warning?: string
}

function limitOf(flavor: string | undefined, limits: NicLimits): Limit {
  if (flavor === undefined) return { most: limits.default, by: 'the cluster' }
  const most = Object.hasOwn(limits.flavors, flavor) ? limits.flavors[flavor] : undefined
  if (most !== undefined) return { most, by: `flavor ${flavor}` }
  return {
    most: limits.default,
    by: 'the cluster',
    warning: `flavor ${quoted(flavor)} has no limit of NICs of its own: the cluster's ${limits.default} holds`,
  }
}

/** Its own list, and the one that may change. */
interface Lists {
  readonly listed: readonly NicFields[]
  readonly hot: readonly NicFields[]
}

function listsOf({ nics, annotations }: Pick<NicRequest, 'nics' | 'annotations'>): Lists | Refusal {
  const listed = nics === undefined ? [] : readNics(nics)
  if (isRefusal(listed)) return listed
  const hot = hotNicsIn(annotations)
  return isRefusal(hot) ? hot : { listed, hot }
}

/** Names and places of its own do not depend on which others are there. */
function placesOf({ listed, hot }: Lists): readonly (readonly [NicFields, NicPosition])[] | Refusal {
  const own = listed.length === 0 ? unlisted : listed
  const names = nameNics(own)
  if (isRefusal(names)) return names
  return [
    ...own.map((nic, index) => [nic, { index, place: index, name: names[index]!, listed: listed.length > 0 }] as const),
    ...hot.map((nic, index) => [nic, { index, place: own.length + index, name: nic.name!, listed: true, hot: true }] as const),
  ]
}

function resolve(lists: Lists, around: Around, limits: NicLimits): NicResolution {
  const { request, vpc } = around
  const places = placesOf(lists)
  if (isRefusal(places)) return places
  const clash = refusalOfInterfaces(
    places.map(([, place]) => place),
    request.clusterNic,
    request.annotations,
  )
  if (clash !== undefined) return clash
  const nics: ResolvedNic[] = []
  for (const [nic, place] of places) {
    const made = wanted(nic, place, around)
    if (isRefusal(made)) return made
    nics.push(made)
  }
  const { warning } = limitOf(request.annotations[flavorAnnotation], limits)
  const warnings = [...(warning === undefined ? [] : [warning]), ...(request.clusterNic === 'none' ? [primaryWarning] : [])]
  const byPolicy = request.byPolicy ? ({ byPolicy: true } as const) : {}
  return problemAmong(nics) ?? { kind: 'nics', vpc, nics, clusterNic: request.clusterNic, warnings, ...byPolicy }
}

interface NicPosition {
  /** In its list. */
  readonly index: number
  /** Among all of the pod. */
  readonly place: number
  readonly name: string
  readonly listed: boolean
  readonly hot?: true
}
interface Around {
  readonly request: NicRequest
  readonly vpc: Resource<'Vpc'>
  readonly world: NetworkView
}

function wanted(nic: NicFields, place: NicPosition, around: Around): ResolvedNic | Refusal {
  const { index, name, hot } = place
  const found = nic.portID === undefined ? answerOf(nic, place, around) : answerOfPort(nic, nic.portID, index, around)
  if (isRefusal(found)) return found
  const { subnet, ips, mac, securityGroups, type, portName } = found
  const { ipsField, defaultRoute, mtu, portID, qosPolicy, routedBlocks, tap } = nic
  const interfaceName = interfaceNameOf(name, place.place, around.request.clusterNic)
  const where = { namespace: subnet.metadata.namespace ?? '', name: subnet.metadata.name }
  return (
    problemInMtu(nic, subnet, place, around.vpc) ??
    problemInQos(nic, place, around.vpc) ??
    problemInTap(tap, type, place) ??
    problemInSubnet(nic, subnet, place, around) ?? {
      name,
      index,
      ...(hot && { hot }),
      subnet: where,
      ips,
      ipsField,
      mac,
      securityGroups,
      qosPolicy,
      routedBlocks,
      ...nicServiceOf(nic, around.request.namespace),
      type,
      ...(tap && { tap }),
      portID,
      portName,
      defaultRoute,
      mtu,
      interfaceName,
    }
  )
}

type Answer = Pick<ResolvedNic, 'ips' | 'mac' | 'securityGroups' | 'type' | 'portName'> & { readonly subnet: Resource<'Subnet'> }

function answerOf(nic: NicFields, place: NicPosition, { request, vpc, world }: Around): Answer | Refusal {
  const at = (): string => subnetAt(place.listed, place)
  const { namespace } = request
  const subnet = nic.service === undefined ? ownSubnet(nic, vpc, world, at) : subnetOfService(nic, place, { namespace, vpc, world })
  if (isRefusal(subnet)) return subnet
  return (
    problemInAddresses(nic, subnet, place.index) ?? {
      subnet,
      ips: nic.ips,
      mac: nic.mac,
      securityGroups: nic.securityGroups,
      type: typeOf(nic, request.annotations),
      portName: undefined,
    }
  )
}

const ownSubnet = (nic: NicFields, vpc: Resource<'Vpc'>, world: NetworkView, at: () => string): Resource<'Subnet'> | Refusal =>
  nic.subnet === undefined ? defaultSubnet(vpc, world, at) : subnetNamed(nic.subnet, vpc, world, at)

function answerOfPort(nic: NicFields, portID: string, index: number, { request: asks, vpc, world }: Around): Answer | Refusal {
  const found = portNamed(nic, portID, index, { vpc, namespace: asks.namespace, world })
  if (isRefusal(found)) return found
  const type = typeWith(found.item, nic, index, asks.annotations)
  if (typeof type !== 'string') return type
  const { ips = [], mac, securityGroups = [] } = found.item.spec
  return { subnet: found.subnet, ips, mac, securityGroups, type, portName: found.item.metadata.name }
}

/** Where the address number `place` of a Nic was written. */
export const addressAt = ({ ipsField, hot }: Pick<ResolvedNic, 'ipsField' | 'hot'>, index: number, place: number): string => {
  const nic = { index, ...(hot && { hot }) }
  return ipsField === 'ip' ? nicAt(nic, 'ip') : nicAt(nic, 'ips', place)
}

function problemInAddresses(nic: NicFields, subnet: Resource<'Subnet'>, index: number): Refusal | undefined {
  for (const [place, ip] of nic.ips.entries()) {
    const wrong = whyNotAddress(subnet, ip)
    if (wrong !== undefined) return refuse(addressAt(nic, index, place), wrong)
  }
  return undefined
}

function problemInMtu(nic: NicFields, subnet: Resource<'Subnet'>, place: NicPosition, vpc: Resource<'Vpc'>): Refusal | undefined {
  const wrong = whyNotMtu(nic.mtu, subnet, vpc)
  if (wrong === undefined) return undefined
  return refuse(nic.mtu === undefined ? subnetAt(place.listed, place) : nicAt(place, 'mtu'), wrong)
}

function problemInTap(tap: NicFields['tap'], type: ResolvedNic['type'], place: NicPosition): Refusal | undefined {
  return tap === undefined || type === 'tap' ? undefined : refuse(nicAt(place, 'tap'), `is for a TAP, and the NIC is of type ${type}`)
}

/** Who it is for, and what it allows. */
function problemInSubnet(
  { routedBlocks }: NicFields,
  subnet: Resource<'Subnet'>,
  place: NicPosition,
  { request: { namespace } }: Around,
): Refusal | undefined {
  return problemInHotSubnet(subnet, place) ?? blockRefused(routedBlocks, { namespace, subnet }, (at) => nicAt(place, 'routedBlocks', at))
}

function problemInQos({ qosPolicy }: NicFields, place: NicPosition, vpc: Resource<'Vpc'>): Refusal | undefined {
  const wrong = qosPolicy === undefined ? undefined : whyNoQosPolicy(vpc)
  return wrong === undefined ? undefined : refuse(nicAt(place, 'qosPolicy'), wrong)
}

function whyNotMtu(requested: number | undefined, subnet: Resource<'Subnet'>, vpc: Resource<'Vpc'>): string | undefined {
  const most = vpc.spec.mtu
  if (requested !== undefined && most !== undefined && requested > most)
    return `an MTU of ${requested} does not fit: Vpc ${vpc.metadata.name} carries ${most}`
  const mtu = requested ?? most
  if (mtu === undefined || mtu >= mtuMinV6 || subnet.spec.ipv6 === undefined) return undefined
  return `an MTU of ${mtu} does not fit: Subnet ${subnet.metadata.name} has IPv6, which needs ${mtuMinV6}`
}

/** What two Nics of one pod may not share. One Vpc is one VNI: an address is unique in all of it, whatever its Subnet. */
function problemAmong(nics: readonly ResolvedNic[]): Refusal | undefined {
  if (nics.length < 2) return undefined
  const seen = new Set<string>()
  for (const nic of nics) {
    for (const [what, field, place] of exclusive(nic)) {
      if (seen.has(what)) return refuse(fieldAt(nic, field, place), `two NICs of the pod have ${what}`)
      seen.add(what)
    }
  }
  return undefined
}

type Exclusive = readonly [what: string, field: 'defaultRoute' | 'portID' | 'ip' | 'mac' | 'type', place?: number]

function exclusive(nic: ResolvedNic): readonly Exclusive[] {
  const found: Exclusive[] = nic.portID === undefined ? [] : [[`the Port ${nic.portID}`, 'portID']]
  for (const [place, ip] of nic.ips.entries()) found.push([`the address ${ip}`, 'ip', place])
  if (nic.defaultRoute) found.push(['the default route', 'defaultRoute'])
  if (nic.mac !== undefined) found.push([`the MAC ${nic.mac}`, 'mac'])
  if (nic.type === 'dpdk') found.push(['type dpdk, and one is the most', 'type'])
  return found
}

/** Addresses and MAC of a pre-made Port are said by its portID. */
function fieldAt(nic: ResolvedNic, field: Exclusive[1], place = 0): string {
  if (field === 'defaultRoute') return nicAt(nic, field)
  if (nic.portID !== undefined) return nicAt(nic, 'portID')
  return field === 'ip' ? addressAt(nic, nic.index, place) : nicAt(nic, field)
}
