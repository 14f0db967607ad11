// One watch of a kind for each VNI with a Port here, begun with the first and ended with the last (KOS's 1+R). A node hears nothing of VNIs
// that it does not host.
import { partsOf } from '../../core/contracts/parted.ts'
import type { Parted, Store, WatchEvent } from '../../core/contracts/store.ts'
import type { Kind, Resource } from '../../core/kinds/index.ts'

/** What workers find out the VNI of; the others are of one from the beginning. */
const byStatus: ReadonlySet<Kind> = new Set<Kind>(['Subnet', 'VpcPeering', 'Vpc'])

/** Who takes what is heard of one kind, VNI by VNI. */
export interface VniListener<K extends Kind> {
  readonly kind: K
  /** A list begins: all there are. */
  begin(vni: number): void
  /** Each of a list. */
  listed(vni: number, item: Resource<K>): void
  /** It is over, and what it did not tell of is there no more; only then the VNI is known. */
  ended(vni: number): void
  put(vni: number, item: Resource<K>): void
  gone(vni: number, item: Resource<K>): void
  /** No Port here is on it any more. */
  left(vni: number): void
  /** For the first time, all that there is of it was heard. */
  synced(vni: number): void
}

interface Watch {
  readonly vni: number
  readonly stop: AbortController
  synced: boolean
  readonly waiters: Set<() => void>
}

export class VniWatches<K extends Kind> {
  readonly #store: Store
  readonly #listener: VniListener<K>
  readonly #watches = new Map<number, Watch>()

  constructor(store: Store, listener: VniListener<K>) {
    this.#store = store
    this.#listener = listener
  }

  get vnis(): readonly number[] {
    return [...this.#watches.keys()]
  }
  get synced(): boolean {
    return [...this.#watches.values()].every(({ synced }) => synced)
  }

  /** @param hosted VNI → namespace that its objects are in, undefined: any; watches of others end */
  follow(hosted: ReadonlyMap<number, string | undefined>): void {
    for (const vni of [...this.#watches.keys()]) if (!hosted.has(vni)) this.#leave(vni)
    for (const [vni, namespace] of hosted) if (!this.#watches.has(vni)) this.#join(vni, namespace)
  }

  /** Of a VNI that is not followed too. */
  isKnown(vni: number): boolean {
    return this.#watches.get(vni)?.synced !== false
  }

  /** Resolves once all of a VNI is known, or the signal falls: waiting for it is worth something, but not everything. */
  async known(vni: number, signal: AbortSignal): Promise<void> {
    const watch = this.#watches.get(vni)
    if (watch === undefined || watch.synced || signal.aborted) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done)
        watch.waiters.delete(done)
        resolve()
      }
      signal.addEventListener('abort', done)
      watch.waiters.add(done)
    })
  }

  stop(): void {
    for (const { stop } of this.#watches.values()) stop.abort()
  }

  #join(vni: number, namespace: string | undefined): void {
    const watch: Watch = { vni, stop: new AbortController(), synced: false, waiters: new Set() }
    this.#watches.set(vni, watch)
    void this.#run(watch, namespace)
  }

  #leave(vni: number): void {
    const watch = this.#watches.get(vni)
    this.#watches.delete(vni)
    watch?.stop.abort()
    for (const waiter of watch?.waiters ?? []) waiter()
    this.#listener.left(vni)
  }

  async #run(watch: Watch, namespace: string | undefined): Promise<void> {
    const { kind } = this.#listener
    const within = {
      ...(namespace !== undefined && { namespace }),
      fields: { [byStatus.has(kind) ? '.status.vni' : '.spec.vni']: String(watch.vni) },
    }
    const { signal } = watch.stop
    for await (const change of this.#store.watchParts?.(kind, within, signal) ?? inParts(this.#store.watch(kind, within, signal))) {
      if (this.#watches.get(watch.vni) !== watch) return
      this.#take(watch, change)
    }
  }

  #take(watch: Watch, change: Parted<K>): void {
    const { vni } = watch
    const listener = this.#listener
    switch (change.type) {
      case 'begin':
        return listener.begin(vni)
      case 'part':
        return change.items.forEach((item) => listener.listed(vni, item))
      case 'put':
        return listener.put(vni, change.item)
      case 'gone':
        return listener.gone(vni, change.item)
      case 'end':
        listener.ended(vni)
        return this.#settle(watch)
    }
  }

  #settle(watch: Watch): void {
    if (watch.synced) return
    watch.synced = true
    this.#listener.synced(watch.vni)
    for (const waiter of watch.waiters) waiter()
  }
}

/** Of a store that says all at once. */
async function* inParts<K extends Kind>(changes: AsyncIterable<WatchEvent<K>>): AsyncGenerator<Parted<K>, void, undefined> {
  for await (const change of changes) yield* partsOf(change)
}
