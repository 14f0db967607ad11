// A port whose VM moves is bound to a second node before its VM is there: that node plugs in the TAP that a hypervisor opens.
import type { CloudAction, CloudPort, CloudScope } from '../../contracts/cloud.ts'
import type { Vif } from '../../kinds/vpc/at-provider.ts'
import { refOf, type Resource } from '../../kinds/index.ts'
import type { Plan } from '../plan.ts'
import { notMoved, whyNotMoved } from '../vpc/move.ts'

type Port = Resource<'Port'>
interface Moving {
  readonly item: Port
  readonly scope: CloudScope
}

/** Where it is to be bound beside the node that it is on. */
const nextHostOf = (item: Port): string | undefined => (whyNotMoved(item) === undefined ? item.spec.migratingTo : undefined)

/** Bound to no other node than it is to be, and to that one wholly. */
const isSettled = (item: Port, { second }: CloudPort): boolean =>
  second?.host === nextHostOf(item) && (second === undefined || second.vif !== undefined)

/** Of a port that is bound to the node that it is on: what is refused leaves it there. */
export function movePlan({ item, scope }: Moving, there: CloudPort, bound: Plan<never>): Plan<CloudAction<'port'>> {
  const why = notMoved(item)
  const plan = why === undefined ? bound : { ...bound, conditions: [...(bound.conditions ?? []), why] }
  if (isSettled(item, there)) return plan
  const host = nextHostOf(item)
  const because = { rule: host === undefined ? 'a move that is over' : 'a VM that is to move to another node', of: refOf(item) }
  return { ...plan, steps: [{ action: { do: 'expect', scope, there, host }, because }], requeueAfterMs: 1 }
}

/** How the second node plugs it in. */
export const nextVifOf = (item: Port, { second }: CloudPort): { readonly nextVif?: Vif } =>
  second?.vif === undefined || second.host !== nextHostOf(item) ? {} : { nextVif: second.vif }
