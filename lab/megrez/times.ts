// How long pods take from created to Running, as a watch sees it.
import type { Cluster } from '../cluster.ts'
import { watchPods } from '../cluster/pod-watch.ts'
import { apply } from './install.ts'
import { deploymentOf, type Wish } from './pods.ts'
import { until } from '../../platform/programs/until.ts'

export interface Rollout {
  /** From the first pod that was seen to the last that was running. */
  readonly allMs: number
  /** Half of the pods took no longer, each from its own first sight. */
  readonly medianMs: number
}

const rolloutMs = 180_000

/** Rolls a Deployment out, and takes it away again. */
export async function timeRollout(cluster: Cluster, wish: Wish): Promise<Rollout> {
  const watch = await watchPods(cluster.controlPlane, wish.namespace)
  try {
    await apply(cluster, [deploymentOf(wish)])
    const running = (): number[] => [...watch.times.values()].flatMap(({ runningMs }) => runningMs ?? [])
    await until(() => running().length === wish.replicas, `${wish.replicas} pods of ${wish.namespace}/${wish.name} run`, rolloutMs)
    const took = [...watch.times.values()].map(({ seenMs, runningMs = 0 }) => runningMs - seenMs).sort((a, b) => a - b)
    const first = Math.min(...[...watch.times.values()].map(({ seenMs }) => seenMs))
    return { allMs: Math.round(Math.max(...running()) - first), medianMs: Math.round(took[Math.floor((took.length - 1) / 2)] ?? 0) }
  } finally {
    await cluster.kubectl([
      'delete',
      'deployment',
      wish.name,
      '-n',
      wish.namespace,
      '--wait=true',
      '--cascade=foreground',
      '--timeout=120s',
      '--ignore-not-found',
    ])
    await watch.stop()
  }
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0
