// Subscriptions by the store's own word. A watch may be late, and nobody is left untold because of that: before anything is dropped,
// or let go untold, because nobody asks to be told, the store is asked. One list at a time, however many want to know.
import type { Store } from '../../core/contracts/store.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { Caches } from '../../platform/cache/caches.ts'
import type { Clock } from '../../platform/clock.ts'
import { isBefore } from '../../platform/cache/ahead.ts'
import { shareNext } from '../../platform/order/share-next.ts'

type Subscription = Resource<'Subscription'>

/** What the store has said, and the watch has not, is believed for so long: the watch may never tell of it. */
const believedMs = 5_000

export class LiveSubscriptions {
  readonly #cache: Caches['Subscription']
  readonly #clock: Clock
  readonly #list: () => Promise<ReadonlyMap<string, Subscription>>
  /** Those that the store has told of and the watch has not, as they are now. */
  #ahead: ReadonlyMap<string, Subscription> = new Map()
  #until = 0

  constructor({ store, caches, clock }: { readonly store: Store; readonly caches: Caches; readonly clock: Clock }) {
    this.#cache = caches.Subscription
    this.#clock = clock
    this.#list = shareNext(async () => new Map((await store.list('Subscription')).items.map((item) => [item.metadata.uid, item])))
  }

  /** All there are, by UID, at some moment after this was asked. */
  async list(): Promise<ReadonlyMap<string, Subscription>> {
    const all = await this.#list()
    this.#ahead = new Map([...all].filter(([uid, item]) => isAhead(item, this.#seen(uid))))
    this.#until = this.#clock.elapsed() + believedMs
    return all
  }

  /** Whether the watch has told of all that there were when an object was written as it is: versions of all kinds are counted as one. */
  hasSeen({ metadata: { resourceVersion } }: Resource): boolean {
    return isBefore(resourceVersion, this.#cache.resourceVersion)
  }

  /** As far as is known here: undefined proves nothing. */
  get(uid: string): Subscription | undefined {
    const seen = this.#seen(uid)
    const ahead = this.#known().get(uid)
    return ahead !== undefined && isAhead(ahead, seen) ? ahead : seen
  }

  /** Those of a namespace, as far as is known here. */
  *in(namespace: string): Iterable<Subscription> {
    const known = this.#known()
    for (const seen of this.#cache.by('namespace', namespace)) yield known.size === 0 ? seen : this.get(seen.metadata.uid)!
    for (const item of known.values()) if (item.metadata.namespace === namespace && this.#seen(item.metadata.uid) === undefined) yield item
  }

  #seen(uid: string): Subscription | undefined {
    for (const seen of this.#cache.by('uid', uid)) return seen
    return undefined
  }

  #known(): ReadonlyMap<string, Subscription> {
    if (this.#ahead.size > 0 && this.#clock.elapsed() > this.#until) this.#ahead = new Map()
    return this.#ahead
  }
}

/** A Subscription whose spec has changed has another generation. */
const isAhead = (live: Subscription, seen: Subscription | undefined): boolean =>
  seen === undefined || live.metadata.generation > seen.metadata.generation
