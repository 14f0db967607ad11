// Reservations: addresses and Ports that admission has set aside. Keys are `IPLock/namespace/name` and `Port/namespace/name`.
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import { resolveNics } from '../../../core/admit/pod/nics.ts'
import type { Write } from '../../../core/contracts/store.ts'
import { keyOf, refOf, type Ref, type Resource } from '../../../core/kinds/index.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { freeing } from '../../../core/plan/builtin/locks.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import {
  isLock,
  planReservation,
  reservationIn,
  type ReservationAction,
  type ReservationDesired,
  type Reserved,
} from '../../../core/plan/builtin/reservation.ts'
import { objects } from '../../drivers/store-objects.ts'
import type { Env } from '../../controller-env.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { both, specChanges, when } from '../../watch/predicates.ts'
import { written } from '../../watch/map-to-keys.ts'
import type { Delay } from '../../watch/watch.ts'

const dueOf: Delay<'IPLock' | 'Port'> = {
  text: 'until it lapses',
  ms: ({ after }, { leases }) => Math.max(1, (after && leases.leftMs(after as Reserved)) ?? 0),
}
const isSetAside = when<'IPLock' | 'Port'>(
  'is set aside for a pod to come',
  ({ after }) => after !== undefined && reservationIn(after as Reserved) !== undefined,
)

export const reservations: Row<'reservation'> = row(
  'reservation',
  (on) => [
    on('IPLock', { when: isSetAside, keys: written('itself, with its kind', ({ key }) => [`IPLock/${key}`]), after: dueOf }),
    on('Port', { when: both(specChanges, isSetAside), keys: written('itself, with its kind', ({ key }) => [`Port/${key}`]), after: dueOf }),
  ],
  open,
)

type Coming = Pick<ReservationDesired, 'podIsThere' | 'pod'>

function open(env: Env): Controller<ReservationDesired, undefined, undefined, ReservationAction, Plan<ReservationAction>> {
  const { caches, store, leases } = env
  const driver = objects<undefined, undefined, ReservationAction>(store, 'objects', { observe: () => undefined, writesOf })
  const lives = (pod: Resource<'Pod'> | undefined, uid: string): pod is Resource<'Pod'> => pod?.metadata.uid === uid && !isPodFinished(pod)

  /**
   * That it has not come, or does not ask for it, only the store itself can say: by name where a claim names the pod, else among those of
   * its namespace.
   */
  async function podOf(item: Reserved): Promise<Coming> {
    if (isLock(item)) return podOfLock(item)
    const { claim } = item.spec
    const { namespace = '' } = item.metadata
    if (claim === undefined) return { podIsThere: false }
    const pod: Ref<'Pod'> = { kind: 'Pod', namespace, name: claim.pod }
    const there = asksForPort(caches.Pod.get(keyOf(pod)), item) || asksForPort(await store.get(pod), item)
    return there ? { podIsThere: true, pod } : { podIsThere: false }
  }

  /** The change that gives a running pod the NIC may have been refused by others. A pod that cannot be served yet may be in a moment. */
  function asksForPort(pod: Resource<'Pod'> | undefined, { metadata, spec: { claim } }: Resource<'Port'>): boolean {
    if (claim === undefined || !lives(pod, claim.podUID)) return false
    const wanted = resolveNics(pod, env.view, env.config)
    if (wanted.kind !== 'nics') return wanted.kind === 'refused'
    return wanted.nics.some(({ name, portName }) => name === claim.nic && portName === metadata.name)
  }

  async function podOfLock(lock: Resource<'IPLock'>): Promise<Coming> {
    const { reservation } = lock.spec
    if (reservation === undefined) return { podIsThere: false }
    const { podUID, namespace } = reservation
    const known = [...caches.Pod.by('uid', podUID)].find((pod) => !isPodFinished(pod))
    if (known !== undefined && asksFor(known, lock)) return { podIsThere: true }
    const there = (await store.list('Pod', { namespace })).items.find((pod) => lives(pod, podUID))
    return there === undefined ? { podIsThere: false } : { podIsThere: asksFor(there, lock), pod: refOf(there) }
  }

  /**
   * Whether it can still be served with what was set aside: its Vpc may be on its way out, or no longer shared with it, or the block
   * another Subnet's.
   */
  function asksFor(
    pod: Resource<'Pod'>,
    { metadata: { namespace = '' }, spec: { vni, address, mac, subnet } }: Resource<'IPLock'>,
  ): boolean {
    if (subnet !== undefined && caches.Subnet.get(`${namespace}/${subnet}`)?.status?.validated !== true) return false
    const wanted = resolveNics(pod, env.view, env.config)
    return (
      wanted.kind === 'nics' &&
      segmentOf(wanted.vpc) === vni &&
      wanted.nics.some((nic) => (address === undefined ? nic.mac === mac : nic.ips.includes(address)))
    )
  }

  /** What a pod that is there can be refused for. */
  function networkOf({ metadata: { namespace = '' }, spec }: Resource<'IPLock'>): readonly (Ref | Resource)[] {
    const ref: Ref = { kind: 'Subnet', namespace, name: spec.subnet ?? '' }
    const vpc = caches.Subnet.get(keyOf(ref))?.spec.vpc
    return [...(spec.subnet === undefined ? [] : [ref]), ...(vpc === undefined ? [] : [{ kind: 'Vpc' as const, namespace, name: vpc }])]
  }

  return {
    async gather(key) {
      const slash = key.indexOf('/')
      const item = key.startsWith('Port/') ? caches.Port.get(key.slice(slash + 1)) : caches.IPLock.get(key.slice(slash + 1))
      const leftMs = item && leases.leftMs(item)
      if (item === undefined || leftMs === undefined) return undefined
      return { item, leftMs, ...(leftMs === 0 ? await podOf(item) : { podIsThere: false }) }
    },
    driver: () => driver,
    scope: () => undefined,
    item: ({ item }) => item,
    basis: ({ item }) => (isLock(item) ? networkOf(item) : []),
    plan: planReservation,
    settle({ item }, tried, err) {
      if (err === undefined && tried.length > 0) env.lapsed?.(isLock(item) ? 'IPLock' : 'Port')
    },
  }
}

function writesOf({ item }: ReservationAction): readonly Write[] {
  if (isLock(item)) return [freeing(item)]
  const { claim: _, ...rest } = item.spec
  return [{ do: 'update', item: { ...item, spec: rest } }]
}
