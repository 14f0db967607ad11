// From an object that has changed to the keys that it concerns: its own, those it names, or those that an index of the caches finds.
import { keyOfItem, type Kind, type Resource } from '../../core/kinds/index.ts'
import type { ChangeEvent } from '../../platform/cache/cache.ts'
import type { Cached, IndexName } from '../../platform/cache/caches.ts'
import type { Env } from '../controller-env.ts'
import { isGoing, latest } from './predicates.ts'

/** Keys of `Target`, for an event of `K`. */
export interface Keys<K extends Kind, Target extends Cached> {
  readonly target: Target
  /** How they are found, for the drawing. */
  readonly text: string
  /** Those that are asked, as `Port.subnet`. */
  readonly indexes: readonly string[]
  readonly of: (event: ChangeEvent<K>, env: Env) => Iterable<string>
}
/** Which of the objects found are meant. */
export interface Where<T extends Cached> {
  readonly name: string
  readonly test: (item: Resource<T> | undefined, env: Env) => boolean
}
interface CacheOf<T extends Cached> {
  get(key: string): Resource<T> | undefined
  values(): Iterable<Resource<T>>
  by(index: IndexName<T>, value: string): Iterable<Resource<T>>
}

const cacheOf = <T extends Cached>(kind: T, { caches }: Env): CacheOf<T> => caches[kind] as unknown as CacheOf<T>
const withCondition = (text: string, where: { readonly name: string } | undefined): string =>
  where === undefined ? text : `${text}, where ${where.name}`

export const where = <T extends Cached>(name: string, test: Where<T>['test']): Where<T> => ({ name, test })
/** It waits for the last who needs it. */
export const beingDeleted: Where<Cached> = where('it is being deleted', (item) => item !== undefined && isGoing(item))
export const known: Where<Cached> = where('there is one', (item) => item !== undefined)

/** Its own. */
export const itself = {
  target: 'itself',
  text: 'itself',
  indexes: [],
  of: ({ key }: ChangeEvent<Kind>): readonly string[] => [key],
} as const

/** Keys of `target` by a function of the object as it was and as it is. */
export function asItWasAndIs<K extends Kind, T extends Cached>(
  target: T,
  text: string,
  of: (item: Resource<K>, env: Env) => Iterable<string>,
): Keys<K, T> {
  return {
    target,
    text,
    indexes: [],
    of: ({ before, after }, env) => new Set([before, after].flatMap((item) => (item === undefined ? [] : [...of(item, env)]))),
  }
}

/** Of a queue that is of no kind. */
export interface Written<K extends Kind> extends Omit<Keys<K, never>, 'target'> {
  readonly target: undefined
}
export const written = <K extends Kind>(text: string, of: (event: ChangeEvent<K>, env: Env) => readonly string[]): Written<K> => ({
  target: undefined,
  text,
  indexes: [],
  of,
})

/** Those that the object names. */
export function named<K extends Kind, T extends Cached>(
  kind: T,
  text: string,
  of: (item: Resource<K>, env: Env) => readonly string[],
  only?: Where<T>,
): Keys<K, T> {
  return {
    target: kind,
    text: withCondition(text, only),
    indexes: [],
    of: (event, env) =>
      only === undefined ? of(latest(event), env) : of(latest(event), env).filter((key) => only.test(cacheOf(kind, env).get(key), env)),
  }
}

/** Those that an index has under what `of` says of the object. */
export function by<K extends Kind, T extends Cached>(
  kind: T,
  index: IndexName<T>,
  of: (item: Resource<K>) => readonly string[],
  only?: Where<T>,
): Keys<K, T> {
  return {
    target: kind,
    text: withCondition(`by index ${kind}.${index}`, only),
    indexes: [`${kind}.${index}`],
    *of(event, env) {
      for (const value of of(latest(event)))
        for (const item of cacheOf(kind, env).by(index, value)) if (only === undefined || only.test(item, env)) yield keyOfItem(item)
    },
  }
}

/** All there are, or those of them that have to do with the object. */
export function every<K extends Kind, T extends Cached>(
  kind: T,
  only?: { readonly name: string; readonly test: (item: Resource<T>, of: Resource<K>, env: Env) => boolean },
): Keys<K, T> {
  return {
    target: kind,
    text: withCondition('all', only),
    indexes: [],
    *of(event, env) {
      for (const item of cacheOf(kind, env).values()) if (only === undefined || only.test(item, latest(event), env)) yield keyOfItem(item)
    },
  }
}

/** In two steps: what the object has to do with, and what that has to do with. */
export function through<K extends Kind, M extends Cached, T extends Cached>(first: Keys<K, M>, then: Keys<M, T>): Keys<K, T> {
  return {
    target: then.target,
    text: `by its ${first.target} (${first.text}), then ${then.text}`,
    indexes: [...first.indexes, ...then.indexes],
    *of(event, env) {
      for (const key of first.of(event, env)) {
        const item = cacheOf(first.target, env).get(key)
        if (item !== undefined) yield* then.of({ key, before: undefined, after: item }, env)
      }
    },
  }
}

/** By the object as it was: what it has let go of. */
export function asItWas<K extends Kind, T extends Cached>(keys: Keys<K, T>): Keys<K, T> {
  return {
    ...keys,
    text: `${keys.text}, as it was`,
    of: ({ key, before }, env) => (before === undefined ? [] : keys.of({ key, before, after: undefined }, env)),
  }
}
