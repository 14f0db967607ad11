// What is registered of one kind as this process knows it, and who is told of its changes.
import type { Resource, SpecOf } from '../../../core/kinds/index.ts'
import type { NsmKind } from '../../../core/kinds/foreign-network-services.ts'
import { nsmNameOf } from '../../../core/nsm/named.ts'
import type { Cache } from '../../cache/cache.ts'
import { Watcher } from './watcher.ts'

export interface ListingOf<K extends NsmKind> {
  readonly cache: Cache<K>
  readonly fits: (query: SpecOf<K>, found: SpecOf<K>) => boolean
  /** As it is told, where that is not what is stored. */
  readonly shown: (item: Resource<K>) => SpecOf<K>
}

/** A step of one registration; when it is deleted, as it was told last. */
export interface RegistrationStep<K extends NsmKind> {
  readonly spec: SpecOf<K>
  readonly deleted: boolean
}

interface Registration<K extends NsmKind> {
  readonly item: Resource<K>
  readonly spec: SpecOf<K>
}

/** Every change is told once: those that we write at once, those of others as the cache hears of them. */
export class Listing<K extends NsmKind> {
  readonly #of: ListingOf<K>
  readonly #known = new Map<string, Registration<K>>()
  readonly #watchers = new Set<Watcher<RegistrationStep<K>>>()
  /** Being written by us: what the cache tells meanwhile is told when that is done. */
  readonly #busy = new Set<string>()

  constructor(of: ListingOf<K>) {
    this.#of = of
    of.cache.on(({ key, after }) => {
      if (!this.#busy.has(key)) this.#take(key, after)
    })
  }

  /** In the order in which they came. */
  find(query: SpecOf<K>): SpecOf<K>[] {
    return [...this.#known.values()].flatMap(({ spec }) => (this.#of.fits(query, spec) ? [spec] : []))
  }

  /** What is there, then every step, refreshes too. Ends when `signal` falls. @throws WatchOverrun where its reader does not keep up */
  async *watch(query: SpecOf<K>, signal: AbortSignal): AsyncGenerator<RegistrationStep<K>, void, undefined> {
    const watcher = new Watcher<RegistrationStep<K>>(({ spec }) => this.#of.fits(query, spec), signal)
    const first = this.find(query)
    this.#watchers.add(watcher)
    try {
      for (const spec of first) yield { spec, deleted: false }
      yield* watcher.events()
    } finally {
      this.#watchers.delete(watcher)
    }
  }

  /** The object with that name among clients; where there are two of a namespace, the one that has been there longer. */
  named(namespace: string, name: string): Resource<K> | undefined {
    const direct = this.#known.get(`${namespace}/${name}`)?.item
    if (direct !== undefined && nsmNameOf(direct) === name) return direct
    for (const { item } of this.#known.values()) if (item.metadata.namespace === namespace && nsmNameOf(item) === name) return item
    return undefined
  }

  /**
   * A write of ours. What it answers with is told, whether or not it differs from what was there: undefined for what is gone.
   *
   * @param key `namespace/name` of the object
   */
  async write(key: string, run: () => Promise<Resource<K> | undefined>): Promise<SpecOf<K> | undefined> {
    this.#busy.add(key)
    try {
      const before = this.#known.get(key)?.item
      const item = await run()
      if (item !== undefined) {
        this.#of.cache.learn(key, item)
        return this.#tell(key, item)
      }
      if (before !== undefined) this.#of.cache.learnGone(before)
      this.#gone(key)
      return undefined
    } finally {
      this.#busy.delete(key)
      this.#take(key, this.#of.cache.get(key))
    }
  }

  #take(key: string, item: Resource<K> | undefined): void {
    if (item === undefined) return this.#gone(key)
    if (this.#known.get(key)?.item.metadata.resourceVersion !== item.metadata.resourceVersion) this.#tell(key, item)
  }

  #tell(key: string, item: Resource<K>): SpecOf<K> {
    const spec = { ...this.#of.shown(item), name: nsmNameOf(item) }
    this.#known.set(key, { item, spec })
    for (const watcher of this.#watchers) watcher.put({ spec, deleted: false })
    return spec
  }

  #gone(key: string): void {
    const known = this.#known.get(key)
    if (known === undefined) return
    this.#known.delete(key)
    for (const watcher of this.#watchers) watcher.put({ spec: known.spec, deleted: true })
  }
}
