// A VM that moves from node to node with its TAP: whose move is carried out, and when it is over.
import { wiredFinalizer } from '../../kinds/annotations.ts'
import { refOf, type Resource } from '../../kinds/index.ts'
import type { Plan, Step } from '../plan.ts'
import type { NodeAction } from './on-node.ts'

type Port = Resource<'Port'>

/** Why the move that a Port asks for is not carried out, in words; undefined where it is. */
export function whyNotMoved({ spec, status: { vlan, vif } = {} }: Port): string | undefined {
  if (spec.migratingTo === undefined) return undefined
  if (spec.claim !== undefined) return 'a pod has it: a VM moves with a Port that no pod has'
  if (vif?.plug === 'interface') return 'its cloud makes its interface, and binds it to one node alone'
  return vlan === undefined ? undefined : 'its Vpc is a VLAN'
}

/** The condition of a Port that asks for a move in vain; undefined: it does not. */
export function notMoved(port: Port): NonNullable<Plan<never>['conditions']>[number] | undefined {
  const why = whyNotMoved(port)
  return why === undefined ? undefined : { type: 'Unsupported', status: 'True', reason: 'NotMoved', message: `migratingTo: ${why}` }
}

/** As it will be on the node that it moves to: a cloud says how that plugs it in. */
export const asMoved = (port: Port): Port =>
  port.status?.nextVif === undefined ? port : { ...port, status: { ...port.status, vif: port.status.nextVif } }

/** One of a cloud as soon as that has bound it to the second node too. */
const isServedFor = ({ status: { phase, vif, nextVif } = {} }: Port, node: string): boolean =>
  vif === undefined ? phase === 'ready' : nextVif?.node === node

/** Whether a node makes a TAP for a VM that may come: where it is now it is wired, so that it is held until it is unwired. */
export const isExpectedOn = (port: Port, node: string): boolean =>
  port.spec.migratingTo === node &&
  port.spec.node !== node &&
  whyNotMoved(port) === undefined &&
  port.metadata.deletionTimestamp === undefined &&
  (port.metadata.finalizers ?? []).includes(wiredFinalizer) &&
  isServedFor(port, node) &&
  port.status?.addresses !== undefined

/**
 * Of a move that was given up, until the cloud has one binding again: OVN takes an interface that goes from its second chassis for the end
 * of the port.
 */
export const isStillBoundTo = ({ metadata, spec, status }: Port, node: string): boolean =>
  metadata.deletionTimestamp === undefined && spec.node !== node && status?.nextVif?.node === node

/** Its VM has spoken where it is to be; what was said of an earlier move counts for nothing. */
export function moveSteps(port: Port): Step<NodeAction>[] {
  const { node, generation, active } = port.status?.migration ?? {}
  const is = node !== undefined && node === port.spec.migratingTo && generation === port.metadata.generation && active === true
  if (!is || whyNotMoved(port) !== undefined) return []
  return [{ action: { do: 'moveToNode', port }, because: { rule: 'a VM that speaks on the node that it moves to', of: refOf(port) } }]
}

/** What a node has said of a move that is over, or was taken back: the node itself may not be there to take it back. */
export const withoutFormerMove = ({ spec, status: { migration } = {} }: Port): { readonly migration?: object } =>
  migration === undefined || migration.node === spec.migratingTo ? {} : { migration: {} }
