// ConnectionPoints and NodePools: nothing is made for them; each stays while attachments need it, a NodePool until their VLANs are closed.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { endOf, inPlace, type Plan } from '../../../core/plan/plan.ts'
import { nothing } from '../../drivers/store-objects.ts'
import type { Env } from '../../controller-env.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { specChanges } from '../../watch/predicates.ts'
import { asItWas, every, itself, named } from '../../watch/map-to-keys.ts'

interface Site<K extends 'ConnectionPoint' | 'NodePool'> {
  readonly item: Resource<K>
  /** By kind and name. */
  readonly users: readonly string[]
}

function site<K extends 'ConnectionPoint' | 'NodePool'>(
  kind: K,
  env: Env,
  usersOf: (item: Resource<K>) => Promise<readonly string[]>,
): Controller<Site<K>, undefined, undefined, never, Plan<never>> {
  const driver = nothing(env.store)
  return {
    async gather(key) {
      const item = env.caches[kind].get(key) as Resource<K> | undefined
      return item && { item, users: await usersOf(item) }
    },
    driver: () => driver,
    scope: () => undefined,
    item: ({ item }) => item,
    plan: ({ item, users }) =>
      item.metadata.deletionTimestamp === undefined ? inPlace('InPlace', `${kind} ${item.metadata.name}`) : endOf(users, 'uses'),
  }
}

const pointOf = ({ spec }: Resource<'L2ServiceAttachment'>): readonly string[] => [spec.connectionPoint]

export const connectionPoints: Row<'ConnectionPoint'> = row(
  'ConnectionPoint',
  (on) => [
    on('ConnectionPoint', { when: specChanges, keys: itself }),
    on('L2ServiceAttachment', { when: specChanges, keys: named('ConnectionPoint', 'its ConnectionPoint', pointOf) }),
  ],
  (env) =>
    site('ConnectionPoint', env, ({ metadata: { name, deletionTimestamp } }) =>
      deletionTimestamp === undefined ? Promise.resolve([]) : attachmentsOn([name], env),
    ),
)

/** One that is going waits for the last who needs what it carries. */
const carriers = <K extends 'L2ServiceAttachment' | 'L2BridgeDomain'>(pointsIn: (item: Resource<K>) => readonly string[]) =>
  every<K, 'NodePool'>('NodePool', {
    name: 'it carries one of its ConnectionPoints and is being deleted',
    test: (pool, of) =>
      pool.metadata.deletionTimestamp !== undefined &&
      pool.spec.interfaces.some((each) => each.connectionPoint !== undefined && pointsIn(of).includes(each.connectionPoint)),
  })

export const nodePools: Row<'NodePool'> = row(
  'NodePool',
  (on) => [
    on('NodePool', { when: specChanges, keys: itself }),
    on('L2ServiceAttachment', { when: specChanges, keys: carriers(pointOf) }),
    on('L2BridgeDomain', { when: specChanges, keys: asItWas(carriers(({ spec }) => spec.connectionPoints)) }),
  ],
  (env) => site('NodePool', env, (item) => usersOfPool(item, env)),
)

/** Where the cache knows of none, the store itself is asked: they are looked for where something is to go. */
async function attachmentsOn(points: readonly string[], { caches, store }: Env): Promise<readonly string[]> {
  const cached = points.flatMap((name) => [...caches.L2ServiceAttachment.by('connectionPoint', name)])
  const items =
    cached.length > 0 ? cached : (await store.list('L2ServiceAttachment')).items.filter(({ spec }) => points.includes(spec.connectionPoint))
  return items.map((each) => `L2ServiceAttachment ${keyOfItem(each)}`).sort()
}

/** Without it nobody would know on which switch ports their VLANs belong, and they would be closed under running pods. */
async function usersOfPool(pool: Resource<'NodePool'>, env: Env): Promise<readonly string[]> {
  const points = pool.metadata.deletionTimestamp === undefined ? [] : pointsOf(pool, env)
  if (points.length === 0) return []
  const attachments = await attachmentsOn(points, env)
  return attachments.length > 0
    ? attachments
    : points
        .flatMap((name) => [...env.caches.L2BridgeDomain.by('connectionPoint', name)])
        .map(({ spec: { holder } }) => `L2Service ${holder.namespace ?? ''}/${holder.name}`)
        .sort()
}

/** The ConnectionPoints that it carries; one that is of another pool is not carried by this. */
function pointsOf({ metadata, spec }: Resource<'NodePool'>, { caches }: Env): readonly string[] {
  const named = spec.interfaces.flatMap((each) =>
    each.connectionPoint === undefined || each.state === 'down' ? [] : [each.connectionPoint],
  )
  return [...new Set(named)].filter((name) => (caches.ConnectionPoint.get(name)?.spec.nodePool ?? metadata.name) === metadata.name)
}
