// A store of five hundred Ports that change so many times a second for a while, as if workers wrote them: each watch tells all there is,
// and then every change.
import { setTimeout as pause } from 'node:timers/promises'
import type { Store, WatchEvent } from '../../core/contracts/store.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { SqliteStore } from '../../platform/store/sqlite.ts'

const ports = 500
/** As often as a store would wake its watches. */
const wakeMs = 5

export class Flood {
  readonly #perSecond: number
  readonly #total: number
  #begunAt: number | undefined

  constructor({ perSecond, seconds }: { readonly perSecond: number; readonly seconds: number }) {
    this.#perSecond = perSecond
    this.#total = perSecond * seconds
  }

  begin(): void {
    this.#begunAt = performance.now()
  }

  /** Changes so far. */
  get #now(): number {
    if (this.#begunAt === undefined) return 0
    return Math.min(this.#total, Math.floor(((performance.now() - this.#begunAt) / 1_000) * this.#perSecond))
  }

  get isOver(): boolean {
    return this.#now === this.#total
  }

  /** Where the first Port is in the end. */
  get lastAddress(): string {
    return addressAt(this.#total - (this.#total % ports))
  }

  readonly over = (store: SqliteStore): Store => {
    const watch: Store['watch'] = (kind, within, signal) =>
      kind === 'Port' ? (this.#watch(signal) as ReturnType<Store['watch']> as never) : store.watch(kind, within, signal)
    return Object.create(store, { watch: { value: watch } }) as Store
  }

  async *#watch(signal: AbortSignal): AsyncGenerator<WatchEvent<'Port'>> {
    let version = this.#now
    const items = Array.from({ length: ports }, (_, i) => portAt(version - ((version - i + ports) % ports)))
    yield { type: 'all', items, resourceVersion: String(version + ports) }
    while (!signal.aborted) {
      await pause(wakeMs)
      for (const until = this.#now; version < until && !signal.aborted;) yield { type: 'put', item: portAt(++version) }
    }
  }
}

const addressAt = (version: number): string => `10.${(version >> 14) & 127}.${(version >> 7) & 127}.${version & 127}`

/** As it is after this change. */
function portAt(version: number): Resource<'Port'> {
  const i = (version + ports) % ports
  const phase = version % 3 === 0 ? 'pending' : 'ready'
  return {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Port',
    metadata: {
      namespace: 'flood',
      name: `p-${String(i).padStart(3, '0')}`,
      uid: `u-${i}`,
      resourceVersion: String(version + ports),
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { subnet: 'front', node: `worker-${i % 20}` },
    status: { phase, addresses: [addressAt(version)], mac: '0a:00:00:00:00:01', vni: 4_201 },
  } as unknown as Resource<'Port'>
}
