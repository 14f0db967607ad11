// A pod whose network is its policy's to say: in which Vpc its one NIC is, and what such a pod cannot ask for.
import { clusterNicAnnotation, networkAnnotation, nicsAnnotation, vpcAnnotation } from '../../kinds/annotations.ts'
import type { Resource } from '../../kinds/index.ts'
import { segmentByName } from '../../kinds/vpc/segment.ts'
import { sameJson } from '../../same-json.ts'
import { typeAt, typeOf } from './nic-type.ts'
import { annotationAt, refuse, refuseForNow, type Refusal } from '../refusal.ts'
import { quoted } from '../quoted.ts'
import type { NetworkView } from '../network-view.ts'
import type { PolicyPod } from '../../kinds/policy/policy-pod.ts'
import type { NicFields } from './nic-fields.ts'

type Annotations = Readonly<Record<string, string>>

export const isNetworkByPolicy = ({ metadata }: PolicyPod): boolean => metadata.annotations?.[networkAnnotation] === 'policy'

/** What a pod's annotation says, else its namespace's: that one not of pods that say themselves where they are. */
export const networkSaid = (annotations: Annotations, byDefault: string | undefined): string | undefined =>
  annotations[networkAnnotation] ??
  (annotations[vpcAnnotation] === undefined && annotations[nicsAnnotation] === undefined ? byDefault : undefined)

/**
 * `vni:NUMBER` is the Vpc of that number that the namespace may use, and `vlan:NETWORK/NUMBER` the one that is that VLAN: what nobody
 * shares with it names none.
 *
 * @returns a reference, or the text itself where it names none; undefined where its policy names no network
 */
export function vpcByPolicy(pod: PolicyPod, world: NetworkView): string | undefined {
  const network = world.networkByPolicy(pod)
  const named = network === undefined ? undefined : segmentByName(network)
  if (named === undefined) return network
  const { namespace = '' } = pod.metadata
  // Of two VLANs the numbers may be one.
  const isNamed = (vpc: Resource<'Vpc'>): boolean => isUsableBy(namespace, vpc) && sameJson(vpc.spec.vlan, named.vlan)
  const vpc = [...world.vpcsOfSegment(named.segment)].find(isNamed)
  return vpc === undefined ? network : `${vpc.metadata.namespace ?? ''}/${vpc.metadata.name}`
}

/** Whether pods of a namespace may be in a Vpc: its own, or one that is shared with it. */
export const isUsableBy = (namespace: string, { metadata, spec }: Resource<'Vpc'>): boolean =>
  metadata.namespace === namespace || (spec.sharedWith ?? []).includes(namespace)

/** What decides about a pod's Vpc, and who is eth0. */
export interface VpcRequest {
  readonly vpc: string | undefined
  readonly clusterNic: string
  readonly network: string | undefined
}

export function problemByPolicy({ vpc, clusterNic, network }: VpcRequest): Refusal | undefined {
  const at = annotationAt(networkAnnotation)
  if (network !== 'policy') return refuse(at, `must be policy, not ${quoted(network)}`)
  if (clusterNic === 'none')
    return refuse(annotationAt(clusterNicAnnotation), 'must be delegate: a NIC that follows a policy is never eth0')
  if (vpc === undefined) return refuseForNow(at, 'no UnifiedNetworkPolicy that is in force on the pod names a network')
  return segmentByName(vpc) === undefined ? undefined : refuseForNow(at, `no Vpc that this namespace may use is ${vpc}`)
}

const fieldsOfPolicy = ['subnet', 'ip', 'ips', 'mac', 'portID'] as const

/** Addresses are those of the Subnet that it comes to. */
export function problemInFollowing(listed: readonly NicFields[], annotations: Readonly<Record<string, string>>): Refusal | undefined {
  if (listed.length > 1) return refuse(annotationAt(nicsAnnotation, 1), "a pod whose network is its policy's to say has one NIC")
  const [nic] = listed
  const field = fieldsOfPolicy.find((name) => Object.hasOwn(nic?.written ?? {}, name))
  if (field !== undefined)
    return refuse(annotationAt(nicsAnnotation, 0, field), "is the policy's to say: its network may be another one at any time")
  const listedNic = nic ?? { type: undefined }
  const type = typeOf(listedNic, annotations)
  return type === 'kernel'
    ? undefined
    : refuse(typeAt(listedNic, 0, annotations), `must be kernel: a running pod keeps its ${type === 'tap' ? 'TAP' : 'socket'}`)
}
