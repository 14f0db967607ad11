// Whether a plan may be taken: before a number is drawn, something let go, done on a switch or promised, what decides it is read live.
import type { Write } from '../../core/contracts/store.ts'
import { noticeFinalizer } from '../../core/kinds/annotations.ts'
import { refOf, type Kind } from '../../core/kinds/index.ts'
import type { Phase } from '../../core/kinds/meta.ts'
import type { Env } from '../controller-env.ts'
import { holdsOn, isStatusOf } from './fences.ts'
import {
  drawsOrLetsGo,
  kindOf,
  readAllLive,
  readLive,
  seenAs,
  toReadFirst,
  type LiveKind,
  type ObservedVersion,
  type PlanBasis,
} from './live-reads.ts'

/** The plan was made from what is no longer so: it is made again. */
export class Outdated extends Error {
  /** All of these has been read. */
  readonly kinds: readonly Kind[]
  constructor(kinds: readonly Kind[] = []) {
    super()
    this.kinds = kinds
  }
}

export interface Decided {
  readonly writes: readonly Write[]
  readonly phase: Phase
  readonly needsLive: readonly LiveKind[] | undefined
  /** Of the caches, before anything was gathered. */
  readonly changeCounts: ReadonlyMap<string, number>
  readonly forget: () => boolean
}

/**
 * Of a plan that was made anew, after what decided the one before had been read: it may be decided by more than that was.
 * @param read all of these has been read
 * @throws Outdated
 */
export async function mustBeCurrentToo(
  { needsLive = [], changeCounts }: Pick<Decided, 'needsLive' | 'changeCounts'>,
  read: ReadonlySet<Kind>,
  env: Env,
): Promise<void> {
  const kinds = needsLive.filter((each) => !read.has(kindOf(each)))
  const changed = await Promise.all(kinds.map((kind) => readAllLive(kind, changeCounts, env)))
  if (changed.includes(true)) throw new Outdated(kinds.map(kindOf))
}

/** @throws Outdated; before an end is told, also where it has been told already */
export async function mustBeCurrent(
  { writes, phase, needsLive, changeCounts, forget }: Decided,
  basis: PlanBasis,
  env: Env,
): Promise<void> {
  const decides = needsLive !== undefined || drawsOrLetsGo(writes) ? toReadFirst(basis) : []
  const read = await Promise.all([
    readLive(phase === 'deleted' ? withEnd(decides, basis) : decides, env),
    ...(needsLive ?? []).map((kind) => readAllLive(kind, changeCounts, env)),
  ])
  const isOld = needsLive !== undefined && forget()
  if (isOld || read.includes(true)) throw new Outdated(needsLive?.map(kindOf))
}

function withEnd(decides: readonly ObservedVersion[], { item }: PlanBasis): readonly ObservedVersion[] {
  if (item?.metadata.finalizers?.includes(noticeFinalizer) !== true) return decides
  return [seenAs(item), ...decides.filter(({ ref: { kind, name } }) => kind !== item.kind || name !== item.metadata.name)]
}

/**
 * Where a commit goes write by write, a Notice stands although its report falls: before one is made the object is read, so that nobody is
 * told of a change that was told long ago and has been forgotten.
 */
export async function isNotifiedAlready(
  report: readonly Write[],
  { item }: PlanBasis,
  env: Env,
  tried: readonly Write[],
): Promise<boolean> {
  const notifies = env.store.identify === undefined && report.some((write) => write.do === 'create' && write.draft.kind === 'Notice')
  if (!notifies || item === undefined || !(await readLive([seenAs(item)], env))) return false
  // What the pass has written of its object itself has told nobody.
  if (!tried.some((write) => isStatusOf(write, item))) return true
  const live = await env.store.get(refOf(item))
  return live?.metadata.uid !== item.metadata.uid || !report.every((write) => holdsOn(write, live))
}
