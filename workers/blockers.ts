// How long something may hold back a deletion.
import type { Resource } from '../core/kinds/index.ts'
import type { Blockers } from '../core/plan/vpc.ts'
import type { Env } from './env.ts'

/**
 * Who is named as holding back a deletion, of those that refer to it. For ever, but in a namespace that is itself being
 * deleted only so long. (A Port that its node has not unwired is no such reference: it is never given up.)
 */
export function blockersAmong(item: Resource, names: readonly string[], { caches, clock, config }: Env): Blockers | undefined {
  const [first, ...others] = [...names].sort()
  const since = caches.Namespace.get(item.metadata.namespace ?? '')?.metadata.deletionTimestamp
  const leftMs = since === undefined ? undefined : Date.parse(since) + config.blockerWaitMs - clock.now()
  if (first === undefined || (leftMs !== undefined && leftMs <= 0)) return undefined
  return { first, others: others.length, ...(leftMs !== undefined && { againInMs: leftMs }) }
}
