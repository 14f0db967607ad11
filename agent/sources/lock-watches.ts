// Who else is on the VNIs of this node: one watch of IPLocks for each VNI with a Port here, begun with the first and ended
// with the last (KOS's 1+R). A node hears nothing of VNIs that it does not host.
import { partsOf } from '../../core/contracts/parted.ts'
import type { WatchEvent, Parted, Store } from '../../core/contracts/store.ts'
import { Fingerprints } from '../../core/fingerprints.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { EndpointsSeen } from '../../core/node/endpoints.ts'
import type { Endpoint } from '../../core/node/wanted.ts'
import { endpointKey } from '../../core/pieces/endpoint-map.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { endpointOf } from '../../core/plan/node/pieces.ts'
import type { Pieces } from '../pieces/pieces.ts'

type Lock = Resource<'IPLock'>

export interface LockWatchDeps {
  readonly store: Store
  readonly pieces: Pieces
  /** The tunnel address of this node: what is bound to it is no endpoint. */
  readonly here: string
  /** The other nodes of a VNI are others than before. */
  readonly onHosts: (vni: number) => void
  /** A VNI has told all it knows. */
  readonly onSynced: (vni: number) => void
  /** An address of another node was heard of for the first time, not from a list. */
  readonly onNewcomer?: (lock: Lock) => void
}

interface Watch {
  readonly vni: number
  readonly stop: AbortController
  synced: boolean
  readonly waiters: Set<() => void>
  /** Host → how many endpoints it has here. */
  readonly hosts: Map<string, number>
  /** Counts the hosts that came and went, and as much of it as was notified. */
  hostChanges: number
  hostChangesNotified: number
  /** Addresses that the list under way has told; absent where nothing was known before it. */
  reported: Fingerprints | undefined
}

export class LockWatches {
  readonly #deps: LockWatchDeps
  readonly #watches = new Map<number, Watch>()

  constructor(deps: LockWatchDeps) {
    this.#deps = deps
  }

  get vnis(): readonly number[] {
    return [...this.#watches.keys()]
  }
  get synced(): boolean {
    return [...this.#watches.values()].every(({ synced }) => synced)
  }

  /** @param hosted VNI → namespace of its Vpc; watches of others end */
  follow(hosted: ReadonlyMap<number, string>): void {
    for (const vni of [...this.#watches.keys()]) if (!hosted.has(vni)) this.#leave(vni)
    for (const [vni, namespace] of hosted) if (!this.#watches.has(vni)) this.#join(vni, namespace)
  }

  /** Tunnel addresses of the other nodes of a VNI, in order. */
  hostsOf(vni: number): readonly string[] {
    return [...(this.#watches.get(vni)?.hosts.keys() ?? [])].sort()
  }

  isKnown(vni: number): boolean {
    return this.#watches.get(vni)?.synced !== false
  }

  /** Resolves once all endpoints of a VNI are known, or the signal falls: waiting for them is worth something, but not everything. */
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

  #join(vni: number, namespace: string): void {
    const watch: Watch = {
      vni,
      stop: new AbortController(),
      synced: false,
      waiters: new Set(),
      hosts: new Map(),
      hostChanges: 0,
      hostChangesNotified: 0,
      reported: undefined,
    }
    this.#watches.set(vni, watch)
    void this.#run(watch, namespace)
  }

  #leave(vni: number): void {
    const watch = this.#watches.get(vni)
    this.#watches.delete(vni)
    watch?.stop.abort()
    for (const waiter of watch?.waiters ?? []) waiter()
    for (const address of [...this.#endpointsOf(vni).keys()]) this.#deps.pieces.set(endpointPiece, endpointKey(vni, address), undefined)
  }

  async #run(watch: Watch, namespace: string): Promise<void> {
    const { store } = this.#deps
    const within = { namespace, fields: { '.spec.vni': String(watch.vni) } }
    const { signal } = watch.stop
    for await (const change of store.watchParts?.('IPLock', within, signal) ?? inParts(store.watch('IPLock', within, signal))) {
      if (this.#watches.get(watch.vni) !== watch) return
      this.#take(watch, change)
    }
  }

  #take(watch: Watch, change: Parted<'IPLock'>): void {
    if (change.type === 'begin') return this.#begin(watch)
    if (change.type === 'part') return change.items.forEach((item) => this.#notify(watch, item))
    if (change.type === 'put') this.#putOne(watch, change.item)
    else if (change.type === 'gone') this.#set(watch, change.item.spec.address, undefined)
    else if (change.type === 'end') this.#forget(watch)
    this.#notifyHosts(watch)
    if (change.type === 'end') this.#settle(watch)
  }

  #begin(watch: Watch): void {
    watch.reported = this.#endpointsOf(watch.vni).size === 0 ? undefined : new Fingerprints()
  }

  /** Not after each part of a list: a list of very many would have the Segment rendered over and over. */
  #notifyHosts(watch: Watch): void {
    if (watch.hostChanges === watch.hostChangesNotified) return
    watch.hostChangesNotified = watch.hostChanges
    this.#deps.onHosts(watch.vni)
  }

  #settle(watch: Watch): void {
    if (watch.synced) return
    watch.synced = true
    this.#deps.onSynced(watch.vni)
    for (const waiter of watch.waiters) waiter()
  }

  /** One of all there are. */
  #notify(watch: Watch, item: Lock): void {
    if (item.spec.address !== undefined) watch.reported?.add(item.spec.address, '')
    this.#put(watch, item)
  }

  /** Who was known before, and is not among all there are. */
  #forget(watch: Watch): void {
    const { reported } = watch
    if (reported === undefined) return
    for (const address of [...this.#endpointsOf(watch.vni).keys()])
      if (reported.stateOf(address) === undefined) this.#set(watch, address, undefined)
    watch.reported = undefined
  }

  #endpointsOf(vni: number): EndpointsSeen {
    return this.#deps.pieces.of(endpointPiece).ofVni(vni)
  }

  #putOne(watch: Watch, lock: Lock): void {
    const address = lock.spec.address ?? ''
    const isKnown = !watch.synced || this.#endpointsOf(watch.vni).get(address) !== undefined
    this.#put(watch, lock)
    if (!isKnown && this.#endpointsOf(watch.vni).get(address) !== undefined) this.#deps.onNewcomer?.(lock)
  }

  #put(watch: Watch, lock: Lock): void {
    this.#set(watch, lock.spec.address, endpointOf(lock, this.#deps.here))
  }

  #set(watch: Watch, address: string | undefined, endpoint: Endpoint | undefined): void {
    if (address === undefined) return
    const { vni } = watch
    const { pieces } = this.#deps
    const was = this.#endpointsOf(vni).get(address)?.hostIP
    // Once all are known everything is compared.
    if (endpoint !== undefined && !watch.synced) pieces.learn(endpointPiece, endpoint)
    else pieces.set(endpointPiece, endpointKey(vni, address), endpoint)
    if (was === endpoint?.hostIP) return
    if (was !== undefined) count(watch, was, -1)
    if (endpoint !== undefined) count(watch, endpoint.hostIP, 1)
  }
}

/** Of a store that says all at once. */
async function* inParts(changes: AsyncIterable<WatchEvent<'IPLock'>>): AsyncGenerator<Parted<'IPLock'>, void, undefined> {
  for await (const change of changes) yield* partsOf(change)
}

function count(watch: Watch, host: string, by: number): void {
  const before = watch.hosts.get(host) ?? 0
  if (before + by > 0) watch.hosts.set(host, before + by)
  else watch.hosts.delete(host)
  if (before === 0 || before + by === 0) watch.hostChanges++
}
