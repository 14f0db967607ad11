// What is read live, so that a watch that is late decides nothing: after a rival was faster, and before anything is drawn or let go.
// The caches take it in, and do not believe their watches again before those have come as far.
import type { Within, Write } from '../../core/contracts/store.ts'
import { AlreadyExists, MegrezError, NotFound, Stale } from '../../core/errors.ts'
import { wiredFinalizer } from '../../core/kinds/annotations.ts'
import { keyOf, keyOfItem, refFromKey, refOf, type Kind, type Ref, type Resource } from '../../core/kinds/index.ts'
import { isPodFinished } from '../../core/plan/pod/pod.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import { cachedKinds } from '../../platform/cache/caches.ts'
import type { Env } from '../controller-env.ts'

type Living = Pick<Env, 'caches' | 'store'>

/** An object as a pass has gathered it. */
export interface ObservedVersion {
  readonly ref: Ref
  /** Absent: there was none. */
  readonly version: string | undefined
}
/** What one pass is about. */
export interface PlanBasis {
  /** The object of the key, as it was gathered. */
  readonly item: Resource | undefined
  /** What the plan decides by beside it. */
  readonly basis: readonly ObservedVersion[]
}

const cacheOf = (kind: Kind, caches: Living['caches']): Cache<Kind> | undefined =>
  (caches as Partial<Record<Kind, unknown>>)[kind] as Cache<Kind> | undefined

/** The caches take in what the store itself has said of one object just now. */
export const learn = (ref: Ref, item: Resource, { caches }: Pick<Living, 'caches'>): void =>
  cacheOf(ref.kind, caches)?.learn(keyOf(ref), item)

export const seenAs = (item: Resource): ObservedVersion => ({ ref: refOf(item), version: item.metadata.resourceVersion })

/** @param basis as it was gathered; by its name, where what the cache has just now is what was gathered */
export function planBasisOf(item: Resource | undefined, basis: readonly (Ref | Resource)[], { caches }: Pick<Living, 'caches'>): PlanBasis {
  const seenOf = (each: Ref | Resource): ObservedVersion =>
    'metadata' in each ? seenAs(each) : { ref: each, version: cacheOf(each.kind, caches)?.get(keyOf(each))?.metadata.resourceVersion }
  return { item, basis: basis.map(seenOf) }
}

/**
 * Reads them, and has the caches take them in.
 *
 * @returns whether one is no longer as it was gathered: what a watch has told of meanwhile the plan does not know either
 */
export async function readLive(seen: readonly ObservedVersion[], { caches, store }: Living): Promise<boolean> {
  const read = await Promise.all(
    seen.map(async ({ ref, version }) => {
      const cache = cacheOf(ref.kind, caches)
      if (cache === undefined) return false
      const key = keyOf(ref)
      const before = cache.get(key)
      const item = await store.get(ref)
      if (item !== undefined) cache.learn(key, item)
      else if (before !== undefined) cache.learnGone(before)
      return cache.get(key)?.metadata.resourceVersion !== version
    }),
  )
  return read.includes(true)
}

/** How often each cache had changed when something was planned by it. */
export const changeCountsOf = ({ caches }: Pick<Living, 'caches'>): ReadonlyMap<string, number> =>
  new Map(cachedKinds.flatMap((kind) => (cacheOf(kind, caches) === undefined ? [] : [[kind, caches[kind].changeCount] as const])))

/** All of a kind, or those that a list of some of it has. */
export type LiveKind = Kind | SomeOfKind
export interface SomeOfKind {
  readonly kind: Kind
  readonly within: Within
  /** The same of what a cache has. */
  readonly isWithin: (item: Resource) => boolean
}
export const kindOf = (wanted: LiveKind): Kind => (typeof wanted === 'string' ? wanted : wanted.kind)

/**
 * The same of all that there are of a kind, those of which no watch has told among them; what a watch has told since is changed too.
 * @param changeCounts as they were when it was planned
 */
export async function readAllLive(
  wanted: LiveKind,
  changeCounts: ReadonlyMap<string, number>,
  { caches, store }: Living,
): Promise<boolean> {
  const { kind, within, isWithin } = typeof wanted === 'string' ? { kind: wanted, within: {}, isWithin: () => true } : wanted
  const cache = cacheOf(kind, caches)
  if (cache === undefined) return false
  const isOld = cache.changeCount !== changeCounts.get(kind)
  const before = [...cache.values()].filter(isWithin)
  const { items } = await store.list(kind, within)
  const there = new Map<string, Resource>(items.map((item) => [keyOfItem(item), item]))
  const missing = before.filter((item) => !there.has(keyOfItem(item)))
  const elsewhere = typeof wanted === 'string' ? [] : await readOneByOne(missing, store)
  const staying = new Set(elsewhere.map(keyOfItem))
  const gone = missing.filter((item) => !staying.has(keyOfItem(item)) && cache.learnGone(item))
  const changed = [...there.values(), ...elsewhere].filter(
    (item) => cache.get(keyOfItem(item))?.metadata.resourceVersion !== item.metadata.resourceVersion,
  )
  for (const item of changed) cache.learn(keyOfItem(item), item)
  return isOld || gone.length + elsewhere.length + changed.length > 0
}

/** What a list of some of a kind has no more may only have moved, as a Port to another node. Who is taken for gone never comes back. */
async function readOneByOne(items: readonly Resource[], store: Living['store']): Promise<readonly Resource[]> {
  const read = await Promise.all(items.map((item) => store.get(refOf(item))))
  return read.filter((item) => item !== undefined)
}

/** After a rival was faster: the object, what is decided by, and what the store spoke of, which may be another's lock. */
export async function learnFrom(err: unknown, { item, basis }: PlanBasis, env: Living): Promise<void> {
  if (!(err instanceof Stale || err instanceof AlreadyExists || err instanceof NotFound)) return
  const { about } = err as MegrezError
  const refs = [
    ...(item === undefined ? [] : [refOf(item)]),
    ...basis.map(({ ref }) => ref),
    ...(about !== undefined && about.kind in env.caches ? [refFromKey(about.kind as Kind, about.key)] : []),
  ]
  await readLive([...new Map(refs.map((ref) => [`${ref.kind} ${keyOf(ref)}`, { ref, version: undefined }])).values()], env)
}

/** What must be read live before such writes are made: of what ends for good, only what else is decided by. */
export const toReadFirst = ({ item, basis }: PlanBasis): readonly ObservedVersion[] => [
  ...(item === undefined || isFinal(item) ? [] : [seenAs(item)]),
  ...basis,
]

/** A deletion is not taken back. */
const isFinal = (item: Resource): boolean =>
  item.metadata.deletionTimestamp !== undefined || (item.kind === 'Pod' && isPodFinished(item as Resource<'Pod'>))

/** A block of a VNI is given to who is still there. */
const gives = (write: Write): boolean => write.do === 'update' && write.item.kind === 'SegmentLock'

/**
 * Taking a number of those that there is one of: what was drawn before must be known. An address is drawn by making its lock, and the
 * report falls with it.
 */
const draws = (write: Write): boolean => write.do === 'create' && write.draft.kind === 'SegmentLock'
const frees = (write: Write): boolean => write.do === 'delete' || (write.do === 'removeFinalizer' && write.finalizer === wiredFinalizer)

export const drawsOrLetsGo = (writes: readonly Write[]): boolean => writes.some((write) => draws(write) || frees(write) || gives(write))
