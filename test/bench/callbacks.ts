// Callbacks: the sender by itself, from the queue to a 2xx, from a change to its receiver, and memory while very many wait.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { Pool } from 'undici'
import { openCaches } from '../../platform/cache/caches.ts'
import { realClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { startRedisServer } from '../../platform/redis-server.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { HttpNotifier } from '../../workers/notify/send/http.ts'
import { startDispatcher } from '../../workers/notify/start-dispatcher.ts'
import { NamespaceSecrets, readSecrets } from '../../platform/signing.ts'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'
import { makeVpc, openPost, changePhase } from '../workers/notify-post.ts'
import { openReceiver } from '../workers/notify-receiver.ts'
import { fileNotices } from './lib/callback-notices.ts'
import { absolute, againstFloor, type Metric } from './lib/metric.ts'
import { inFlight, interleaved, quantile, rate, show } from './lib/rounds.ts'

export const description =
  'signed deliveries per second against bare undici posts of the same body with the same HMAC, latency from a change to its receiver, memory with 100,000 waiting (MEGREZ_TRIALS scales them)'

const width = 50
const posts = 4_000
const queued = 4_000
const samples = 300
const body = JSON.stringify({ kind: 'Port', text: 'x'.repeat(900) })
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const settings = { callbackAllow: ['127.0.0.0/8'], callbackHttp: true }
const never = new AbortController().signal

async function startReceiver(): Promise<{ readonly origin: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'lib/callback-receiver.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { origin: `http://127.0.0.1:${line.toString().trim()}`, child }
}

export default async function callbacks(): Promise<readonly Metric[]> {
  const { origin, child } = await startReceiver()
  const folder = await mkdtemp(join(tmpdir(), 'megrez-bench-'))
  const redis = await startRedisServer({ folder: join(folder, 'redis'), install: true })
  const place = 'missing' in redis ? undefined : redis.socket
  const pool = new Pool(origin, { connections: width, pipelining: 1 })
  const notifier = new HttpNotifier({
    settings,
    timeoutMs: 15_000,
    secrets: new NamespaceSecrets(readSecrets(secret), false),
    clock: realClock,
    random: Math.random,
  })
  const key = readSecrets(secret)[0]!
  try {
    let count = 0
    const figures = await interleaved(7, {
      'bare undici and HMAC': () => rate(posts, () => inFlight(width, posts, () => bare(pool, key, `msg_${count++}`))),
      'our sender': () =>
        rate(posts, () =>
          inFlight(width, posts, () =>
            notifier.send({ id: `msg_${count++}`, url: `${origin}/told`, sequence: 1, phase: 'ready', body }, never),
          ),
        ),
      'from queue to 2xx': () => fromQueue(join(folder, `store-${count++}.sqlite`), origin, place),
    })
    show('deliveries/s', figures)
    if (place === undefined) console.log('no redis-server: the queue is in the process')
    const floor = figures['bare undici and HMAC']
    const latencies = await latency()
    const [first = 0, last = 0] = await waiting()
    return [
      againstFloor('sender', 'deliveries/s', { value: figures['our sender'].median, floor }, { atLeast: 0.8 }),
      againstFloor('queue-to-2xx', 'deliveries/s', { value: figures['from queue to 2xx'].median, floor }, { atLeast: 0.6 }),
      absolute('latency-p50', 'ms', quantile(latencies, 0.5), { atMost: 50 }),
      absolute('latency-p99', 'ms', quantile(latencies, 0.99), { atMost: 50 }),
      againstFloor('rss-100k-waiting', 'MiB', { value: last / 2 ** 20, floor: first / 2 ** 20 }, { atMost: 1.1 }),
    ]
  } finally {
    await Promise.all([pool.close(), notifier.close()])
    child.kill()
    if (!('missing' in redis)) await redis.stop()
    await rm(folder, { recursive: true })
  }
}

async function bare(pool: Pool, key: Uint8Array, id: string): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  const answer = await pool.request({
    method: 'POST',
    path: '/told',
    headers: { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
    body,
  })
  await answer.body.dump()
}

/** Deliveries a second, from the start of a dispatcher with so many Notices until each is acknowledged on disk. */
async function fromQueue(file: string, origin: string, redis: string | undefined): Promise<number> {
  const store = SqliteStore.open(file)
  await fileNotices(store, { count: queued, url: () => `${origin}/told` })
  const stop = new AbortController()
  const caches = openCaches(store)
  await caches.start(stop.signal)
  const queues = openQueues({ redis, prefix: file.replaceAll('/', '-'), log: silentLog(), clock: realClock })
  await until(() => queues.problem() === undefined, 'the queue is ready')
  const empty = Promise.withResolvers<void>()
  caches.Notice.on(() => caches.Notice.size === 0 && empty.resolve())
  const start = performance.now()
  const dispatcher = await startDispatcher({
    store,
    caches,
    queues,
    config: readConfig({}, { ...settings, callbackSecret: secret }),
    clock: realClock,
    log: silentLog(),
    random: Math.random,
  })
  await empty.promise
  const perSecond = (queued * 1_000) / (performance.now() - start)
  await dispatcher.stop()
  stop.abort()
  await queues.close()
  await store.close()
  return perSecond
}

/** Milliseconds from a change's commit being asked for until the receiver has it whole; nothing else goes on. */
async function latency(): Promise<readonly number[]> {
  let arrived = (): void => undefined
  const receiver = await openReceiver({
    answer() {
      arrived()
      return 204
    },
  })
  const post = await openPost()
  const found: number[] = []
  for (let i = 0; i < samples; i++) {
    const vpc = await makeVpc(post.store, `v${i}`, receiver.url)
    const came = new Promise<void>((resolve) => (arrived = resolve))
    const start = performance.now()
    await changePhase(post.store, vpc, 'ready')
    await came
    found.push(performance.now() - start)
  }
  await post.empty()
  await post.stop()
  await post.store.close()
  await receiver.close()
  return found
}

async function waiting(): Promise<readonly number[]> {
  const program = join(import.meta.dirname, 'lib/callback-waiting.ts')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--expose-gc', program, String(trials(100_000))],
    { timeout: 600_000 },
  )
  return JSON.parse(stdout) as readonly number[]
}
