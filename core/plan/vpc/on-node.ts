// A Port and its node: what is planned about that whoever makes the Port.
import { wiredFinalizer } from '../../kinds/annotations.ts'
import { refOf, type Resource } from '../../kinds/index.ts'
import type { Step } from '../plan.ts'

/**
 * What is done about a Port beside what its provider does: guardNode keeps it until its node has unwired it, leaveNode forgets the node,
 * moveToNode puts it on the one that its VM has moved to.
 */
export type NodeAction = { readonly do: 'guardNode' | 'leaveNode' | 'moveToNode'; readonly port: Resource<'Port'> }

export const isWired = (port: Resource<'Port'>): boolean => (port.metadata.finalizers ?? []).includes(wiredFinalizer)

/** Whether it may be wired where spec.node says: it belongs to nobody, or to the pod that claims it now. */
export const onNode = ({ spec }: Resource<'Port'>): boolean => spec.node !== undefined && spec.podUID === spec.claim?.podUID

/**
 * Its node has, or had, it for the pod before, or for none: whose it is now waits for it. What is only kept for a pod to come stays where
 * it is.
 */
function isElsewhere({ spec: { node, podUID, claim } }: Resource<'Port'>): boolean {
  if (podUID !== undefined) return podUID !== claim?.podUID
  return node !== undefined && claim !== undefined && claim.until === undefined
}

/** Kept until its node has unwired it, or taken from a node that has it for somebody else. */
export function guardSteps(port: Resource<'Port'>, agents: boolean): Step<NodeAction>[] {
  const of = refOf(port)
  if (onNode(port))
    return isWired(port) || !agents
      ? []
      : [{ action: { do: 'guardNode', port }, because: { rule: 'a Port on a node is kept until it is unwired', of } }]
  return leaveSteps(port)
}

export function leaveSteps(port: Resource<'Port'>): Step<NodeAction>[] {
  if (!isElsewhere(port) || isWired(port)) return []
  return [
    {
      action: { do: 'leaveNode', port },
      because: { rule: 'a Port that is not for whom its node has it, and that is unwired there', of: refOf(port) },
    },
  ]
}
