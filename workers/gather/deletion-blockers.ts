// How long something may hold back a deletion.
import type { Resource } from '../../core/kinds/index.ts'
import type { Blockers } from '../../core/plan/vpc/blockers.ts'
import type { Env } from '../controller-env.ts'

type Timed = Pick<Env, 'caches' | 'clock' | 'config'>

/**
 * In a namespace that is being deleted: milliseconds until those who refer to something in it have had their time, 0 when they have; else
 * undefined.
 */
export function timeLeftMs(namespace: string, { caches, clock, config }: Timed): number | undefined {
  const since = caches.Namespace.get(namespace)?.metadata.deletionTimestamp
  return since === undefined ? undefined : Math.max(0, Date.parse(since) + config.blockerWaitMs - clock.now())
}

/**
 * Who is named as holding back a deletion, of those that refer to it. For ever, but in a namespace that is itself being deleted only so
 * long.
 */
export function blockersAmong(item: Resource, names: readonly string[], env: Timed): Blockers | undefined {
  const [first, ...others] = [...names].sort()
  const leftMs = timeLeftMs(item.metadata.namespace ?? '', env)
  if (first === undefined || leftMs === 0) return undefined
  return { first, others: others.length, ...(leftMs !== undefined && { againInMs: leftMs }) }
}
