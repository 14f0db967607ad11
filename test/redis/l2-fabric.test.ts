// External networks with the queue in Redis and two workers on one fabric: switches at once, each domain by one of them at a time, and a
// queue that is lost in the middle of it.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Redis } from 'ioredis'
import { finalizersFor } from '../../core/admit/object/finalizers.ts'
import type { FabricDriver } from '../../core/contracts/fabric-driver.ts'
import type { Kind, SpecOf } from '../../core/kinds/index.ts'
import { openCaches } from '../../platform/cache/caches.ts'
import { realClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { startRedisServer } from '../../platform/redis-server.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { fabricRegistry } from '../../workers/drivers/fabric/index.ts'
import { memory, memorySwitch } from '../../workers/drivers/fabric/memory.ts'
import { startWorkers } from '../../workers/start.ts'
import { redisSkip } from '../setup/redis.ts'
import { until } from '../setup/until.ts'

const names = ['s0', 's1', 's2', 's3']
const ports = ['a', 'b']
const count = 40
const all = Array.from({ length: count }, (_, i) => `n${i}`)

/** Switches that both workers talk to, and what is seen of their transactions. */
class Watched {
  readonly worlds = new Map(names.map((name) => [name, memorySwitch()]))
  readonly cut = new Set<string>()
  /** Transactions by worker. */
  readonly sent = [0, 0]
  readonly doubled: string[] = []
  /** The most switches that were changed at one time. */
  atOnce = 0
  /** What every transaction waits for. */
  gate: Promise<void> = Promise.resolve()
  readonly #flying = new Map<string, number>()

  driver(worker: 0 | 1, address: string): FabricDriver {
    const inner = memory(this.worlds.get(address)!, { any: true })
    const reached = async <T>(ask: () => Promise<T>): Promise<T> => (this.cut.has(address) ? Promise.reject(new Error('no answer')) : ask())
    return {
      ...inner,
      observe: (scope, signal) => reached(() => inner.observe(scope, signal)),
      apply: (action, signal) =>
        reached(async () => {
          this.sent[worker]!++
          const keys = [`worker ${worker} on ${address}`, ...new Set(action.changes.map(({ on, of }) => `${address}/${on} for ${of}`))]
          for (const key of keys) this.#begin(key)
          this.atOnce = Math.max(
            this.atOnce,
            new Set([...this.#flying.keys()].flatMap((key) => (key.startsWith('worker') ? [key.split(' ').at(-1)] : []))).size,
          )
          await this.gate
          try {
            await inner.apply(action, signal)
          } finally {
            for (const key of keys) this.#end(key)
          }
        }),
    }
  }

  #begin(key: string): void {
    const there = this.#flying.get(key) ?? 0
    if (there > 0) this.doubled.push(key)
    this.#flying.set(key, there + 1)
  }

  #end(key: string): void {
    const there = this.#flying.get(key)! - 1
    if (there === 0) this.#flying.delete(key)
    else this.#flying.set(key, there)
  }

  /** `s0/a` → VLANs. */
  open(): Record<string, readonly number[]> {
    return Object.fromEntries(
      [...this.worlds].flatMap(([address, world]) =>
        [...world.ports].map(([name, { ours }]) => [`${address}/${name}`, [...ours.keys()].sort((a, b) => a - b)]),
      ),
    )
  }
}

describe('a fabric with the queue in Redis', { skip: redisSkip }, () => {
  const closers: (() => Promise<unknown>)[] = []
  let socket = ''
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'megrez-l2-'))
    closers.push(() => rm(folder, { recursive: true }))
    const started = await startRedisServer({ folder, install: false })
    assert.ok('socket' in started, JSON.stringify(started))
    closers.push(() => started.stop())
    socket = started.socket
  })
  after(async () => {
    for (const close of closers.toReversed()) await close()
  })

  interface FabricTestCluster {
    readonly store: SqliteStore
    readonly watched: Watched
    make<K extends Kind>(kind: K, name: string, spec: SpecOf<K>, namespace?: string): Promise<unknown>
    phases(kind: 'L2Service' | 'L2ServiceAttachment'): Promise<readonly (string | undefined)[]>
    flush(): Promise<unknown>
  }

  async function using(run: (cluster: FabricTestCluster) => Promise<void>): Promise<void> {
    const store = SqliteStore.open(':memory:')
    const watched = new Watched()
    const stop = new AbortController()
    const redis = new Redis(socket)
    const ends: (() => Promise<unknown>)[] = [() => store.close(), () => redis.flushall(), () => Promise.resolve(stop.abort())]
    for (const worker of [0, 1] as const) {
      const caches = openCaches(store)
      await caches.start(stop.signal)
      const queues = openQueues({ redis: socket, log: silentLog(), clock: realClock })
      ends.push(() => queues.close())
      await until(() => queues.problem() === undefined, 'the queues are ready')
      const registry = { ...fabricRegistry, memory: ({ address }: { readonly address: string }) => watched.driver(worker, address) }
      // Few at once, so that neither takes all.
      const workers = await startWorkers({
        store,
        caches,
        queues,
        config: readConfig({}, { concurrency: 2 }),
        clock: realClock,
        log: silentLog(),
        random: Math.random,
        fabricRegistry: registry,
      })
      ends.push(() => workers.stop())
    }
    const make: FabricTestCluster['make'] = (kind, name, spec, namespace) => {
      const born = finalizersFor(kind, { metadata: {}, spec })
      return store.create({
        kind,
        metadata: { name, ...(namespace !== undefined && { namespace }), ...(born.length > 0 && { finalizers: born }) },
        spec,
      })
    }
    const links = names.flatMap((name) =>
      ports.map((port) => ({ node: `${name}-${port}`, interface: 'e', switch: name, switchPort: port })),
    )
    await make('Fabric', 'dc', { switches: names.map((name) => ({ name, driver: 'memory' as const, address: name })), links })
    await make('NodePool', 'pool', { nodes: links.map(({ node }) => node), interfaces: [{ name: 'e', connectionPoint: 'cp' }] })
    await make('ConnectionPoint', 'cp', { supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br' }] })
    try {
      await run({
        store,
        watched,
        make,
        phases: async (kind) => (await store.list(kind)).items.map(({ status }) => status?.phase),
        flush: () => redis.flushall(),
      })
    } finally {
      for (const end of ends.toReversed()) await end()
      redis.disconnect()
    }
  }
  const serve = ({ make }: FabricTestCluster): Promise<unknown> =>
    Promise.all(
      all.map(async (name, i) => {
        await make('L2Service', name, { segmentationID: 100 + i }, 'a')
        await make('L2ServiceAttachment', name, { l2Services: [name], connectionPoint: 'cp', vlanType: 'access' }, 'a')
      }),
    )
  const ready = async ({ phases }: FabricTestCluster): Promise<boolean> => {
    const seen = await phases('L2ServiceAttachment')
    return seen.length === count && seen.every((phase) => phase === 'ready')
  }
  const everywhere = (vlans: readonly number[]): Record<string, readonly number[]> =>
    Object.fromEntries(names.flatMap((name) => ports.map((port) => [`${name}/${port}`, vlans])))
  const vlans = all.map((_, i) => 100 + i)

  test('two workers share the work: all switches at once, each domain on a switch port by one of them at a time', () =>
    using(async (cluster) => {
      const { watched } = cluster
      const opened = Promise.withResolvers<void>()
      watched.gate = opened.promise
      await serve(cluster)
      // One of them can hold ten domains at most, and there are forty.
      await until(
        () => watched.atOnce === names.length && watched.sent.every((sent) => sent > 0),
        'all switches are being changed, and by both',
        60_000,
      )
      opened.resolve()
      await until(() => ready(cluster), 'all are ready', 120_000)
      assert.deepEqual(watched.open(), everywhere(vlans))
      assert.deepEqual(watched.doubled, [])
    }))

  test('how far it has come stands on the object while a switch does not answer, and it goes on when it does', () =>
    using(async ({ store, watched, make }) => {
      watched.cut.add('s3')
      await make('L2Service', 'one', { segmentationID: 7 }, 'a')
      await make('L2ServiceAttachment', 'one', { l2Services: ['one'], connectionPoint: 'cp', vlanType: 'access' }, 'a')
      const status = async () => (await store.get({ kind: 'L2Service', namespace: 'a', name: 'one' }))?.status
      await until(async () => (await status())?.progress === '6 of 8 switch ports', 'it says how far it is', 60_000)
      await until(async () => (await status())?.message?.includes('switch dc/s3 is unreachable: no answer') === true, 'and why', 60_000)
      watched.cut.clear()
      await until(async () => (await status())?.phase === 'ready', 'it is ready', 60_000)
      assert.equal((await status())?.progress, '8 of 8 switch ports')
      assert.deepEqual(watched.open(), everywhere([7]))
    }))

  test('FLUSHALL in the middle of opening, and of closing, leaves nothing out and nothing open', () =>
    using(async (cluster) => {
      const { store, watched, flush } = cluster
      const opened = Promise.withResolvers<void>()
      watched.gate = opened.promise
      await serve(cluster)
      await until(() => watched.atOnce > 0, 'a switch is being changed', 60_000)
      await flush()
      opened.resolve()
      await flush()
      await until(() => ready(cluster), 'all are ready', 120_000)
      assert.deepEqual(watched.open(), everywhere(vlans))
      for (const [i, name] of all.entries()) {
        await store.delete({ kind: 'L2ServiceAttachment', namespace: 'a', name })
        await store.delete({ kind: 'L2Service', namespace: 'a', name })
        if (i % 10 === 0) await flush()
      }
      await until(async () => (await cluster.phases('L2Service')).length === 0, 'all are gone', 120_000)
      assert.deepEqual(watched.open(), everywhere([]))
      assert.equal((await store.list('SegmentLock')).items.length, 0)
      assert.equal((await store.list('L2BridgeDomain')).items.length, 0)
    }))
})
