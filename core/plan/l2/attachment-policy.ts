// Who judges the pods of an L2ServiceAttachment in their VLAN: what its status tells their nodes, as a Port's does.
import { refOf, type Resource } from '../../kinds/index.ts'
import type { Step, WaitsFor } from '../plan.ts'
import { policyOutcome, type PolicyAction, type PolicyBinding, type PolicyOutcome } from '../policy/port-policy.ts'

type AttachmentPolicy = NonNullable<NonNullable<Resource<'L2ServiceAttachment'>['status']>['policy']>
type Judged = AttachmentPolicy['judged'][number]

export interface BoundPod {
  readonly uid: string
  readonly binding: PolicyBinding
}

export interface AttachmentPolicyDesired {
  /** By which rules know the VLAN. */
  readonly segment: number
  /** Undefined: no policy is in force there. */
  readonly pods: readonly BoundPod[] | undefined
  /** The cluster audits: whoever is not told of is not cut off. */
  readonly audit: boolean
}

export interface AttachmentPolicyPlan {
  readonly steps: readonly Step<PolicyAction>[]
  /** The section of the status. */
  readonly section: { readonly policy?: AttachmentPolicy }
  readonly waitsFor?: WaitsFor
}

/** What the status tells now of another VLAN counts for nothing. */
export function planAttachmentPolicy(
  attachment: Resource<'L2ServiceAttachment'>,
  { segment, pods, audit }: AttachmentPolicyDesired,
): AttachmentPolicyPlan {
  if (pods === undefined) return { steps: [], section: {} }
  const { policy } = attachment.status ?? {}
  const before = policy?.segment === segment ? policy.judged : []
  const all = pods.map((pod) => ({ pod, outcome: outcomeOf(pod, before) }))
  const because = { rule: 'policies judge a pod in a VLAN', of: refOf(attachment) }
  // Pods of one identity ask for the same.
  const actions = new Map(all.flatMap(({ pod, outcome: { action } }) => (action ? [[pod.binding.identity.number, action] as const] : [])))
  const waitsFor = all.find(({ outcome }) => outcome.waitsFor !== undefined)?.outcome.waitsFor
  return {
    steps: [...actions.values()].map((action) => ({ action, because })),
    section: { policy: { segment, judged: judgedBy(all), ...(audit && { audit }) } },
    ...(waitsFor && { waitsFor }),
  }
}

/** A pod that is not told of lets nothing pass: it need not wait to be told of what its node does not have yet. */
function outcomeOf({ uid, binding }: BoundPod, before: readonly Judged[]): PolicyOutcome {
  const was = before.find(({ pods }) => pods.includes(uid))
  const status = was && { policy: { identity: was.identity, ruleSets: was.ruleSets }, addresses: [] }
  return policyOutcome(status === undefined ? {} : { status }, binding, undefined)
}

interface PodOutcome {
  readonly pod: BoundPod
  readonly outcome: PolicyOutcome
}

/** In order: what has not changed is written as it was. */
function judgedBy(all: readonly PodOutcome[]): Judged[] {
  const by = Map.groupBy(all, ({ outcome: { told } }) => (told === undefined ? '' : `${told.identity} ${told.ruleSets.join(' ')}`))
  by.delete('')
  return [...by.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, [first, ...others]]) => {
      const { identity, ruleSets } = first!.outcome.told!
      return { identity, ruleSets, pods: [first!, ...others].map(({ pod }) => pod.uid).sort() }
    })
}
