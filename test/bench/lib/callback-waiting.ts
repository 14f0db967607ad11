// A dispatcher in a process of its own with very many Notices that wait for a receiver that is down, for the benchmark
// `callbacks`. Prints its resident bytes once all are known and tried, and again after half a minute. Argument: how many.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { silentLog } from '../../../platform/log.ts'
import { realClock } from '../../../platform/clock.ts'
import { openCaches } from '../../../platform/cache/caches.ts'
import { readConfig } from '../../../platform/config.ts'
import { openQueues } from '../../../platform/queue/index.ts'
import { SqliteStore } from '../../../platform/store/sqlite.ts'
import { startDispatcher } from '../../../workers/notify/start-dispatcher.ts'
import { fileNotices } from './callback-notices.ts'

const [count = '0'] = process.argv.slice(2)
const store = SqliteStore.open(':memory:')
const caches = openCaches(store)
await caches.start(new AbortController().signal)
const down = createServer().listen(0, '127.0.0.1')
await once(down, 'listening')
const { port: l4Port } = down.address() as AddressInfo
await new Promise((done) => down.close(done))
await fileNotices(store, { count: Number(count), url: (i) => `http://127.0.0.1:${l4Port}/${i % 100}` })
const config = readConfig({}, { callbackAllow: ['127.0.0.0/8'], callbackHttp: true })
await startDispatcher({
  store,
  caches,
  queues: openQueues({ log: silentLog(), clock: realClock }),
  config,
  clock: realClock,
  log: silentLog(),
  random: Math.random,
})

/** The least of some looks: the collector takes its time. */
async function resident(): Promise<number> {
  const seen: number[] = []
  for (let i = 0; i < 10; i++) {
    await new Promise((done) => setTimeout(done, 300))
    globalThis.gc?.()
    seen.push(process.memoryUsage.rss())
  }
  return Math.min(...seen)
}
// Each of them waits at its gate by then.
await new Promise((done) => setTimeout(done, 30_000))
const first = await resident()
await new Promise((done) => setTimeout(done, 30_000))
process.stdout.write(`${JSON.stringify([first, await resident(), (await store.list('Notice', { limit: 1 })).items.length])}\n`)
process.exit(0)
