// Workers on a store of their own in memory: the whole of Megrez but HTTP, with the clock turned by hand.
import type { NameLookup } from '../../core/contracts/name-lookup.ts'
import type { Scales } from '../../core/contracts/scales.ts'
import type { Draft } from '../../core/contracts/store.ts'
import { keyOf, type Kind, type Resource, type SpecOf } from '../../core/kinds/index.ts'
import { finalizersFor } from '../../core/admit/object/finalizers.ts'
import { openCaches, type Caches } from '../../platform/cache/caches.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { readConfig, type Config } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { MetricSet } from '../../platform/metrics/set.ts'
import { memoryQueues } from '../../platform/queue/memory.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import type { Queues, WorkQueue } from '../../core/contracts/queue.ts'
import type { FabricRegistry } from '../../workers/drivers/fabric/index.ts'
import { cloudRegistry, type CloudRegistry } from '../../workers/drivers/cloud/index.ts'
import type { OpenHolder } from '../../workers/drivers/holder/index.ts'
import { startWorkers, type Workers } from '../../workers/start.ts'

/** A repeatable source of numbers in [0, 1) (mulberry32). */
export function seeded(seed: number): () => number {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface TestClusterOptions {
  readonly config?: Partial<Config>
  readonly seed?: number
  readonly store?: SqliteStore
  readonly clock?: TurnedClock
  readonly lapsed?: (kind: 'IPLock' | 'Port') => void
  readonly openHolder?: OpenHolder
  /** In place of those that are there. */
  readonly cloudRegistry?: Partial<CloudRegistry>
  readonly fabricRegistry?: FabricRegistry
  /** Who is asked for names outside. */
  readonly lookup?: NameLookup
  /** Of Deployments; absent: there are none. */
  readonly scales?: Scales
  /** Where workers count. */
  readonly metrics?: MetricSet
  /** Told of each key that is added to a queue. */
  readonly added?: (queue: string, key: string) => void
  /** Nobody works in it: what a test writes stands. */
  readonly idle?: boolean
}

export interface TestCluster {
  readonly store: SqliteStore
  readonly caches: Caches
  readonly clock: TurnedClock
  readonly config: Config
  /** What is measured of its workers. */
  readonly metrics: MetricSet
  /** Where Clouds tell of their ports; undefined: nowhere. */
  readonly cloudEventsL4Port: number | undefined
  /** Until no key waits or is looked at. */
  settle(): Promise<void>
  /** Settles, turns the clock, settles again. */
  advance(ms: number): Promise<void>
  make<K extends Kind>(kind: K, key: string, spec: SpecOf<K>, metadata?: Partial<Draft<K>['metadata']>): Promise<Resource<K>>
  get<K extends Kind>(kind: K, key: string): Promise<Resource<K> | undefined>
  all<K extends Kind>(kind: K): Promise<readonly Resource<K>[]>
  close(): Promise<void>
}

/** Counts the queues, so that a test can tell when nothing is left to do. @throws where keys wait in one that nobody runs */
function counted(queues: Queues, added: TestClusterOptions['added']): Queues & { depth(): Promise<number> } {
  const opened = new Map<string, WorkQueue>()
  const run = new Set<string>()
  return {
    ...queues,
    open(name) {
      const queue = queues.open(name)
      opened.set(name, queue)
      return {
        depth: () => queue.depth(),
        run(reconcile, how) {
          run.add(name)
          return queue.run(reconcile, how)
        },
        add(key, afterMs) {
          added?.(name, key)
          return queue.add(key, afterMs)
        },
      }
    },
    async depth() {
      for (const [name, queue] of opened)
        if (!run.has(name) && (await queue.depth()) > 0) throw new Error(`keys wait in the queue ${name}, which nobody runs`)
      const depths = await Promise.all([...opened.values()].map((queue) => queue.depth()))
      return depths.reduce((sum, each) => sum + each, 0)
    },
  }
}

/** Of an object those fields that are there. */
const given = <T extends object, K extends keyof T>(of: T, fields: readonly K[]): { [F in K]?: Exclude<T[F], undefined> } =>
  Object.fromEntries(fields.flatMap((field) => (of[field] === undefined ? [] : [[field, of[field]]]))) as {
    [F in K]?: Exclude<T[F], undefined>
  }

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export async function openTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const store = options.store ?? SqliteStore.open(':memory:')
  const clock = options.clock ?? new TurnedClock(Date.now())
  const config = readConfig({}, { agents: true, ...options.config })
  const stop = new AbortController()
  const caches = openCaches(store)
  await caches.start(stop.signal)
  const metrics = options.metrics ?? new MetricSet({ ofProcess: false })
  const queues = counted(memoryQueues({ log: silentLog(), clock }), options.added)
  const workers: Workers | undefined =
    options.idle === true
      ? undefined
      : await startWorkers({
          store,
          caches,
          queues,
          config,
          clock,
          log: silentLog(),
          metrics,
          random: seeded(options.seed ?? 1),
          ...given(options, ['lapsed', 'openHolder', 'lookup', 'fabricRegistry', 'scales']),
          ...(options.cloudRegistry && { cloudRegistry: { ...cloudRegistry, ...options.cloudRegistry } }),
        })
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 5;) {
      await tick()
      quiet = (await queues.depth()) === 0 ? quiet + 1 : 0
    }
  }
  return {
    store,
    caches,
    clock,
    config,
    metrics,
    cloudEventsL4Port: workers?.cloudEventsL4Port,
    settle,
    async advance(ms) {
      await settle()
      clock.advance(ms)
      await settle()
    },
    make(kind, key, spec, metadata = {}) {
      const slash = key.indexOf('/')
      const named = slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
      const born = finalizersFor(kind, { metadata, spec })
      return store.create({ kind, metadata: { ...named, ...metadata, ...(born.length > 0 && { finalizers: [...born] }) }, spec })
    },
    get(kind, key) {
      const slash = key.indexOf('/')
      return store.get(slash < 0 ? { kind, name: key } : { kind, namespace: key.slice(0, slash), name: key.slice(slash + 1) })
    },
    async all(kind) {
      return (await store.list(kind)).items
    },
    async close() {
      stop.abort()
      await workers?.stop()
      await queues.close()
      if (options.store === undefined) await store.close()
    },
  }
}

export const names = (items: readonly Resource[]): string[] => items.map((item) => keyOf(item.metadata))
