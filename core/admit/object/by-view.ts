// What a new object of ours must find in the world: the Vpc, Subnet or Port that it speaks of, and nobody in its place. Faults
// that only a live check can settle (two Subnets at once) are the workers' to find; what is known already is refused here.
import { overlaps, parseCidr, type Cidr } from '../../net/cidr.ts'
import { isFor } from '../../kinds/vpc/cloud.ts'
import { inquiriesMax } from '../../kinds/node/inquiry.ts'
import { inVlan, segmentAsked, segmentText } from '../../kinds/vpc/segment.ts'
import { traitsOf } from '../../kinds/vpc/providers.ts'
import { resolveReference, type Kind, type OwnKind, type Resource } from '../../kinds/index.ts'
import { sameJson } from '../../same-json.ts'
import { tableOf } from '../../net/route-table.ts'
import { whyNotL3 } from '../../kinds/vpc/subnet.ts'
import { whyNotAddress } from '../pod/address.ts'
import { pointerTo, refuse, refuseForNow, type Refusal } from '../refusal.ts'
import type { NetworkView } from '../network-view.ts'
import { whyNoQosPolicy } from './qos-policy.ts'
import { refusalOfFabric } from './fabric.ts'
import { refusalByBlocks, refusalOfAllowed } from '../pod/routed-blocks.ts'

/** An object before it is stored. */
export interface ObjectDraft<K extends Kind> {
  readonly kind: K
  readonly metadata: { readonly namespace?: string; readonly name?: string }
  readonly spec: Resource<K>['spec']
}
type ViewCheck<K extends OwnKind> = (made: ObjectDraft<K>, view: NetworkView) => Refusal | undefined

const checks: { readonly [K in OwnKind]?: ViewCheck<K> } = {
  Vpc: checkVpc,
  Subnet: checkSubnet,
  Port: checkPort,
  Fabric: ({ spec }) => refusalOfFabric(spec),
  BGPSessionGroup: checkSessionGroup,
  Inquiry: checkInquiry,
}

/** What is wrong with a new object, from memory. */
export function refusalByView<K extends OwnKind>(made: ObjectDraft<K>, view: NetworkView): Refusal | undefined {
  return checks[made.kind]?.(made, view)
}

function checkSubnet(made: ObjectDraft<'Subnet'>, view: NetworkView): Refusal | undefined {
  if (made.spec.vpc === undefined) return undefined
  const vpc = view.vpc(made.metadata.namespace ?? '', made.spec.vpc)
  if (vpc === undefined)
    return refuseForNow(pointerTo('spec', 'vpc'), `Vpc ${made.spec.vpc} not found in namespace ${made.metadata.namespace ?? ''}`)
  if (vpc.metadata.deletionTimestamp !== undefined) return refuse(pointerTo('spec', 'vpc'), `Vpc ${made.spec.vpc} is being deleted`)
  return refusalByBroadcast(made, view) ?? refusalOfAllowed(made, view) ?? refusalIn(vpc, made, view)
}

function refusalIn(vpc: Resource<'Vpc'>, made: ObjectDraft<'Subnet'>, view: NetworkView): Refusal | undefined {
  if (made.spec.mode === 'l3' && (vpc.spec.vlan ?? vpc.spec.cloud) !== undefined) return refuse(pointerTo('spec', 'mode'), whyNotL3)
  // What a cloud has beside it only the cloud knows.
  if (traitsOf(vpc)?.addresses === 'theirs') return undefined
  return made.spec.existing === undefined
    ? overlapOf(made, view.subnetsOf(vpc))
    : refuse(pointerTo('spec', 'existing'), `Vpc ${vpc.metadata.name} is of no cloud: nothing is there already`)
}

