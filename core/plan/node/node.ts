// A node that is out of service: what was wired on it is no more. Two independent proofs are asked for: that the Port is to
// be unwired (it is being deleted, its pod has left it, or it has been told to leave its Vpc), and that the node is gone or was declared
// out of service. A pod deleted by force proves nothing: its containers may still run there.
import type { Ref, Resource } from '../../kinds/index.ts'
import type { Plan } from '../plan.ts'
import { isEvicted } from '../vpc/eviction.ts'
import { isWired, onNode } from '../vpc/on-node.ts'

/** Kubernetes, non-graceful node shutdown: set by a person or an operator that has made sure. */
export const outOfServiceTaint = 'node.kubernetes.io/out-of-service'

export interface NodeDesired {
  readonly ref: Ref<'Node'>
  /** Undefined: the store itself says that there is none. */
  readonly node: Resource<'Node'> | undefined
  /** Bound to it. */
  readonly ports: readonly Resource<'Port'>[]
}
export interface NodeAction {
  readonly do: 'unguard'
  readonly port: Resource<'Port'>
}

export function planNode({ ref, node, ports }: NodeDesired): Plan<NodeAction> {
  const out = node === undefined || node.spec.taints?.some(({ key }) => key === outOfServiceTaint) === true
  if (!out) return { steps: [], phase: 'ready', reason: 'InService', message: 'the node unwires its Ports itself' }
  const left = ports.filter((port) => isWired(port) && (port.metadata.deletionTimestamp !== undefined || !onNode(port) || isEvicted(port)))
  const because = { rule: node === undefined ? 'a node that is gone' : 'a node that is out of service', of: ref }
  return {
    steps: left.map((port) => ({ action: { do: 'unguard', port }, because })),
    phase: 'ready',
    reason: 'OutOfService',
    message: `${left.length} Ports count as unwired`,
  }
}
