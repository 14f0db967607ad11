// What every process of a cluster begins with: the store of the cluster, and its health to be asked for before anything works.
import { pluralOf } from '../core/kinds/index.ts'
import { openCaches, type Cached, type Caches } from './cache/caches.ts'
import type { Config } from './config.ts'
import { realClock } from './clock.ts'
import { listenHealth } from './health.ts'
import type { Log } from './log.ts'
import { makeMetrics, type Metrics } from './metrics.ts'
import { startMetrics } from './metrics/listen.ts'
import type { Stops } from './run.ts'
import { openKubeStore } from './store/kube/open.ts'
import type { KubeStore } from './store/kube/kube.ts'

export interface Cluster {
  readonly store: KubeStore
  readonly caches: Caches
  readonly metrics: Metrics
  readonly healthL4Port: number
  /** One more thing that may keep the process from being ready. */
  watchFor(problem: () => string | undefined): void
  /** Resolves once everything there is has been seen; until then the process is alive and not ready. */
  sync(): Promise<void>
}

/** @throws ConfigInvalid, or what listening throws */
export async function openCluster(
  config: Config,
  { log, stops, only }: { readonly log: Log; readonly stops: Stops; readonly only?: readonly Cached[] },
): Promise<Cluster> {
  const { kubeconfig, kubeContext: context, listenHost: host, healthL4Port: l4Port } = config
  const metrics = makeMetrics()
  const store = await openKubeStore({
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    metrics: metrics.set,
    log,
  })
  stops.add(() => store.close())
  const caches = openCaches(store, { ...(only && { only }), onProblem: (err, key) => log.error({ err, key }, 'cache listener failed') })
  const problems: (() => string | undefined)[] = [() => awaited(caches)]
  const isApart = (await startMetrics(config, metrics.registry, { clock: realClock, log, stops })) !== undefined
  const health = await listenHealth(
    { host, l4Port },
    {
      registry: isApart ? undefined : metrics.registry,
      problems: () => problems.map((each) => each()).filter((each) => each !== undefined),
    },
  )
  stops.add(() => health.close())
  return {
    store,
    caches,
    metrics,
    healthL4Port: health.l4Port,
    watchFor: (err) => void problems.push(err),
    async sync() {
      const following = new AbortController()
      stops.add(() => following.abort())
      await caches.start(following.signal)
      // Stopped before everything was seen: nothing more is to be started.
      following.signal.throwIfAborted()
    },
  }
}

function awaited(caches: Caches): string | undefined {
  const kinds = caches.unseen()
  return kinds.length === 0 ? undefined : `the API server has not told of ${kinds.map(pluralOf).join(', ')} yet`
}
