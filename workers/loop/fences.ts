// What every commit of a pass is held to, whoever planned it: here, so that no controller can forget it.
import type { Write } from '../../core/contracts/store.ts'
import { Stale } from '../../core/errors.ts'
import { noticeFinalizer } from '../../core/kinds/annotations.ts'
import { keyOf, type Ref, type Resource } from '../../core/kinds/index.ts'
import { isAtFence, isAtPodFence } from '../../core/plan/fence.ts'
import { reliesOn, type AnyLock } from '../../core/plan/builtin/locks.ts'
import { isPooled, type PooledKind } from '../../core/plan/pool/pool-address.ts'
import type { Env } from '../controller-env.ts'

type Item = Resource | undefined
type Status = Extract<Write, { do: 'patchStatus' }>
const isLockKind = (kind: string): kind is AnyLock['kind'] => kind === 'IPLock' || kind === 'SegmentLock'
const isSame = (ref: Ref, item: Resource): boolean => ref.kind === item.kind && keyOf(ref) === keyOf(item.metadata)

/**
 * Where a plan has drawn a number or let one go, the report of its object holds only on the object as it was read, whole.
 *
 * @param before what the pass has written already
 */
export function fenced(writes: readonly Write[], item: Item, before: readonly Write[]): readonly Write[] {
  for (const write of writes) mustBeFenced(write)
  if (item === undefined) return writes
  return endFenced(reportFenced(writes, item, before), item, before)
}

function reportFenced(writes: readonly Write[], item: Resource, before: readonly Write[]): readonly Write[] {
  // What changes its own object, or lets it go, is reported by the pass that sees it so.
  if (writes.some((write) => isOnItself(write, item))) return writes.filter((write) => !isStatusOf(write, item))
  const isTouched = [...before, ...writes].some((write) => write.do === 'addFinalizer' && isSame(write.ref, item))
  if (isTouched || !writes.some(takesOrFrees)) return writes
  return writes.map((write) => (isStatusOf(write, item) ? { ...write, resourceVersion: item.metadata.resourceVersion } : write))
}

const isOnItself = (write: Write, item: Resource): boolean =>
  (write.do === 'update' && isOf(write.item, item)) || (write.do === 'delete' && isSame(write.ref, item))

/** Somebody may begin to be told of it: the end lands on the object as it was read, whole, or is planned anew. */
function endFenced(writes: readonly Write[], item: Resource, before: readonly Write[]): readonly Write[] {
  const at = writes.findIndex((write) => write.do === 'removeFinalizer' && write.finalizer === noticeFinalizer && isSame(write.ref, item))
  if (at < 0 || [...before, ...writes.slice(0, at)].some((write) => changes(write, item))) return writes
  return writes.map((write, i) => (i === at ? { ...write, resourceVersion: item.metadata.resourceVersion } : write))
}

function changes(write: Write, item: Resource): boolean {
  if (write.do === 'create') return false
  if (write.do === 'update') return isOf(write.item, item)
  return isSame(write.do === 'patchPodStatus' ? write.pod : write.ref, item)
}

function mustBeFenced(write: Write): void {
  if (write.do !== 'patchStatus' && write.do !== 'patchPodStatus') return
  const fenced = write.fence !== undefined || ('resourceVersion' in write && write.resourceVersion !== undefined)
  if (!fenced) throw new Error(`a report without a fence: ${keyOf(write.do === 'patchStatus' ? write.ref : write.pod)}`)
}

/** Whether a write would find its object as it was planned from, were it the next one. */
export function holdsOn(write: Write, item: Resource): boolean {
  if (!changes(write, item)) return true
  if (write.do === 'patchPodStatus') return write.fence === undefined || isAtPodFence(item as Resource<'Pod'>, write.fence)
  if (write.do === 'patchStatus' && write.fence !== undefined && !isAtFence(item, write.fence)) return false
  return !('resourceVersion' in write) || write.resourceVersion === undefined || write.resourceVersion === item.metadata.resourceVersion
}

const isOf = (other: Resource, item: Resource): boolean => isSame({ kind: other.kind, ...other.metadata }, item)
export const isStatusOf = (write: Write, item: Resource): write is Status => write.do === 'patchStatus' && isSame(write.ref, item)
const takesOrFrees = (write: Write): boolean =>
  (write.do === 'create' && isLockKind(write.draft.kind)) || (write.do === 'delete' && isLockKind(write.ref.kind))

/**
 * Nobody frees a lock that something relies on: not a VNI with blocks, nor an address of a Port that is there for it.
 *
 * @param item of the pass: what it holds itself it may let go, once it ends
 * @throws Stale for the lock: the next pass reads it
 */
export async function keepReliedOn(writes: readonly Write[], item: Item, env: Pick<Env, 'caches' | 'store'>): Promise<void> {
  for (const write of writes) {
    if (write.do !== 'delete' || !isLockKind(write.ref.kind)) continue
    const lock = await lockOf(write, env)
    if (lock !== undefined && (await (isOfPool(lock) ? isToldOf : isReliedOn)(lock, item, env)))
      throw new Stale({ kind: write.ref.kind, key: keyOf(write.ref) })
  }
}

/** As it was when the delete was planned: a version that a cache has too need not be read. */
async function lockOf(
  { ref, preconditions }: Extract<Write, { do: 'delete' }>,
  { caches, store }: Pick<Env, 'caches' | 'store'>,
): Promise<AnyLock | undefined> {
  if (preconditions?.uid === undefined || preconditions.resourceVersion === undefined)
    throw new Error(`a lock is freed as it was read or not at all: ${keyOf(ref)}`)
  const seen = caches[ref.kind as AnyLock['kind']].get(keyOf(ref))
  if (seen?.metadata.resourceVersion === preconditions.resourceVersion) return seen
  return (await store.get(ref)) as AnyLock | undefined
}

async function isReliedOn(lock: AnyLock, item: Item, { store }: Pick<Env, 'store'>): Promise<boolean> {
  const { holder } = lock.spec
  if (holder === undefined || lock.kind === 'SegmentLock' || holder.kind !== 'Port') return reliesOn(undefined, lock)
  const ends = item?.metadata.uid === holder.uid && item.metadata.deletionTimestamp !== undefined
  const port = ends
    ? item
    : await store.get({ kind: 'Port', ...(holder.namespace !== undefined && { namespace: holder.namespace }), name: holder.name })
  return reliesOn(port as Resource<'Port'> | undefined, lock)
}

const isOfPool = ({ spec }: AnyLock): boolean => spec.holder !== undefined && isPooled(spec.holder.kind)

/** At its end its own pass frees it, and while it tells of an address nobody. */
async function isToldOf(lock: AnyLock, item: Item, { store }: Pick<Env, 'store'>): Promise<boolean> {
  const { kind, namespace = '', name, uid } = lock.spec.holder!
  const there = await store.get({ kind: kind as PooledKind, namespace, name })
  if (there?.metadata.uid !== uid) return false
  return there.metadata.deletionTimestamp === undefined
    ? lock.kind === 'IPLock' && there.spec.addresses.includes(lock.spec.address ?? '')
    : item?.metadata.uid !== uid
}
