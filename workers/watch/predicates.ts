// Which changes of an object concern somebody: predicates, each with the name that the drawing of who wakes whom gives it.
import { noticeFinalizer } from '../../core/kinds/annotations.ts'
import type { Kind, Resource } from '../../core/kinds/index.ts'
import { hasUnnotifiedChange } from '../../core/plan/notify/changes.ts'
import { reportedStateOf } from '../../core/plan/notify/notices.ts'
import { sameJson } from '../../core/same-json.ts'
import type { ChangeEvent } from '../../platform/cache/cache.ts'
import type { Env } from '../controller-env.ts'

export interface Predicate<K extends Kind> {
  /** It ends the sentence "a Port …". */
  readonly name: string
  readonly test: (event: ChangeEvent<K>, env: Env) => boolean
}
/** The object as it is, or as it was last. */
export const latest = <K extends Kind>({ before, after }: ChangeEvent<K>): Resource<K> => (after ?? before)!
export const isGoing = (item: Resource | undefined): boolean => item === undefined || item.metadata.deletionTimestamp !== undefined

export const when = <K extends Kind>(name: string, test: Predicate<K>['test']): Predicate<K> => ({ name, test })
export const either = <K extends Kind>(...of: readonly Predicate<K>[]): Predicate<K> =>
  when(of.map(({ name }) => name).join(' or '), (event, env) => of.some(({ test }) => test(event, env)))
export const both = <K extends Kind>(...of: readonly Predicate<K>[]): Predicate<K> =>
  when(of.map(({ name }) => (name.includes(' or ') ? `(${name})` : name)).join(' and '), (event, env) =>
    of.every(({ test }) => test(event, env)),
  )

export const changes: Predicate<Kind> = when('changes in any way', () => true)
export const appears: Predicate<Kind> = when('appears', ({ before }) => before === undefined)
export const goes: Predicate<Kind> = when('is gone', ({ after }) => after === undefined)
export const isBeingDeleted: Predicate<Kind> = when('is being deleted or is gone', ({ after }) => isGoing(after))
export const stays: Predicate<Kind> = when('is not being deleted', ({ after }) => !isGoing(after))
export const isThere: Predicate<Kind> = when('is there', ({ after }) => after !== undefined)

/** More than a report has changed: its deletion and its finalizers count as its spec does. */
export const specChanges: Predicate<Kind> = when('comes, goes or changes in spec', (event) => {
  // Many watches of one kind ask, one after the other, of the same event.
  if (event !== memo.of) Object.assign(memo, { of: event, changes: isSpecChange(event) })
  return memo.changes
})
const memo: { of: ChangeEvent<Kind> | undefined; changes: boolean } = { of: undefined, changes: false }

function isSpecChange({ before, after }: ChangeEvent<Kind>): boolean {
  if (before === undefined || after === undefined) return true
  const [a, b] = [before.metadata, after.metadata]
  return a.generation !== b.generation || a.deletionTimestamp !== b.deletionTimestamp || !sameJson(a.finalizers, b.finalizers)
}

/** A part of the object, as it was and as it is: absent where there was or is none. */
export const part = <K extends Kind>(name: string, of: (item: Resource<K> | undefined, env: Env) => unknown): Predicate<K> =>
  when(`changes in ${name}`, ({ before, after }, env) => !sameJson(of(before, env), of(after, env)))

/** Something of it that was told of once is not as it was told. */
export const isNotAsNotified: Predicate<Kind> = when(
  'is not as it was told',
  ({ after }) => after !== undefined && hasUnnotifiedChange(after),
)

/**
 * What was reported once is reported otherwise: maybe by a worker that begins with a past, and whoever has looked since, woken by what that
 * worker had not seen, may not have seen the report. A first report is nothing new to whoever has made it. Only of what is planned from the
 * store alone: two workers of whom one reaches a switch and the other does not would otherwise contradict each other without end.
 */
export const isReportedInAnotherPhase: Predicate<Kind> = when(
  'is reported in another phase than before, and is of no cloud',
  ({ before, after }) => {
    const was = before && reportedStateOf(before)?.phase
    return after !== undefined && was !== undefined && reportedStateOf(after)?.phase !== was && !isAtCloud(after)
  },
)

export const isAtCloud = (item: Resource | undefined): boolean => item?.status !== undefined && 'cloud' in item.status

/** It has our finalizer: somebody is to be told of its end. */
export const isGuarded = ({ metadata }: Resource): boolean => metadata.finalizers?.includes(noticeFinalizer) === true
