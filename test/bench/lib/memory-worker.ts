// A process with the workers and nothing else, for the benchmark `memory`: it makes so many pods in its own store, and when
// each has its Port it says how much of it is resident, in bytes. Arguments: folder, number of pods, and Redis' socket where there
// is one.
import { join } from 'node:path'
import { openCaches } from '../../../platform/cache/caches.ts'
import { realClock } from '../../../platform/clock.ts'
import { readConfig } from '../../../platform/config.ts'
import { makeLog } from '../../../platform/log.ts'
import { openQueues } from '../../../platform/queue/index.ts'
import { SqliteStore } from '../../../platform/store/sqlite.ts'
import { startWorkers } from '../../../workers/start.ts'
import { until } from '../../setup/until.ts'
import { inFlight } from './rounds.ts'

const [folder = '', count = '0', redis] = process.argv.slice(2)
const store = SqliteStore.open(join(folder, 'store.sqlite'))
const config = readConfig({})
const log = makeLog('warn')
const clock = realClock
const queues = openQueues({ redis, prefix: 'memory', log, clock })
const caches = openCaches(store)
await caches.start(new AbortController().signal)
await startWorkers({ store, caches, queues, config, clock, log, random: Math.random })

const isReady = (kind: 'Subnet' | 'Port'): number => [...caches[kind].values()].filter((item) => item.status?.phase === 'ready').length
await store.create({ kind: 'Vpc', metadata: { namespace: 'many', name: 'v' }, spec: {} })
await store.create({ kind: 'Subnet', metadata: { namespace: 'many', name: 's' }, spec: { vpc: 'v', ipv4: { cidr: '10.1.0.0/16' } } })
await until(() => isReady('Subnet') === 1, 'the Subnet is ready')
const annotations = { 'megrez.io/vpc': 'v', 'megrez.io/nics': '[{"name":"eth0","subnet":"s"}]' }
const pod = (i: number) =>
  store.create({
    kind: 'Pod',
    metadata: { namespace: 'many', name: `p${i}`, labels: { 'megrez.io/managed': 'true' }, annotations },
    spec: { containers: [{ name: 'web', image: 'registry.example.org/web:1.2.3' }] },
  })
await inFlight(50, Number(count), pod)
await until(() => isReady('Port') === Number(count), 'every pod has its Port', 600_000)
// The least of some looks: the collector takes its time.
const seen: number[] = []
for (let i = 0; i < 10; i++) {
  await new Promise((done) => setTimeout(done, 300))
  seen.push(process.memoryUsage.rss())
}
process.stdout.write(`${Math.min(...seen)}\n`)
process.exit(0)
