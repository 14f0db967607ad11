// Who else is on the VNIs of this node: one watch of IPLocks for each VNI with a Port here, begun with the first and ended
// with the last (KOS's 1+R). Nobody is told of VNIs that he does not host.
import type { Change, Store } from '../core/contracts/store.ts'
import type { Resource } from '../core/kinds/index.ts'
import type { Endpoint } from '../core/node/wanted.ts'
import { endpointOf } from '../core/plan/node-pieces.ts'
import type { Pieces } from './pieces.ts'

type Lock = Resource<'IPLock'>

/** Nobody asks who a lock is: one says it for all. */
const nameless = { name: '', uid: '', resourceVersion: '', generation: 1, creationTimestamp: '' } as const

/** As much of a lock as an agent looks at: a hundred thousand of them have to fit. */
export function slimLock({ apiVersion, kind, spec: { vni, address, mac, hostIP } }: Lock): Lock {
  return { apiVersion, kind, metadata: nameless, spec: { vni, ...(address !== undefined && { address }), ...(mac !== undefined && { mac }), ...(hostIP !== undefined && { hostIP }) } }
}

export interface LockDeps {
  readonly store: Store
  readonly pieces: Pieces
  /** The tunnel address of this node: what is bound to it is no endpoint. */
  readonly here: string
  /** The other nodes of a VNI are others than before. */
  readonly onHosts: (vni: number) => void
  /** A VNI has told all it knows. */
  readonly onSynced: (vni: number) => void
}

interface Watch {
  readonly vni: number
  readonly stop: AbortController
  synced: boolean
  readonly waiters: Set<() => void>
  /** Host → how many endpoints it has here. */
  readonly hosts: Map<string, number>
  /** Counts the hosts that came and went. */
  turns: number
}

export class LockWatches {
  readonly #deps: LockDeps
  readonly #watches = new Map<number, Watch>()
  /** Hosts are few and written in every lock: one text of each is enough. */
  readonly #texts = new Map<string, string>()

  constructor(deps: LockDeps) {
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
    const watch: Watch = { vni, stop: new AbortController(), synced: false, waiters: new Set(), hosts: new Map(), turns: 0 }
    this.#watches.set(vni, watch)
    void this.#run(watch, namespace)
  }

  #leave(vni: number): void {
    const watch = this.#watches.get(vni)
    this.#watches.delete(vni)
    watch?.stop.abort()
    for (const waiter of watch?.waiters ?? []) waiter()
    for (const address of [...this.#deps.pieces.endpointsOf(vni).keys()]) this.#deps.pieces.setEndpoint(vni, address, undefined)
  }

  async #run(watch: Watch, namespace: string): Promise<void> {
    const within = { namespace, fields: { '.spec.vni': String(watch.vni) } }
    for await (const change of this.#deps.store.watch('IPLock', within, watch.stop.signal)) {
      if (this.#watches.get(watch.vni) !== watch) return
      this.#take(watch, change)
    }
  }

  #take(watch: Watch, change: Change<'IPLock'>): void {
    const before = watch.turns
    if (change.type === 'all') this.#replace(watch, change.items)
    else if (change.type === 'put') this.#put(watch, change.item)
    else if (change.type === 'gone') this.#set(watch, change.item.spec.address, undefined)
    if (watch.turns !== before) this.#deps.onHosts(watch.vni)
    if (watch.synced || change.type !== 'all') return
    watch.synced = true
    this.#deps.onSynced(watch.vni)
    for (const waiter of watch.waiters) waiter()
  }

  #replace(watch: Watch, items: readonly Lock[]): void {
    const there = new Set<string>()
    for (const item of items) {
      if (item.spec.address !== undefined) there.add(item.spec.address)
      this.#put(watch, item)
    }
    for (const address of [...this.#deps.pieces.endpointsOf(watch.vni).keys()]) if (!there.has(address)) this.#set(watch, address, undefined)
  }

  #put(watch: Watch, lock: Lock): void {
    const endpoint = endpointOf(lock, this.#deps.here)
    this.#set(watch, lock.spec.address, endpoint && { ...endpoint, hostIP: this.#textOf(endpoint.hostIP) })
  }

  #textOf(host: string): string {
    const known = this.#texts.get(host)
    if (known !== undefined) return known
    this.#texts.set(host, host)
    return host
  }

  #set(watch: Watch, address: string | undefined, endpoint: Endpoint | undefined): void {
    if (address === undefined) return
    const { vni } = watch
    const was = this.#deps.pieces.endpointsOf(vni).get(address)?.hostIP
    this.#deps.pieces.setEndpoint(vni, address, endpoint)
    if (was === endpoint?.hostIP) return
    if (was !== undefined) count(watch, was, -1)
    if (endpoint !== undefined) count(watch, endpoint.hostIP, 1)
  }
}

function count(watch: Watch, host: string, by: number): void {
  const before = watch.hosts.get(host) ?? 0
  if (before + by > 0) watch.hosts.set(host, before + by)
  else watch.hosts.delete(host)
  if (before === 0 || before + by === 0) watch.turns++
}
