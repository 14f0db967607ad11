// What admission has set aside for a pod: it lapses, unless the pod came.
import { refOf, type Ref, type Resource } from '../../kinds/index.ts'
import type { Plan } from '../plan.ts'

export type Reserved = Resource<'IPLock'> | Resource<'Port'>
export interface ReservationDesired {
  readonly item: Reserved
  /** The pod that it is for is there, not over, and can still be served with it: its own pass takes what is kept for it. */
  readonly podIsThere: boolean
  /** A pod that only the store itself has told of: its own pass is to see to it. */
  readonly pod?: Ref<'Pod'> | undefined
}
export interface ReservationAction {
  readonly do: 'lapse'
  readonly item: Reserved
}

/** How long after its time a reservation is looked at again whose pod is there but has not been served yet. */
const lateAgainMs = 10_000

export const isLock = (item: Reserved): item is Resource<'IPLock'> => item.kind === 'IPLock'

/** Until when something is set aside; undefined: it is not, or is held for good. Milliseconds since 1970. */
export function untilOf(item: Reserved): number | undefined {
  const until = isLock(item) ? (item.spec.holder === undefined ? item.spec.reservation?.until : undefined) : item.spec.claim?.until
  return until === undefined ? undefined : Date.parse(until)
}

export const planReservation = ({ pod, ...desired }: ReservationDesired, now: number): Plan<ReservationAction> => ({ ...verdictOf(desired, now), ...(pod !== undefined && { next: [pod] }) })

function verdictOf({ item, podIsThere }: Omit<ReservationDesired, 'pod'>, now: number): Plan<ReservationAction> {
  const until = untilOf(item)
  if (until === undefined) return { steps: [], phase: 'ready', reason: 'NotReserved', message: 'nothing is set aside' }
  if (now < until) return { steps: [], phase: 'pending', reason: 'Reserved', message: 'its pod may still come', requeueAfterMs: until - now }
  if (podIsThere) return { steps: [], phase: 'pending', reason: 'PodIsThere', message: 'its pod has come and is to be served', requeueAfterMs: lateAgainMs }
  return { steps: [{ action: { do: 'lapse', item }, because: { rule: 'a reservation that no pod will take up', of: refOf(item as Resource) } }], phase: 'ready', reason: 'Lapsed', message: 'free again' }
}