function checkVpc({ metadata, spec }: ObjectDraft<'Vpc'>, view: NetworkView): Refusal | undefined {
  if (spec.cloud !== undefined) return whyNotCloud(spec.cloud, spec.provider, { namespace: metadata.namespace ?? '', view })
  const segment = segmentAsked(spec)
  for (const other of segment === undefined ? [] : view.vpcsOfSegment(segment)) {
    const mine = other.metadata.namespace === metadata.namespace
    if ((mine && other.metadata.name === metadata.name) || !sameJson(spec.vlan, other.spec.vlan)) continue
    const taken = segmentText({ segment: segment!, vlan: spec.vlan })
    return refuse(
      pointerTo('spec', spec.vlan === undefined ? 'vni' : 'vlan'),
      `${taken} belongs to ${mine ? `Vpc ${other.metadata.name}` : 'another Vpc'}`,
    )
  }
  return undefined
}

/** Also of a Subnet that is there already. */
export function refusalByBroadcast(
  { metadata: { namespace = '' }, spec: { broadcast, vpc: named = '' } }: Pick<ObjectDraft<'Subnet'>, 'metadata' | 'spec'>,
  view: Pick<NetworkView, 'vpc'>,
): Refusal | undefined {
  const vpc = broadcast === undefined ? undefined : view.vpc(namespace, named)
  if (vpc?.spec.cloud !== undefined)
    return refuse(
      pointerTo('spec', 'broadcast'),
      `Vpc ${named} is of a cloud: what its network carries to all is said there, so leave it out`,
    )
  return vpc?.spec.vlan === undefined
    ? undefined
    : refuse(
        pointerTo('spec', 'broadcast'),
        `Vpc ${named} is ${segmentText(inVlan(vpc.spec.vlan))}, whose switches carry broadcast to all of it anyway, so leave it out`,
      )
}

/** Of a Cloud that is for others no more is said than of one that is not there. */
function whyNotCloud(
  name: string,
  provider: string | undefined,
  { namespace, view }: { readonly namespace: string; readonly view: NetworkView },
): Refusal | undefined {
  const at = pointerTo('spec', 'cloud')
  const cloud = view.cloud(name)
  if (cloud === undefined || !isFor(cloud, namespace)) return refuseForNow(at, `Cloud ${name} not found for namespace ${namespace}`)
  if (cloud.metadata.deletionTimestamp !== undefined) return refuse(at, `Cloud ${name} is being deleted`)
  return cloud.spec.provider === provider
    ? undefined
    : refuse(pointerTo('spec', 'provider'), `Cloud ${name} is of provider ${cloud.spec.provider}`)
}

/** One VNI is one Vpc, so its Subnets are all that may overlap. A block counts once it is validated: only then it is there to stay. */
function overlapOf(made: ObjectDraft<'Subnet'>, others: Iterable<Resource<'Subnet'>>): Refusal | undefined {
  const validated = [...others].filter((other) => other.metadata.name !== made.metadata.name && other.status?.validated === true)
  return overlapIn('ipv4', made, validated) ?? overlapIn('ipv6', made, validated)
}

function overlapIn(family: 'ipv4' | 'ipv6', { spec }: ObjectDraft<'Subnet'>, others: readonly Resource<'Subnet'>[]): Refusal | undefined {
  const text = spec[family]?.cidr ?? ''
  const cidr = parseCidr(text)
  const rival = cidr === undefined ? undefined : others.find((other) => overlapsBlock(cidr, other.spec[family]?.cidr))
  if (rival === undefined) return undefined
  return refuse(pointerTo('spec', family, 'cidr'), `${text} overlaps ${rival.spec[family]?.cidr ?? ''} of Subnet ${rival.metadata.name}`)
}

function overlapsBlock(cidr: Cidr, text: string | undefined): boolean {
  const other = parseCidr(text ?? '')
  return other !== undefined && overlaps(cidr, other)
}

