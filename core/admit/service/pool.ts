// From which Subnet a Service of our class gets its addresses, and which of them it names itself: admission and workers ask here.
import { addressAnnotation, poolAnnotation, serviceClass } from '../../kinds/annotations.ts'
import type { ServiceSpec } from '../../kinds/foreign-services.ts'
import { keyOf, resolveReference, type Resource } from '../../kinds/index.ts'
import { segmentOf } from '../../kinds/vpc/segment.ts'
import { traitsOf } from '../../kinds/vpc/providers.ts'
import { parsePlainIp, printIp } from '../../net/ip.ts'
import type { NetworkView } from '../network-view.ts'
import { isUsableBy } from '../pod/network-by-policy.ts'
import { whyNotAddress } from '../pod/address.ts'
import { annotationAt, isRefusal, pointerTo, refuse, refuseForNow, type Refusal } from '../refusal.ts'

/** A Service, before or after it is stored. */
export interface ServiceSeen {
  readonly metadata: { readonly namespace?: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly spec: ServiceSpec
}
export interface Pool {
  readonly kind: 'pool'
  readonly subnet: Resource<'Subnet'>
  readonly vpc: Resource<'Vpc'>
  readonly vni: number
  /** Canonical text, at most one of a family. */
  readonly fixed: readonly string[]
}

/** Whether a Service is ours to give an address. Services of other classes, and of none, are somebody else's. */
export const isOurService = ({ spec }: ServiceSeen): boolean => spec.type === 'LoadBalancer' && spec.loadBalancerClass === serviceClass

const at = annotationAt(poolAnnotation)

/** `namespace/name` of the Subnet that it names; undefined: it names none. */
export function servicePoolKey({ metadata: { namespace = '', annotations } }: ServiceSeen): string | undefined {
  const named = annotations?.[poolAnnotation]
  return named === undefined || named === '' ? undefined : keyOf(resolveReference(named, namespace))
}

/** @param held `namespace/name` of the Subnet that it has its address from: it keeps that also where it is shared no more */
export function poolOf(service: ServiceSeen, view: Pick<NetworkView, 'subnet' | 'vpc'>, held?: string): Pool | Refusal {
  const refused = refusalBySpec(service)
  if (refused !== undefined) return refused
  const key = servicePoolKey(service)
  if (key === undefined) return refuse(at, 'names no pool: name or namespace/name of a Subnet whose addresses Services may have')
  const network = networkOf(key, service, view, held)
  if (isRefusal(network)) return network
  const fixed = fixedIn(service, network.subnet)
  return isRefusal(fixed) ? fixed : { kind: 'pool', ...network, fixed }
}

/** What nobody would do, and silence would hide. */
function refusalBySpec({ spec }: ServiceSeen): Refusal | undefined {
  if (spec['loadBalancerSourceRanges'] === undefined) return undefined
  return refuse(
    pointerTo('spec', 'loadBalancerSourceRanges'),
    'is enforced by nobody for this class: leave it out, and use a NetworkPolicy',
  )
}

/** Of a Subnet that is for others no more is said than of one that is not there. */
function networkOf(
  key: string,
  { metadata: { namespace: from = '' } }: ServiceSeen,
  view: Pick<NetworkView, 'subnet' | 'vpc'>,
  held: string | undefined,
): Omit<Pool, 'kind' | 'fixed'> | Refusal {
  const { namespace, name } = resolveReference(key, '')
  const subnet = view.subnet(namespace, name)
  const vpc = subnet?.spec.vpc === undefined ? undefined : view.vpc(namespace, subnet.spec.vpc)
  if (subnet === undefined || !(held === key || (vpc === undefined ? namespace === from : isUsableBy(from, vpc))))
    return refuseForNow(at, `Subnet ${key} not found for namespace ${from}`)
  return vpc === undefined ? refuseForNow(at, `Subnet ${key} is in no Vpc that is there: ${right}`) : inVni(key, subnet, vpc)
}

const right = 'name one of a Vpc that has a VNI'

function inVni(key: string, subnet: Resource<'Subnet'>, vpc: Resource<'Vpc'>): Omit<Pool, 'kind' | 'fixed'> | Refusal {
  if (vpc.spec.vlan !== undefined || traitsOf(vpc)?.fabric !== 'ours')
    return refuse(at, `Subnet ${key} is of ${vpc.spec.vlan === undefined ? 'a cloud' : 'a VLAN'}: ${right}`)
  if (subnet.metadata.deletionTimestamp !== undefined) return refuseForNow(at, `Subnet ${key} is being deleted`)
  const vni = segmentOf(subnet)
  return vni === undefined || subnet.status?.validated !== true
    ? refuseForNow(at, `Subnet ${key} is not validated yet`)
    : { subnet, vpc, vni }
}

function fixedIn({ metadata: { annotations }, spec }: ServiceSeen, subnet: Resource<'Subnet'>): readonly string[] | Refusal {
  const listed = annotations?.[addressAnnotation]
  const where = listed === undefined ? pointerTo('spec', 'loadBalancerIP') : annotationAt(addressAnnotation)
  const wishes = (listed ?? spec.loadBalancerIP ?? '').split(',').map((each) => each.trim())
  const found: string[] = []
  for (const text of wishes.filter((each) => each !== '')) {
    const ip = parsePlainIp(text)
    if (ip === undefined) return refuse(where, `${text} is not an address`)
    const wrong = whyNotAddress(subnet, printIp(ip))
    if (wrong !== undefined) return refuse(where, wrong)
    if (found.some((other) => other.includes(':') === (ip.family === 6)))
      return refuse(where, `names two IPv${ip.family} addresses: name one`)
    found.push(printIp(ip))
  }
  return found
}
