// What one kind looks like now, kept up by a watch: reads cost nothing, and every reader sees the same objects.
import { keyOfItem, type Kind, type Resource } from '../../core/kinds/index.ts'
import type { WatchEvent, Store, Within } from '../../core/contracts/store.ts'
import { Ahead, isBefore, isOlder } from './ahead.ts'
import { CacheIndex, type IndexOf } from './cache-index.ts'

export type { IndexOf } from './cache-index.ts'

/** One object's step; `before` absent: new to us, `after` absent: gone. */
export interface ChangeEvent<K extends Kind> {
  readonly key: string
  readonly before: Resource<K> | undefined
  readonly after: Resource<K> | undefined
}
export type Listener<K extends Kind> = (event: ChangeEvent<K>) => void

export interface CacheOptions<K extends Kind> {
  readonly within?: Within
  readonly indexes?: Readonly<Record<string, IndexOf<K>>>
  /** A listener threw; the cache goes on. */
  readonly onError?: (err: unknown, key: string) => void
}

const none: readonly never[] = []

export class Cache<K extends Kind, I extends string = string> {
  readonly kind: K
  #store: Store
  #options: CacheOptions<K>
  #items = new Map<string, Resource<K>>()
  #indexes = new Map<string, CacheIndex<K>>()
  #listeners: Listener<K>[] = []
  #synced = false
  #onSynced: (() => void)[] = []
  #resourceVersion = '0'
  #events = 0
  /** What was read live and no watch has told of yet. */
  #ahead = new Ahead<K>()
  #waiting: { readonly version: string; readonly wake: () => void }[] = []

  constructor(store: Store, kind: K, options: CacheOptions<K> = {}) {
    this.kind = kind
    this.#store = store
    this.#options = options
    for (const [name, of] of Object.entries(options.indexes ?? {})) this.#indexes.set(name, new CacheIndex(of))
  }

  /** Nothing may be deleted for its absence before this is true. */
  get synced(): boolean {
    return this.#synced
  }

  /** Resolves once it is. */
  whenSynced(): Promise<void> {
    return this.#synced ? Promise.resolve() : new Promise((resolve) => this.#onSynced.push(resolve))
  }

  get resourceVersion(): string {
    return this.#resourceVersion
  }

  /** How often anything in it has changed: whoever has looked at all of it knows by this whether it is still as it was. */
  get changeCount(): number {
    return this.#events
  }

  get size(): number {
    return this.#items.size
  }

  get(key: string): Resource<K> | undefined {
    return this.#items.get(key)
  }

  values(): IterableIterator<Resource<K>> {
    return this.#items.values()
  }

  /** All with this value in that index; in no order. */
  by(index: I, value: string): Iterable<Resource<K>> {
    return this.#indexes.get(index)?.by(value) ?? none
  }

  /**
   * Takes in what the store itself has said of one object just now. Until the watch has come as far, what it tells of that object is
   * old, and not believed. An answer may be late: what has gone since stays gone.
   */
  learn(key: string, item: Resource<K>): void {
    const known = this.#items.get(key)
    if (known === undefined ? this.#ahead.isGone(item) : !isOlder(known, item)) return
    this.#ahead.put(key, item)
    this.#put(item)
  }

  /**
   * Takes in that the store has said that there is none of that name. An answer may be late: one that was made since, under the same name,
   * is here to stay.
   *
   * @param known as it was here when the store was asked
   * @returns whether it was here still
   */
  learnGone(known: Resource<K>): boolean {
    const key = keyOfItem(known)
    const here = this.#items.get(key)
    if (here === undefined || here.metadata.uid !== known.metadata.uid) return false
    this.#ahead.gone(here)
    this.#drop(key)
    return true
  }

  /**
   * Whether the watch has told of all up to a version; else `wake` is called once it has: of what was read live, something before it may be
   * unknown.
   */
  hasReached(version: string, wake: () => void): boolean {
    if (!isBefore(this.#resourceVersion, version)) return true
    this.#waiting.push({ version, wake })
    return false
  }

  /** Hears of every step from now on, and of what is here already as new. */
  on(listener: Listener<K>): void {
    this.#listeners.push(listener)
    for (const [key, item] of this.#items) this.#notify(listener, { key, before: undefined, after: item })
  }

  /** Follows the store until `signal` falls; resolves once everything there is has been seen. */
  async start(signal: AbortSignal): Promise<void> {
    const changes = this.#store.watch(this.kind, this.#options.within ?? {}, signal)[Symbol.asyncIterator]()
    for (;;) {
      const first = await changes.next()
      if (first.done === true) return
      this.#take(first.value)
      if (this.#synced) break
    }
    void this.#follow(changes)
  }

  async #follow(changes: AsyncIterator<WatchEvent<K>>): Promise<void> {
    for (let next = await changes.next(); next.done !== true; next = await changes.next()) this.#take(next.value)
  }

  #take(change: WatchEvent<K>): void {
    this.#takeIn(change)
    if (this.#waiting.length === 0) return
    const reached = this.#waiting.filter(({ version }) => !isBefore(this.#resourceVersion, version))
    this.#waiting = this.#waiting.filter((each) => !reached.includes(each))
    for (const { wake } of reached) wake()
  }

  #takeIn(change: WatchEvent<K>): void {
    if (change.type === 'all') this.#replace(change.items, change.resourceVersion)
    else if (change.type === 'mark') this.#resourceVersion = change.resourceVersion
    else {
      this.#resourceVersion = change.item.metadata.resourceVersion
      const key = keyOfItem(change.item)
      if (this.#ahead.isOld(key, change)) return
      if (change.type === 'put') this.#put(change.item)
      // Of an earlier object of that name: its successor stays.
      else if (this.#items.get(key)?.metadata.uid === change.item.metadata.uid) this.#drop(key)
    }
  }

  #replace(items: readonly Resource<K>[], resourceVersion: string): void {
    const there = new Set<string>()
    const kept = this.#ahead.relisted(resourceVersion)
    for (const key of kept) there.add(key)
    for (const item of items) {
      const key = keyOfItem(item)
      if (this.#ahead.isOld(key, { type: 'put', item })) continue
      there.add(key)
      this.#put(item)
    }
    for (const key of [...this.#items.keys()]) if (!there.has(key)) this.#drop(key)
    this.#resourceVersion = resourceVersion
    this.#synced = true
    for (const wake of this.#onSynced.splice(0)) wake()
  }

  #put(after: Resource<K>): void {
    const key = keyOfItem(after)
    const before = this.#items.get(key)
    if (before !== undefined && before.metadata.resourceVersion === after.metadata.resourceVersion) return
    // Made anew under the same name: the first is gone before the second comes.
    if (before !== undefined && before.metadata.uid !== after.metadata.uid) this.#drop(key)
    const same = before?.metadata.uid === after.metadata.uid ? before : undefined
    this.#items.set(key, after)
    for (const index of this.#indexes.values()) index.put(same, after, key)
    this.#notifyAll({ key, before: same, after })
  }

  #drop(key: string): void {
    const before = this.#items.get(key)
    if (before === undefined) return
    this.#items.delete(key)
    this.#ahead.left(before)
    for (const index of this.#indexes.values()) index.drop(before, key)
    this.#notifyAll({ key, before, after: undefined })
  }

  #notifyAll(event: ChangeEvent<K>): void {
    this.#events++
    for (const listener of this.#listeners) this.#notify(listener, event)
  }

  #notify(listener: Listener<K>, event: ChangeEvent<K>): void {
    try {
      listener(event)
    } catch (err) {
      this.#options.onError?.(err, event.key)
    }
  }
}
