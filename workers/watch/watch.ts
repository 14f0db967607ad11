// What wakes the keys of a row: which kind's change, which of its changes, and by which way the keys are found.
import type { Kind } from '../../core/kinds/index.ts'
import type { ChangeEvent } from '../../platform/cache/cache.ts'
import type { Cached } from '../../platform/cache/caches.ts'
import type { Env } from '../controller-env.ts'
import type { QueueName } from '../queues.ts'
import type { Predicate } from './predicates.ts'
import type { itself, Keys, Written } from './map-to-keys.ts'

/** A watch that wakes keys of one queue; of which kind it is only its maker knows. */
export interface Watch<Target extends QueueName = QueueName> {
  readonly kind: Cached
  readonly target: Target
  readonly when: string
  readonly keys: string
  readonly indexes: readonly string[]
  /** How long a key waits, in words. */
  readonly after: string | undefined
  /** Also of what a pass makes, and has reconciled for all others. */
  readonly hearsMade: boolean
  readonly hear: (event: ChangeEvent<Kind>, env: Env) => void
}
/** How long a key waits before it is reconciled. */
export interface Delay<K extends Kind> {
  /** For the drawing. */
  readonly text: string
  /**
   * Undefined: not at all.
   *
   * @param place of the key among those that the event wakes, from 0
   */
  readonly ms: (event: ChangeEvent<K>, env: Env, place: number) => number | undefined
  /**
   * Given, it waits by a clock of this process, and only if it holds then: a queue would have to forget the key again. A worker that ends
   * before reconciles every key when it starts.
   */
  readonly still?: (key: string, env: Env) => boolean
}
interface WatchOptions<K extends Kind, T extends QueueName> {
  readonly when: Predicate<K>
  readonly keys: Keys<K, T & Cached> | (K extends T ? typeof itself : never) | (T extends Kind ? never : Written<K>)
  readonly after?: Delay<K>
  readonly hearsMade?: boolean
}

/** Watches of one row. */
export type WatchFor<T extends QueueName> = <K extends Cached>(kind: K, given: WatchOptions<K, T>) => Watch<T>

export const watchFor =
  <T extends QueueName>(target: T): WatchFor<T> =>
  (kind, { when, keys, after, hearsMade = false }) => ({
    kind,
    target,
    when: when.name,
    keys: keys.text,
    indexes: keys.indexes,
    after: after?.text,
    hearsMade,
    hear(event, env) {
      const of = event as Parameters<typeof when.test>[0]
      if (!when.test(of, env)) return
      let place = 0
      for (const key of keys.of(of, env)) {
        const ms = after?.ms(of, env, place++)
        if (!env.inHand.sees(target, key, ms)) wake({ target, key, ms, still: after?.still }, env)
      }
    },
  })

interface Waking {
  readonly target: QueueName
  readonly key: string
  readonly ms: number | undefined
  readonly still: Delay<never>['still']
}

function wake({ target, key, ms, still }: Waking, env: Env): void {
  if (ms === undefined || still === undefined) return env.add(target, key, ms)
  env.clock.after(ms, () => {
    if (still(key, env)) env.add(target, key)
  })
}
