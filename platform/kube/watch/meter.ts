// What is measured about the API server.
import type { MetricSet, Reading } from '../../metrics/set.ts'

/** Why a watch had to be begun again. */
export type WatchEnd =
  /** At its own time, or cleanly after some seconds. */
  | 'over'
  /** Cleanly, at once. */
  | 'cut'
  /** Nothing came, no bookmark either. */
  | 'idle'
  /** It outlived its own time. */
  | 'overdue'
  /** Its past is no longer kept: a relist follows. */
  | 'gone'
  /** What came was no event: a relist follows. */
  | 'garbled'
  /** The server said no. */
  | 'refused'
  | 'network'

export interface KubeMeter {
  /** @param seconds until the answer began */
  answered(ask: { readonly verb: string; readonly resource: string }, status: number, seconds: number): void
  relisted(kind: string): void
  restarted(kind: string, reason: WatchEnd): void
  /** @param age in milliseconds since the watch was last heard of; undefined: it is no more */
  watching(kind: string, watch: object, age: (() => number) | undefined): void
}

export const noMeter: KubeMeter = {
  answered: () => undefined,
  relisted: () => undefined,
  restarted: () => undefined,
  watching: () => undefined,
}

export function prometheusMeter(set: MetricSet): KubeMeter {
  const requests = set.counter('megrez_kube_requests_total')
  const took = set.histogram('megrez_kube_request_seconds')
  const relists = set.counter('megrez_watch_relists_total')
  const restarts = set.counter('megrez_watch_restarts_total')
  const ages = new Map<object, { readonly kind: string; readonly age: () => number }>()
  set.gauge('megrez_watch_last_event_age_seconds', () => {
    const oldest = new Map<string, number>()
    for (const { kind, age } of ages.values()) oldest.set(kind, Math.max(oldest.get(kind) ?? 0, age()))
    return [...oldest].map(([kind, ms]): Reading<'megrez_watch_last_event_age_seconds'> => [{ kind }, ms / 1000])
  })
  return {
    answered({ verb, resource }, code, seconds) {
      requests({ verb, resource, code })
      took({ verb, resource }, seconds)
    },
    relisted: (kind) => relists({ kind }),
    restarted: (kind, reason) => restarts({ kind, reason }),
    watching(kind, watch, age) {
      if (age === undefined) ages.delete(watch)
      else ages.set(watch, { kind, age })
    },
  }
}
