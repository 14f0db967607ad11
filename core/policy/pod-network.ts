// Which network a pod's policy gives it: what the UnifiedNetworkPolicy that is in force on it names.
import { unifiedPolicyAnnotation } from '../kinds/annotations.ts'
import type { Resource } from '../kinds/index.ts'
import type { PolicyPod } from '../kinds/policy/policy-pod.ts'
import { holds } from './label-selector.ts'
import { Problems } from './problem.ts'
import { networkPattern } from './read/network.ts'
import { candidacyOf } from './read/unified.ts'
import { inRank } from './choose-unified.ts'

type Unified = Resource<'UnifiedNetworkPolicy'>

/**
 * One in audit is in force and gives nothing: it changes nothing of what is.
 *
 * @param policies of the pod's namespace; others are left out
 * @returns `vni:NUMBER`, or a Vpc as `name` or `namespace/name`
 */
export function networkFor(pod: PolicyPod, policies: Iterable<Unified>): string | undefined {
  const named = pod.metadata.annotations?.[unifiedPolicyAnnotation]
  const selecting = [...policies].flatMap((policy) => candidateOf(policy, pod, named) ?? []).sort(inRank)
  const inForce = selecting.find(({ name }) => name === named) ?? selecting[0]
  const { network, mode } = inForce?.spec ?? {}
  return mode === 'audit' || network === undefined || !networkPattern.test(network) ? undefined : network
}

/** By the same reading as its rules, which are not read: a namespace may have very many. */
function candidateOf(policy: Unified, { metadata: { namespace = '', labels = {} } }: PolicyPod, named: string | undefined) {
  const { metadata, spec } = policy
  if (metadata.namespace !== namespace || metadata.deletionTimestamp !== undefined) return undefined
  const candidacy = candidacyOf(policy, new Problems())
  if (candidacy === undefined) return undefined
  const { subjects, rank } = candidacy
  return metadata.name === named || holds(subjects.labels ?? [], labels) ? { name: metadata.name, ...rank, spec } : undefined
}
