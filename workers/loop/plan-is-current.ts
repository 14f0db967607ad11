// Whether a plan may be taken: before a number is drawn, something let go, done on a switch or promised, what decides it is read live.
import type { Write } from '../../core/contracts/store.ts'
import { noticeFinalizer } from '../../core/kinds/annotations.ts'
import { refOf, type Kind, type Ref } from '../../core/kinds/index.ts'
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
  /** What has been read since. */
  readonly read: ReadLive
  constructor(read: ReadLive = {}) {
    super()
    this.read = read
  }
}

/** What was read live in the course of one pass and its repetitions. */
export interface ReadLive {
  /** All of these. */
  readonly kinds?: readonly Kind[]
  /** Single objects, by `idOf`. */
  readonly objects?: readonly string[]
}
export const joinRead = (one: ReadLive = {}, other: ReadLive): ReadLive => ({
  kinds: [...(one.kinds ?? []), ...(other.kinds ?? [])],
  objects: [...(one.objects ?? []), ...(other.objects ?? [])],
})
export const idOf = ({ kind, ...named }: Pick<Ref, 'kind' | 'name'> & { readonly namespace?: string | undefined }): string =>
  `${kind} ${named.namespace ?? ''}/${named.name}`

export interface Decided {
  readonly writes: readonly Write[]
  readonly phase: Phase
  readonly needsLive: readonly LiveKind[] | undefined
  /** Of the caches, before anything was gathered. */
  readonly changeCounts: ReadonlyMap<string, number>
  readonly forget: () => boolean
}

/**
 * Of a plan that was made anew, after what decided the one before had been read: it may be decided by more than that was. What has been
 * read is not read again.
 *
 * @throws Outdated
 */
export async function mustBeCurrentToo(
  { writes, needsLive, changeCounts }: Pick<Decided, 'writes' | 'needsLive' | 'changeCounts'>,
  basis: PlanBasis,
  read: ReadLive,
  env: Env,
): Promise<void> {
  const kinds = (needsLive ?? []).filter((each) => read.kinds?.includes(kindOf(each)) !== true)
  const others = decidedBy({ writes, needsLive }, basis).filter(({ ref }) => read.objects?.includes(idOf(ref)) !== true)
  const changed = await Promise.all([readLive(others, env), ...kinds.map((kind) => readAllLive(kind, changeCounts, env))])
  if (changed.includes(true)) throw new Outdated({ kinds: kinds.map(kindOf), objects: others.map(({ ref }) => idOf(ref)) })
}

const decidedBy = ({ writes, needsLive }: Pick<Decided, 'writes' | 'needsLive'>, basis: PlanBasis): readonly ObservedVersion[] =>
  needsLive !== undefined || drawsOrLetsGo(writes) ? toReadFirst(basis) : []

/** @throws Outdated; before an end is told, also where it has been told already */
export async function mustBeCurrent(
  { writes, phase, needsLive, changeCounts, forget }: Decided,
  basis: PlanBasis,
  env: Env,
): Promise<void> {
  const decides = decidedBy({ writes, needsLive }, basis)
  const read = await Promise.all([
    readLive(phase === 'deleted' ? withEnd(decides, basis) : decides, env),
    ...(needsLive ?? []).map((kind) => readAllLive(kind, changeCounts, env)),
  ])
  const isOld = needsLive !== undefined && forget()
  if (isOld || read.includes(true))
    throw new Outdated({ kinds: (needsLive ?? []).map(kindOf), objects: decides.map(({ ref }) => idOf(ref)) })
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
