// What a planner returns. A planner is a pure function from what is wanted and what is seen to steps, each with its reason.
import type { Condition, Phase } from '../kinds/meta.ts'
import type { Ref } from '../kinds/index.ts'
import type { Because } from '../node/because.ts'

export type { Because }
export interface Step<Action> {
  readonly action: Action
  readonly because: Because
}
/** What has to come before there is anything to do: its coming wakes the key. */
export type WaitsFor =
  /** An IPLock to be freed. */
  | { readonly kind: 'lock'; readonly namespace: string; readonly name: string }
  /** An address of this Subnet to be free. */
  | { readonly kind: 'address'; readonly namespace: string; readonly subnet: string }
  /** A SegmentLock to be freed. */
  | { readonly kind: 'segment'; readonly name: string }
  /** A PolicyIdentity to be in all rule sets that match it. */
  | { readonly kind: 'identity'; readonly namespace: string; readonly name: string }
  /** Anything that a pod of this namespace may name to be there: a Vpc, a Subnet, a Port that nobody claims. */
  | { readonly kind: 'named'; readonly namespace: string }
export interface Plan<Action> {
  /** In order; each may be repeated. */
  readonly steps: readonly Step<Action>[]
  /** What to report if nothing fails. */
  readonly phase: Phase
  /** CamelCase, for machines: the reason of the condition Ready. */
  readonly reason: string
  /** For a person: "Subnet blue is not there yet". */
  readonly message: string
  /** Milliseconds; absent: a change will wake us. */
  readonly requeueAfterMs?: number
  readonly waitsFor?: WaitsFor
  /** What is to be reconciled next: in the same pass what the steps make, and in a pass of its own what is there. */
  readonly next?: readonly Ref[]
  /** CamelCase: something happened that is told of, and noted in the timeline, though the phase stays. */
  readonly happened?: string
  /** Beside Ready and Stalled, which follow from the phase. */
  readonly conditions?: readonly Pick<Condition, 'type' | 'status' | 'reason' | 'message'>[]
  /** The status sections beside `report`, whole; one that is not named is left as it is. */
  readonly sections?: Readonly<Record<string, object>>
}

export const inPlace = (reason: string, message: string): Plan<never> => ({ steps: [], phase: 'ready', reason, message })
/** Waiting is an answer, not an error. */
export const waitingFor = (reason: string, message: string, requeueAfterMs?: number): Plan<never> => ({
  steps: [],
  phase: 'pending',
  reason,
  message,
  ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }),
})
/** Who is named of several. */
export const firstAndMore = (first: string, others: number): string => (others === 0 ? first : `${first} and ${others} more`)
/**
 * What is being deleted and holds nothing of its own stays as long as somebody still names or uses it.
 *
 * @param users by kind and name
 */
export function endOf([first, ...others]: readonly string[], how: 'names' | 'uses'): Plan<never> {
  if (first === undefined) return { steps: [], phase: 'deleted', reason: 'Unused', message: `nobody ${how} it` }
  return { steps: [], phase: 'terminating', reason: 'InUse', message: `${firstAndMore(first, others.length)} still ${how} it` }
}
/** Nothing we can do: the message says what would be right. */
export const refused = (reason: string, message: string): Plan<never> => ({ steps: [], phase: 'error', reason, message })
