// Reservations: addresses and Ports that admission has set aside. Keys are `IPLock/namespace/name` and `Port/namespace/name`.
import type { Write } from '../../core/contracts/store.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { isOver } from '../../core/plan/pod.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { isLock, planReservation, untilOf, type ReservationAction, type ReservationDesired, type Reserved } from '../../core/plan/reservation.ts'
import { objects } from '../drivers/objects.ts'
import type { Env } from '../env.ts'
import type { Controller } from '../reconcile.ts'

export function reservations(env: Env): Controller<ReservationDesired, undefined, undefined, ReservationAction, Plan<ReservationAction>> {
  const { caches, store, clock } = env
  const driver = objects<undefined, undefined, ReservationAction>(store, 'objects', { observe: () => undefined, writesOf })
  const lives = (pod: Resource<'Pod'> | undefined, uid: string): boolean => pod?.metadata.uid === uid && !isOver(pod)

  /** By UID in the cache; a claim names the pod, so that one the watch has not told of yet is asked for. */
  async function podIsThere(item: Reserved): Promise<boolean> {
    if (isLock(item)) return [...caches.Pod.by('uid', item.spec.reservation?.podUID ?? '')].some((pod) => !isOver(pod))
    const { claim } = item.spec
    const { namespace = '' } = item.metadata
    if (claim === undefined) return false
    const known = caches.Pod.get(`${namespace}/${claim.pod}`)
    const there = lives(known, claim.podUID) || lives(await store.get({ kind: 'Pod', namespace, name: claim.pod }), claim.podUID)
    if (there) env.add('pod', `${namespace}/${claim.pod}`)
    return there
  }

  return {
    name: 'reservation',
    async gather(key) {
      const slash = key.indexOf('/')
      const item = key.startsWith('Port/') ? caches.Port.get(key.slice(slash + 1)) : caches.IPLock.get(key.slice(slash + 1))
      const until = item && untilOf(item)
      if (item === undefined || until === undefined) return undefined
      return { item, podIsThere: until <= clock.now() && (await podIsThere(item)) }
    },
    driver: () => driver,
    scope: () => undefined,
    plan: (desired, _, now) => planReservation(desired, now),
    report: () => [],
  }
}

function writesOf({ item }: ReservationAction): readonly Write[] {
  if (isLock(item)) return [{ do: 'delete', ref: refOf(item), preconditions: { uid: item.metadata.uid, resourceVersion: item.metadata.resourceVersion } }]
  const { claim: _, ...rest } = item.spec
  return [{ do: 'update', item: { ...item, spec: rest } }]
}
