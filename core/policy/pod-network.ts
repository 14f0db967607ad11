// What a pod is given by the UnifiedNetworkPolicy that is in force on it: the network that it names, and how much is booked.
import { unifiedPolicyAnnotation } from '../kinds/annotations.ts'
import type { Resource } from '../kinds/index.ts'
import type { PolicyPod } from '../kinds/policy/policy-pod.ts'
import { holds } from './label-selector.ts'
import { Problems } from './problem.ts'
import { networkPattern } from './read/network.ts'
import { bitsOf } from './read/traffic.ts'
import { candidacyOf } from './read/unified.ts'
import { inRank } from './choose-unified.ts'

type Unified = Resource<'UnifiedNetworkPolicy'>

/**
 * One in audit is in force and gives nothing: it changes nothing of what is.
 *
 * @param policies of the pod's namespace; others are left out
 * @returns `vni:NUMBER`, `vlan:NETWORK/NUMBER`, or a Vpc as `name` or `namespace/name`
 */
export const networkFor = (pod: PolicyPod, policies: Iterable<Unified>): string | undefined =>
  networkAmong(pod, candidatesIn(pod.metadata.namespace ?? '', policies))

/** Policies of one namespace, the strongest first: read once for many pods. */
export type Candidates = readonly Candidate[]

type Candidate = NonNullable<ReturnType<typeof candidateOf>>

export const candidatesIn = (namespace: string, policies: Iterable<Unified>): Candidates =>
  [...policies].flatMap((policy) => (policy.metadata.namespace === namespace ? (candidateOf(policy) ?? []) : [])).sort(inRank)

function inForceAmong({ metadata }: PolicyPod, candidates: Candidates): Partial<Candidate['spec']> {
  const named = metadata.annotations?.[unifiedPolicyAnnotation]
  const isSelecting = ({ subjects }: Candidate): boolean => holds(subjects.labels ?? [], metadata.labels ?? {})
  return ((named === undefined ? undefined : candidates.find(({ name }) => name === named)) ?? candidates.find(isSelecting))?.spec ?? {}
}

/**
 * Of each of its Ports, bits a second.
 *
 * @param policies of the pod's namespace; others are left out
 */
export function minimumFor(pod: PolicyPod, policies: Iterable<Unified>): number | undefined {
  const all = [...policies]
  if (!all.some(({ spec }) => spec.bandwidth?.min !== undefined)) return undefined
  const { bandwidth, mode } = inForceAmong(pod, candidatesIn(pod.metadata.namespace ?? '', all))
  return mode === 'audit' ? undefined : bitsOf(bandwidth?.min)
}

export function networkAmong(pod: PolicyPod, candidates: Candidates): string | undefined {
  const { network, mode } = inForceAmong(pod, candidates)
  return mode === 'audit' || network === undefined || !networkPattern.test(network) ? undefined : network
}

/** By the same reading as its rules, which are not read: a namespace may have very many. */
function candidateOf(policy: Unified) {
  const { metadata, spec } = policy
  if (metadata.deletionTimestamp !== undefined) return undefined
  const candidacy = candidacyOf(policy, new Problems())
  return candidacy && { name: metadata.name, subjects: candidacy.subjects, ...candidacy.rank, spec }
}
