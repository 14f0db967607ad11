// What admission has set aside for a pod to come is kept for as long as it is to be, whatever the clocks of others say.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { reservationIn, type Reserved } from '../../../core/plan/builtin/reservation.ts'
import { perKind, type Invariant } from '../invariant.ts'

/** Nobody has taken it up, and it is not set aside any more. */
const isEnded = (before: Reserved, after: Reserved | undefined): boolean =>
  before.kind === 'IPLock'
    ? after === undefined
    : (after as Resource<'Port'> | undefined)?.metadata.deletionTimestamp === undefined &&
      after?.kind === 'Port' &&
      after.spec.claim === undefined

export const kept: Invariant = {
  name: 'kept',
  begin({ site: { truth, scheduler, config } }, fail) {
    /** UID → which reservation it is, and since when. */
    const since = new Map<string, { readonly reservation: string; readonly at: number }>()
    /** UIDs of pods that have come, and are over: nobody comes for what was set aside for them. */
    const over = new Set<string>()
    const isGoing = (namespace: string | undefined): boolean =>
      namespace !== undefined && truth.at('Namespace', namespace)?.metadata.deletionTimestamp !== undefined
    /** A worker's alone is judged: admission takes back what it has kept for a pod that it refuses. */
    const ended = (before: Reserved, at: number): void => {
      const by = truth.log.at(-1)?.by ?? ''
      const keptMs = scheduler.now - at
      const isOver = before.kind === 'Port' && over.has(before.spec.claim?.podUID ?? '')
      if (!by.startsWith('workers-') || isOver || isGoing(before.metadata.namespace) || keptMs >= config.reservationMs) return
      fail(
        `${by} ended what was kept in ${before.kind} ${keyOfItem(before)} after ${(keptMs / 1000).toFixed(3)} s, and it was to be kept for ${config.reservationMs / 1000} s`,
      )
    }
    const follow = (before: Reserved | undefined, after: Reserved | undefined): void => {
      const { uid } = (after ?? before)!.metadata
      const was = since.get(uid)
      const is = after && reservationIn(after)
      if (is === was?.reservation) return
      if (is !== undefined) return void since.set(uid, { reservation: is, at: scheduler.now })
      since.delete(uid)
      if (was !== undefined && before !== undefined && isEnded(before, after)) ended(before, was.at)
    }
    const ends = (before: Resource<'Pod'> | undefined, after: Resource<'Pod'> | undefined): void => {
      if (after === undefined || isPodFinished(after)) over.add((after ?? before)!.metadata.uid)
    }
    return { landed: perKind({ IPLock: follow, Port: follow, Pod: ends }) }
  },
}
