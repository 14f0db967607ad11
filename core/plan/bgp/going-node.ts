// Whether a node announces service addresses as ever, by what Kubernetes says of it.
import type { Resource, SpecOf } from '../../kinds/index.ts'
import { outOfServiceTaint } from '../node/node.ts'

export type ServiceAnnouncement = NonNullable<SpecOf<'BGPSpeaker'>['serviceAddresses']>

/** Well-known label, whatever its value: no load balancer is to have the node (Kubernetes 1.21). */
export const excludedLabel = 'node.kubernetes.io/exclude-from-external-load-balancers'

/** Put on a node before its pods are evicted: by who has shut it down, by the cluster autoscaler, by Karpenter. */
const goingTaints = [outOfServiceTaint, 'ToBeDeletedByClusterAutoscaler', 'karpenter.sh/disrupted']

/**
 * One that is cordoned (`kubectl drain` does that first) still serves its pods: it says beforehand that it may go. A taint that evicts pods
 * is no such word: those that do not tolerate it drain one by one, and are told of so; those that do are there to stay.
 */
export function announcementOf({ metadata, spec }: Resource<'Node'>): ServiceAnnouncement | undefined {
  if (metadata.labels?.[excludedLabel] !== undefined) return 'withheld'
  const isGoing = spec.unschedulable === true || spec.taints?.some(({ key }) => goingTaints.includes(key)) === true
  return isGoing || metadata.deletionTimestamp !== undefined ? 'leaving' : undefined
}
