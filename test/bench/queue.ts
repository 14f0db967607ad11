import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Queue, Worker } from 'bullmq'
import type { JobsOptions } from 'bullmq'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { connect, readRedisAddress } from '../../platform/queue/redis.ts'
import { startRedisServer } from '../../platform/redis-server.ts'
import { until } from '../setup/until.ts'
import { againstFloor } from './lib/metric.ts'
import type { Metric } from './lib/metric.ts'
import { inFlight, interleaved, rate, show } from './lib/rounds.ts'

export const description = 'keys added and looked at per second over Redis, against bare BullMQ with the same deduplication'

// Many short rounds: a machine that others use changes from second to second.
const keys = 4_000
const width = 50
const concurrency = 50

/** Adds one key each, and says when all have been looked at. */
interface Carrier {
  add(key: string): Promise<unknown>
  onReconcile(call: () => void): void
  close(): Promise<void>
}

export default async function queue(): Promise<readonly Metric[]> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-bench-'))
  const server = await startRedisServer({ folder, install: true })
  if ('missing' in server) throw new Error(server.missing)
  const carriers = {
    'bare BullMQ, deduplication': await bare(server.socket, deduplicated),
    'bare BullMQ, plain adds': await bare(server.socket, () => ({ removeOnComplete: true, removeOnFail: true })),
    'our queue': await ours(server.socket),
  }
  try {
    const rounds = Object.fromEntries(Object.entries(carriers).map(([name, carrier]) => [name, () => cycle(carrier, keys)]))
    const figures = await interleaved(15, rounds as Record<keyof typeof carriers, () => Promise<number>>)
    show('keys/s', figures)
    const floor = figures['bare BullMQ, deduplication']
    const plain = figures['bare BullMQ, plain adds'].median
    const value = figures['our queue'].median
    console.log(`deduplication alone leaves ${(floor.median / plain).toFixed(2)} of plain adds; our queue ${(value / plain).toFixed(2)}`)
    const hot = await interleaved(3, {
      'bare, 100 keys added 100 times': () => hotKeys(carriers['bare BullMQ, deduplication']),
      'ours, 100 keys added 100 times': () => hotKeys(carriers['our queue']),
    })
    show('adds/s', hot)
    return [againstFloor('bullmq.rate', 'keys/s', { value, floor }, { atLeast: 0.85 })]
  } finally {
    await Promise.all(Object.values(carriers).map((carrier) => carrier.close()))
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

/** From the first add until the last look, each key once. */
function cycle(carrier: Carrier, n: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let reconciles = 0
  carrier.onReconcile(() => {
    if (++reconciles === n) resolve()
  })
  return rate(n, () => Promise.all([inFlight(width, n, (i) => carrier.add(`Port:blue/web-${i}`)), promise]))
}

/** Adds to few keys, as when objects change all the time. */
function hotKeys(carrier: Carrier): Promise<number> {
  carrier.onReconcile(() => undefined)
  return rate(10_000, () => inFlight(width, 10_000, (i) => carrier.add(`Port:blue/web-${i % 100}`)))
}

const deduplicated = (key: string): JobsOptions => ({
  deduplication: { id: key.replace(':', '%3A'), keepLastIfActive: true, replace: true },
  removeOnComplete: true,
  removeOnFail: true,
})

async function bare(socket: string, options: (key: string) => JobsOptions): Promise<Carrier> {
  const place = readRedisAddress(socket)
  const adds = connect(place, 'adds')
  const workers = connect(place, 'workers')
  const prefix = randomUUID()
  let reconcile = () => undefined as void
  const producer = new Queue<string>('bench', { prefix, connection: adds.client })
  const worker = new Worker<string>('bench', () => Promise.resolve(reconcile()), { prefix, connection: workers.client, concurrency })
  await Promise.all([producer.waitUntilReady(), worker.waitUntilReady()])
  return {
    add: (key) => producer.add('look', key, options(key)),
    onReconcile: (call) => (reconcile = call),
    async close() {
      await Promise.all([producer.close(), worker.close()])
      adds.end()
      workers.end()
    },
  }
}

async function ours(socket: string): Promise<Carrier> {
  const queues = openQueues({ redis: socket, prefix: randomUUID(), log: silentLog(), clock: realClock })
  await until(() => queues.problem() === undefined, 'the queue is ready')
  const queue = queues.open('bench')
  let reconcile = () => undefined as void
  await queue.run(() => Promise.resolve(reconcile()).then(() => undefined), { concurrency, retryAfterMs: () => 1_000 })
  return { add: (key) => queue.add(key), onReconcile: (call) => (reconcile = call), close: () => queues.close() }
}
