// From settings to running workers, where truth is in the Kubernetes API and keys are in Redis.
import { ConfigInvalid } from '../core/errors.ts'
import { realRandom } from '../platform/chance.ts'
import { realClock } from '../platform/clock.ts'
import { openCluster } from '../platform/cluster.ts'
import { settings, type Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import { kubeScales } from '../platform/kube/scales.ts'
import { probeApiServer, usualProbeTimes } from '../platform/kube/api-server-probe.ts'
import { openQueues } from '../platform/queue/index.ts'
import type { Stops } from '../platform/run.ts'
import { admissionOf, keepCertificates } from './admission-certificates.ts'
import { startDispatcher } from './notify/start-dispatcher.ts'
import { startWorkers } from './start.ts'

/** @throws ConfigInvalid, or what listening throws; what was started by then is in `stops` */
export async function startOfCluster(config: Config, { log, stops }: { readonly log: Log; readonly stops: Stops }): Promise<void> {
  if (config.redis === undefined && !config.queueInProcess) {
    throw new ConfigInvalid({
      name: settings.redis.env,
      reason: `is not set: several workers share their keys through Redis. One worker alone may do without: ${settings.queueInProcess.env}=true`,
    })
  }
  const clock = realClock
  const random = realRandom
  const { store, caches, metrics, healthL4Port, watchFor, sync } = await openCluster(config, { log, stops })
  log.info({ healthL4Port }, 'listening')
  const pulse = probeApiServer(store.client, usualProbeTimes, { clock, log })
  stops.add(() => pulse.stop())
  watchFor(() => pulse.problem)
  if (config.renewCertificates) {
    const certificates = keepCertificates(admissionOf(config.namespace), { client: store.client, clock, log, random })
    stops.add(() => certificates.stop())
  }
  const queues = openQueues({ redis: config.redis, redisCa: config.redisCa, prefix: config.redisPrefix, log, clock })
  stops.add(() => queues.close())
  watchFor(() => queues.problem())
  await sync()
  const deps = { store, caches, queues, config, clock, log, random }
  const dispatcher = await startDispatcher({ ...deps, metrics })
  stops.add(() => dispatcher.stop())
  const workers = await startWorkers({ ...deps, scales: kubeScales(store.client), lapsed: metrics.lapsed, metrics: metrics.set })
  stops.add(() => workers.stop())
  log.info({ queues: queues.name }, 'workers run')
}
