// ConnectionPoints and NodePools: nothing is made for them; a ConnectionPoint stays while attachments are on it.
import { finalizersFor } from '../../core/admit/finalizers.ts'
import { connectionPointFinalizer } from '../../core/kinds/annotations.ts'
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { inPlace, type Plan } from '../../core/plan/plan.ts'
import { ended, reported } from '../../core/plan/status.ts'
import { objects } from '../drivers/objects.ts'
import { reporting, type Env } from '../env.ts'
import type { Controller } from '../reconcile.ts'

interface Site<K extends 'ConnectionPoint' | 'NodePool'> {
  readonly item: Resource<K>
  readonly users: readonly string[]
}

function site<K extends 'ConnectionPoint' | 'NodePool'>(kind: K, env: Env, usersOf: (item: Resource<K>) => Promise<readonly string[]>): Controller<Site<K>, undefined, undefined, never, Plan<never>> {
  const driver = objects<undefined, undefined, never>(env.store, 'objects', { observe: () => undefined, writesOf: () => [] })
  return {
    name: kind.toLowerCase(),
    async gather(key) {
      const item = env.caches[kind].get(key) as Resource<K> | undefined
      return item && { item, users: await usersOf(item) }
    },
    driver: () => driver,
    scope: () => undefined,
    plan: ({ item, users: [first, ...others] }) => {
      if (item.metadata.deletionTimestamp === undefined) return inPlace('InPlace', `${kind} ${item.metadata.name}`)
      if (first === undefined) return { steps: [], phase: 'deleted', reason: 'Unused', message: 'nobody uses it' }
      return { steps: [], phase: 'terminating', reason: 'InUse', message: `L2ServiceAttachment ${first}${others.length === 0 ? '' : ` and ${others.length} more`} still uses it` }
    },
    guard: ({ item }) => ({ item, finalizers: finalizersFor(kind, item) }),
    report: ({ item }, plan, now) => (plan.phase === 'deleted' ? ended(item, [connectionPointFinalizer], reporting(env, now)) : reported(item, plan, reporting(env, now)).writes),
  }
}

export const connectionPoints = (env: Env) => site('ConnectionPoint', env, (item) => attachmentsOn(item, env))
export const nodePools = (env: Env) => site('NodePool', env, () => Promise.resolve([]))

/** Of one that is to go and that the cache knows no attachment of, the store itself is asked. */
async function attachmentsOn({ metadata: { name, deletionTimestamp } }: Resource<'ConnectionPoint'>, { caches, store }: Env): Promise<readonly string[]> {
  const cached = [...caches.L2ServiceAttachment.by('connectionPoint', name)]
  const items = cached.length > 0 || deletionTimestamp === undefined ? cached : (await store.list('L2ServiceAttachment')).items.filter(({ spec }) => spec.connectionPoint === name)
  return items.map(keyOfItem).sort()
}
