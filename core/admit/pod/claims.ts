// Which pod may take a pre-made Port for a Nic, and which holder is about to release what it holds.
import type { Resource } from '../../kinds/index.ts'
import type { Claim } from '../../kinds/vpc/port.ts'
import type { OwnerReference } from '../../kinds/meta.ts'

/** The Nic of a pod that wants something. */
export interface Claimer {
  readonly namespace: string
  readonly pod: string
  readonly podUID: string
  readonly owner: string
  readonly nic: string
}

interface Owned {
  readonly name?: string
  readonly generateName?: string
  readonly ownerReferences?: readonly OwnerReference[]
}

/**
 * Who a pod is a copy for: `Kind/name` of its controller, else `Pod/` and its name, or its generateName, since a create that
 * is tried again gets another name. What one copy has reserved the next may take over.
 */
export function ownerOf({ name, generateName, ownerReferences }: Owned): string {
  const controller = ownerReferences?.find((owner) => owner.controller === true)
  return controller === undefined ? `Pod/${generateName ?? name ?? ''}` : `${controller.kind}/${controller.name}`
}

/** Completed pods count as gone: they never run again. */
export function isPodTerminating(pod: Resource<'Pod'> | undefined): boolean {
  return (
    pod === undefined || pod.metadata.deletionTimestamp !== undefined || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
  )
}

/** free: may be taken; ours: is taken by this pod; leaving: will be free, its pod of the same owner is on its way out. */
export type PortAvailability = { readonly is: 'free' | 'ours' } | { readonly is: 'leaving' | 'taken'; readonly by: string }

/**
 * How a pre-made Port stands to a Nic.
 *
 * @param pod the pod of that name that a claim speaks of, where there is one
 */
export function portAvailability(
  port: Resource<'Port'>,
  who: Claimer,
  pod: (name: string) => Resource<'Pod'> | undefined,
): PortAvailability {
  const { claim, podUID, warm } = port.spec
  if (warm !== undefined) return { is: 'taken', by: 'a pool of Ports made ahead' }
  if (claim !== undefined) return claimState(claim, who, pod)
  if (podUID === undefined) return { is: 'free' }
  return podUID === who.podUID ? { is: 'ours' } : { is: 'taken', by: 'another pod' }
}

function claimState(claim: Claim, who: Claimer, pod: (name: string) => Resource<'Pod'> | undefined): PortAvailability {
  if (claim.podUID === who.podUID) return claim.nic === who.nic ? { is: 'ours' } : { is: 'taken', by: `NIC ${claim.nic} of the same pod` }
  const ofSameOwner = claim.owner === who.owner && claim.nic === who.nic
  if (claim.until !== undefined && ofSameOwner) return { is: 'free' }
  const by = `pod ${claim.pod}`
  return ofSameOwner && isGoing(claim, pod(claim.pod)) ? { is: 'leaving', by } : { is: 'taken', by }
}

/** Whether the pod that a claim speaks of will not come back: over, gone, or another of the same name by now. */
export const isGoing = (claim: Claim, pod: Resource<'Pod'> | undefined): boolean =>
  isPodTerminating(pod) || pod?.metadata.uid !== claim.podUID

/** The claim that admission writes: it lapses unless a worker confirms it. */
export const claimUntil = ({ pod, nic, owner, podUID }: Claimer, until: number): Claim => ({
  pod,
  nic,
  owner,
  podUID,
  until: new Date(until).toISOString(),
})
