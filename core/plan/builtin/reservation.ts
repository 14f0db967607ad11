// What admission has set aside for a pod: it lapses, unless the pod came.
import { refOf, type Ref, type Resource } from '../../kinds/index.ts'
import type { Plan } from '../plan.ts'

export type Reserved = Resource<'IPLock'> | Resource<'Port'>
export interface ReservationDesired {
  readonly item: Reserved
  /** How long it is still kept, in milliseconds; undefined: nothing is, or for good. */
  readonly leftMs: number | undefined
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

/** Which reservation it is: another one of the same thing reads otherwise. Undefined: nothing is set aside, or it is held for good. */
export function reservationIn(item: Reserved): string | undefined {
  if (!isLock(item)) return item.spec.claim?.until
  return item.spec.holder === undefined ? item.spec.reservation?.until : undefined
}

export const planReservation = ({ pod, ...desired }: ReservationDesired): Plan<ReservationAction> => ({
  ...verdictOf(desired),
  ...(pod !== undefined && { next: [pod] }),
})

function verdictOf({ item, leftMs, podIsThere }: Omit<ReservationDesired, 'pod'>): Plan<ReservationAction> {
  if (leftMs === undefined) return { steps: [], phase: 'ready', reason: 'NotReserved', message: 'nothing is set aside' }
  if (leftMs > 0) return { steps: [], phase: 'pending', reason: 'Reserved', message: 'its pod may still come', requeueAfterMs: leftMs }
  if (podIsThere)
    return {
      steps: [],
      phase: 'pending',
      reason: 'PodIsThere',
      message: 'its pod has come and is to be served',
      requeueAfterMs: lateAgainMs,
    }
  return {
    steps: [{ action: { do: 'lapse', item }, because: { rule: 'a reservation that no pod will take up', of: refOf(item as Resource) } }],
    phase: 'ready',
    reason: 'Lapsed',
    message: 'free again',
  }
}
