// How much admission keeps for pods that are not stored yet: so much a second for each namespace, with two seconds' worth at once.
import type { Clock } from '../../platform/clock.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { Limits } from '../../platform/http/limits.ts'
import type { ReservationBound } from './deps.ts'

/** @param perSecond 0: no bound */
export function reservationBound(perSecond: number, clock: Clock, metrics: Metrics): ReservationBound {
  const counted = metrics.reservations()
  const limits = new Limits(perSecond, clock)
  return {
    perSecond,
    take(namespace, many) {
      const taken = perSecond === 0 || limits.take(namespace, many)
      counted[taken ? 'within' : 'beyond'](many)
      return taken
    },
  }
}