function checkPort({ metadata: { namespace = '', name }, spec }: ObjectDraft<'Port'>, view: NetworkView): Refusal | undefined {
  const at = pointerTo('spec', 'subnet')
  const where = resolveReference(spec.subnet, namespace)
  const subnet = view.subnet(where.namespace, where.name)
  if (subnet === undefined || !isShared(subnet, namespace, view)) return refuseForNow(at, `Subnet ${spec.subnet} not found`)
  if (subnet.metadata.deletionTimestamp !== undefined) return refuse(at, `Subnet ${spec.subnet} is being deleted`)
  return (
    problemInPortAddresses(spec, subnet) ??
    refusalByQos({ metadata: { namespace }, spec }, view) ??
    refusalByBlocks({ metadata: { namespace }, spec }, view) ??
    (spec.portID === undefined ? undefined : twinOf({ namespace, name, portID: spec.portID, subnet }, view))
  )
}

/** Also of a Port that is there already. */
export function refusalByQos(
  { metadata: { namespace = '' }, spec: { qosPolicy, subnet: named } }: Pick<ObjectDraft<'Port'>, 'metadata' | 'spec'>,
  view: Pick<NetworkView, 'vpc' | 'subnet'>,
): Refusal | undefined {
  if (qosPolicy === undefined) return undefined
  const where = resolveReference(named, namespace)
  const why = whyNoQosPolicy(view.vpc(where.namespace, view.subnet(where.namespace, where.name)?.spec.vpc ?? ''))
  return why === undefined ? undefined : refuse(pointerTo('spec', 'qosPolicy'), why)
}

/** A flood of questions would be one of answers: a namespace has a few at a time. */
function checkInquiry({ metadata: { namespace = '', name } }: ObjectDraft<'Inquiry'>, view: NetworkView): Refusal | undefined {
  const others = [...view.inquiriesIn(namespace)].filter((other) => other.metadata.name !== name)
  return others.length < inquiriesMax
    ? undefined
    : refuse(
        '/metadata/namespace',
        `${namespace} has ${others.length} Inquiries already, the most at a time: delete some, or wait until they expire`,
      )
}

/** Nodes tell the routes of groups apart by the number of their table alone. */
function checkSessionGroup({ metadata: { name = '' } }: ObjectDraft<'BGPSessionGroup'>, view: NetworkView): Refusal | undefined {
  for (const { metadata } of view.sessionGroups())
    if (metadata.name !== name && tableOf(metadata.name) === tableOf(name))
      return refuse(
        pointerTo('metadata', 'name'),
        `${name} comes to the route table that BGPSessionGroup ${metadata.name} has: choose another name`,
      )
  return undefined
}

/** Its Vpc's namespace may use it, and those that the Vpc is shared with. */
function isShared({ metadata: { namespace = '' }, spec }: Resource<'Subnet'>, from: string, view: NetworkView): boolean {
  return namespace === from || (view.vpc(namespace, spec.vpc ?? '')?.spec.sharedWith ?? []).includes(from)
}

function problemInPortAddresses({ ips = [] }: Resource<'Port'>['spec'], subnet: Resource<'Subnet'>): Refusal | undefined {
  for (const [place, ip] of ips.entries()) {
    const wrong = whyNotAddress(subnet, ip)
    if (wrong !== undefined) return refuse(pointerTo('spec', 'ips', place), wrong)
  }
  return undefined
}

interface Named {
  readonly namespace: string
  readonly name: string | undefined
  readonly portID: string
  readonly subnet: Resource<'Subnet'>
}

/** A portID is unique in its Vpc; those of other namespaces that share it are the workers' to compare. */
function twinOf({ namespace, name, portID, subnet }: Named, view: NetworkView): Refusal | undefined {
  for (const other of view.portsByID(namespace, portID)) {
    const where = resolveReference(other.spec.subnet, namespace)
    const theirs = view.subnet(where.namespace, where.name)
    const sameVpc = theirs?.metadata.namespace === subnet.metadata.namespace && theirs?.spec.vpc === subnet.spec.vpc
    if (sameVpc && other.metadata.name !== name)
      return refuse(pointerTo('spec', 'portID'), `portID ${portID} is that of Port ${other.metadata.name}`)
  }
  return undefined
}
