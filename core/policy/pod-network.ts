// Which network a pod's policy gives it: what the UnifiedNetworkPolicy that is in force on it names.
import { unifiedPolicyAnnotation } from '../kinds/annotations.ts'
import type { Resource } from '../kinds/index.ts'
import type { PolicyPod } from '../kinds/policy/policy-pod.ts'
import { holds } from './label-selector.ts'
import { networkPattern } from './read/network.ts'
import { ofUnified } from './read/unified.ts'
import { inRank } from './choose-unified.ts'

type Unified = Resource<'UnifiedNetworkPolicy'>

/**
 * One in audit is in force and gives nothing: it changes nothing of what is.
 *
 * @param policies of the pod's namespace; others are left out
 * @returns `vni:NUMBER`, or a Vpc as `name` or `namespace/name`
 */
export function networkFor(pod: PolicyPod, policies: Iterable<Unified>): string | undefined {
  const { namespace = '', annotations = {} } = pod.metadata
  const named = annotations[unifiedPolicyAnnotation]
  const selecting = [...policies].filter((policy) => policy.metadata.namespace === namespace && isFor(pod, policy, named)).sort(asRanked)
  const inForce = selecting.find(({ metadata }) => metadata.name === named) ?? selecting[0]
  const { network, mode } = inForce?.spec ?? {}
  return mode === 'audit' || network === undefined || !networkPattern.test(network) ? undefined : network
}

/** By the same reading as its rules: what is refused there, or out of its schedule, is not in force here either. */
function isFor({ metadata: { labels = {} } }: PolicyPod, policy: Unified, named: string | undefined): boolean {
  if (policy.metadata.deletionTimestamp !== undefined) return false
  const read = ofUnified(policy).policy
  return read !== undefined && (policy.metadata.name === named || holds(read.subjects.labels ?? [], labels))
}

const rankOf = ({ metadata, spec }: Unified): Parameters<typeof inRank>[0] => ({
  name: metadata.name,
  priority: spec.priority ?? 0,
  createdAt: metadata.creationTimestamp,
})
const asRanked = (a: Unified, b: Unified): number => inRank(rankOf(a), rankOf(b))
