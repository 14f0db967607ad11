// The simulated store is held to what every store keeps, in every mode; the simulated queue, while nothing is laid for it, to what every
// queue does.
import type { Queues } from '../../core/contracts/queue.ts'
import { silentLog } from '../../platform/log.ts'
import { shardedQueues } from '../../platform/queue/sharded/sharded-queue.ts'
import { Process } from './process.ts'
import { pump } from './pump.ts'
import { Site } from './site.ts'
import { storeLaws } from '../laws/store.ts'
import { queueLaws } from '../laws/queue.ts'

for (const mode of ['sqlite', 'kube', 'api'] as const) {
  storeLaws(`the simulated store, ${mode}`, async () => {
    const site = new Site({ seed: 1, mode })
    if (mode === 'api') site.truth.commit([{ do: 'create', draft: { kind: 'Namespace', metadata: { name: 'laws' }, spec: {} } }], 'admin')
    const stop = pump(site.scheduler)
    const store = site.storeFor(new Process('laws', { scheduler: site.scheduler, dice: site.dice.fork('laws') }))
    return { store, namespace: 'laws', end: async () => stop() }
  })
}

const openSimulated = async (on: (queues: Queues, process: Process) => Queues = (queues) => queues): Promise<Queues> => {
  const site = new Site({ seed: 1, mode: 'kube' })
  const stop = pump(site.scheduler)
  const process = new Process('laws', { scheduler: site.scheduler, dice: site.dice.fork('laws') })
  return { ...on(site.broker.queuesOf(process, site.log), process), close: async () => stop() }
}

const clockLagMs = 1_000
queueLaws('the simulated queue', { open: () => openSimulated(), clockLagMs })
queueLaws('a sharded queue whose shards the simulated one carries', {
  open: () => openSimulated((carriers, { clock }) => shardedQueues(carriers, { clock, log: silentLog() })),
  clockLagMs,
})
