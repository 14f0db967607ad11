// Pools of Ports made ahead: a key is a pool, and what it has is the Ports that say so (core/kinds/vpc/warm.ts).
import type { Driver } from '../../../core/contracts/driver.ts'
import type { Write } from '../../../core/contracts/store.ts'
import { refOf, resolveReference, type Resource } from '../../../core/kinds/index.ts'
import { readyCondition } from '../../../core/kinds/meta.ts'
import { isFor } from '../../../core/kinds/vpc/cloud.ts'
import { poolKeyOf } from '../../../core/kinds/vpc/warm.ts'
import { subnetKeyOf } from '../../../platform/cache/caches.ts'
import { planPool, type PoolAction, type PoolDesired, type PoolSeen } from '../../../core/plan/cloud/pool.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { Env } from '../../controller-env.ts'
import { networkOf } from '../../gather/port.ts'
import type { Controller } from '../../loop/controller.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { isGoing, specChanges, when } from '../../watch/predicates.ts'
import { written } from '../../watch/map-to-keys.ts'

type Port = Resource<'Port'>
type Desired = PoolDesired & { readonly cloud: Resource<'Cloud'> | undefined }

const reasonOf = (port: Port | undefined): string | undefined => readyCondition(port?.status?.conditions)?.reason

/** What a pool goes by, of a Port. */
const partsOf = (port: Port | undefined): readonly unknown[] => {
  const { phase, from, cloud } = port?.status ?? {}
  const { warm, securityGroups, node } = port?.spec ?? {}
  return [isGoing(port), cloud, phase, reasonOf(port), from?.uid, warm, securityGroups, warm && node]
}

const poolsOf = (ports: Iterable<Port | undefined>, env: Env): readonly string[] => [
  ...new Set([...ports].flatMap((port) => (port === undefined || !mayHavePool(port, env) ? [] : [poolKeyOf(port)]))),
]
const mayHavePool = ({ spec, status }: Port, { caches }: Env): boolean =>
  spec.warm !== undefined || caches.Cloud.get(status?.cloud ?? '')?.spec.warmPools !== undefined

export const pools: Row<'pool'> = row(
  'pool',
  (on) => [
    on('Port', {
      when: when<'Port'>('of a cloud comes, goes, is kept or given, or is in another phase', ({ before, after }) => {
        const isOfCloud = [before, after].some((port) => port?.status?.cloud !== undefined || port?.spec.warm !== undefined)
        return isOfCloud && !sameJson(partsOf(before), partsOf(after))
      }),
      keys: written('its pool, and the one it was of', ({ before, after }, env) => poolsOf([before, after], env)),
    }),
    on('Port', {
      when: when<'Port'>('is refused by its cloud', ({ before, after }) => reasonOf(after) === 'Refused' && reasonOf(before) !== 'Refused'),
      keys: written('the pools in its Subnet', ({ after }, env) => poolsOf(env.caches.Port.by('subnet', subnetKeyOf(after!)), env)),
    }),
    on('Subnet', {
      when: specChanges,
      keys: written('the pools in it', ({ key }, env) => poolsOf(env.caches.Port.by('subnet', key), env)),
    }),
    on('Cloud', {
      when: specChanges,
      keys: written('its pools', ({ key }, env) => poolsOf(env.caches.Port.by('cloud', key), env)),
    }),
  ],
  open,
)

function open(env: Env): Controller<Desired, Desired, PoolSeen, PoolAction, Plan<PoolAction>> {
  const { caches, store } = env
  const driver: Driver<Desired, PoolSeen, PoolAction> = {
    name: 'pool',
    observe: async ({ cloud }, signal) => ({ room: await roomAt(cloud, env, signal) }),
    apply: (action) => store.commit(writesOf(action)),
    asWrites: writesOf,
  }
  return {
    async gather(key) {
      const ports = [...caches.Port.by('pool', key)]
      const entries = ports.filter(({ spec }) => spec.warm !== undefined)
      const starts = ports.filter(({ spec }) => spec.warm === undefined)
      const [like] = ports
      if (like === undefined) return undefined
      const cloud = cloudOf(like, env)
      const needed = await neededOf(entries, env)
      const refused = [...caches.Port.by('refused', subnetKeyOf(like))].length
      return { key, cloud, pools: cloud?.spec.warmPools, entries, starts, refused, isNeeded: (entry) => needed.has(entry.metadata.uid) }
    },
    driver: () => driver,
    scope: (desired) => desired,
    item: () => undefined,
    plan: planPool,
  }
}

/** The Cloud that Ports may be made ahead of for it; undefined: none may be, or no more. */
function cloudOf(port: Port, env: Env): Resource<'Cloud'> | undefined {
  const namespace = port.metadata.namespace ?? ''
  const { subnet, vpc } = networkOf(port, resolveReference(port.spec.subnet, namespace), env)
  const cloud = env.caches.Cloud.get(vpc?.spec.cloud ?? '')
  if (cloud === undefined || [subnet, vpc, cloud].some(isGoing) || isNamespaceGoing(namespace, env)) return undefined
  return isFor(cloud, vpc!.metadata.namespace ?? '') ? cloud : undefined
}

const isNamespaceGoing = (name: string, { caches }: Env): boolean => {
  const namespace = caches.Namespace.get(name)
  return namespace !== undefined && isGoing(namespace)
}

/** UIDs of those that are kept for a Port that may still take them. That it is gone only the store itself can say. */
async function neededOf(entries: readonly Port[], env: Env): Promise<ReadonlySet<string>> {
  const kept = entries.filter(({ spec }) => spec.warm?.for !== undefined)
  const needed = await Promise.all(kept.map(async (entry) => ((await isNeeded(entry, env)) ? [entry.metadata.uid] : [])))
  return new Set(needed.flat())
}

async function isNeeded({ metadata: { namespace = '', uid }, spec }: Port, { caches, store }: Env): Promise<boolean> {
  const { name, uid: claimant } = spec.warm!.for!
  const cached = caches.Port.get(`${namespace}/${name}`)
  const port = cached?.metadata.uid === claimant ? cached : await store.get({ kind: 'Port', namespace, name })
  if (port?.metadata.uid !== claimant) return false
  const { from, requestedAt } = port.status ?? {}
  return from === undefined ? requestedAt === undefined : from.uid === uid
}

/** Undefined where it cannot be asked: then none are made, and none given back. */
async function roomAt(cloud: Resource<'Cloud'> | undefined, { quotas }: Env, signal: AbortSignal): Promise<number | undefined> {
  const quota = cloud && (await quotas.of(cloud, signal))
  return quota && Math.max(0, quota.limit - quota.used)
}

function writesOf(action: PoolAction): readonly Write[] {
  if (action.do === 'makeEntry') return [{ do: 'create', draft: action.draft }]
  const { metadata } = action.entry
  return [{ do: 'delete', ref: refOf(action.entry), preconditions: { uid: metadata.uid, resourceVersion: metadata.resourceVersion } }]
}
