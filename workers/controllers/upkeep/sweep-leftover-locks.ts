// The sweeper: locks, blocks and claims whose holder is gone. One key, `all`, looked at every minute.
import type { Write } from '../../../core/contracts/store.ts'
import { isOwnKind, refOf, type Ref, type Resource } from '../../../core/kinds/index.ts'
import type { Holder } from '../../../core/kinds/meta.ts'
import { freeing, hasBlocks, type AnyLock } from '../../../core/plan/builtin/locks.ts'
import { isPooled } from '../../../core/plan/pool/pool-address.ts'
import { planSweep, type Orphan, type SweepAction, type SweepDesired } from '../../../core/plan/builtin/sweep.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import { objects } from '../../drivers/store-objects.ts'
import type { Env } from '../../controller-env.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'

export const sweepEveryMs = 60_000
/** How long a holder must have been missing: a lock may be seen before the Port it was made with. */
const graceMs = 60_000
/** Live reads in one pass, so that a lost cache asks the API server for a little at a time. */
const readsPerPass = 200
/** As the API server keeps Events. */
const eventAgeMs = 3_600_000

export const sweep: Row<'sweep'> = row('sweep', () => [], open, { everyMs: { key: 'all', ms: sweepEveryMs } })

function open(env: Env): Controller<SweepDesired, undefined, undefined, SweepAction, Plan<SweepAction>> {
  const driver = objects<undefined, undefined, SweepAction>(env.store, 'objects', { observe: () => undefined, writesOf })
  /** UID of a missing holder → when it was first missed, as time passes. */
  let missing = new Map<string, number>()

  const isCached = ({ kind, namespace, name, uid }: Holder): boolean => {
    const cache = kind === 'Port' || isPooled(kind) || kind === 'Vpc' || kind === 'Subnet' ? env.caches[kind] : undefined
    return cache?.get(namespace === undefined ? name : `${namespace}/${name}`)?.metadata.uid === uid
  }

  /** Missing for the grace period, and not there when the store itself is asked. */
  function* suspects(): Generator<{ readonly holder: Holder; readonly orphan: Orphan }> {
    for (const lock of env.caches.IPLock.values()) if (lock.spec.holder !== undefined) yield { holder: lock.spec.holder, orphan: { lock } }
    for (const lock of env.caches.SegmentLock.values()) {
      // One with blocks in it waits until they are gone too.
      if (!hasBlocks(lock)) yield { holder: lock.spec.holder, orphan: { lock } }
      const { blocks = [], routedBlocks = [] } = lock.spec
      for (const { subnet } of blocks)
        yield { holder: subnet, orphan: { lock, kept: { blocks: blocks.filter((block) => block.subnet.uid !== subnet.uid) } } }
      for (const { port } of routedBlocks)
        yield { holder: port, orphan: { lock, kept: { routedBlocks: routedBlocks.filter((block) => block.port.uid !== port.uid) } } }
    }
  }

  async function orphans(): Promise<Orphan[]> {
    const now = env.clock.elapsed()
    const still = new Map<string, number>()
    const found: Orphan[] = []
    let reads = 0
    for (const { holder, orphan } of suspects()) {
      if (isCached(holder)) continue
      const since = missing.get(holder.uid) ?? now
      still.set(holder.uid, since)
      if (now - since < graceMs || ++reads > readsPerPass || !(await isGone(holder))) continue
      // One change of a lock in a pass: of two blocks without a Subnet the second is found the next time.
      if (!found.some(({ lock }) => lock.metadata.uid === orphan.lock.metadata.uid)) found.push(orphan)
    }
    missing = still
    return found
  }

  async function isGone({ kind, uid, ...named }: Holder): Promise<boolean> {
    if (!isOwnKind(kind)) return false
    return (await env.store.get({ kind, ...named }))?.metadata.uid !== uid
  }

  return {
    gather: async () => ({ orphans: await orphans(), old: await oldEvents(env), pods: podsUnknown(env) }),
    driver: () => driver,
    scope: () => undefined,
    item: () => undefined,
    plan: (desired) => planSweep(desired, sweepEveryMs),
  }
}

/** Of Ports that are claimed for good: what is set aside lapses by itself. */
function podsUnknown({ caches }: Env): readonly Ref<'Pod'>[] {
  return [...caches.Port.values()].flatMap(({ metadata: { namespace = '' }, spec: { claim } }) =>
    claim === undefined || claim.until !== undefined || caches.Pod.get(`${namespace}/${claim.pod}`)?.metadata.uid === claim.podUID
      ? []
      : [{ kind: 'Pod', namespace, name: claim.pod }],
  )
}

/** The API server forgets Events by itself; our own store does not. */
async function oldEvents({ store, clock }: Env): Promise<Resource<'Event'>[]> {
  if (store.identify === undefined) return []
  const { items } = await store.list('Event')
  return items.filter((event) => clock.now() - Date.parse(event.metadata.creationTimestamp) > eventAgeMs)
}

function writesOf(action: SweepAction): readonly Write[] {
  if (action.do === 'keepBlocks') {
    const { blocks = action.lock.spec.blocks ?? [], routedBlocks = action.lock.spec.routedBlocks ?? [] } = action.kept
    const kept = { blocks: [...blocks], ...(routedBlocks.length > 0 && { routedBlocks: [...routedBlocks] }) }
    const { routedBlocks: _, ...rest } = action.lock.spec
    return [{ do: 'update', item: { ...action.lock, spec: { ...rest, ...kept } } }]
  }
  const { item } = action
  if (item.kind === 'IPLock' || item.kind === 'SegmentLock') return [freeing(item as AnyLock)]
  return [{ do: 'delete', ref: refOf(item), preconditions: { uid: item.metadata.uid, resourceVersion: item.metadata.resourceVersion } }]
}
