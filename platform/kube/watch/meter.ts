// What is measured about the API server; on a registry where one is handed in.
import { Counter, Gauge, type Registry } from 'prom-client'

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
  answered(verb: string, resource: string, status: number): void
  relisted(kind: string): void
  restarted(kind: string, reason: WatchEnd): void
  /** @param age in milliseconds since the watch was last heard of; undefined: it is no more */
  watching(kind: string, watch: object, age: (() => number) | undefined): void
}

export const noMeter: KubeMeter = { answered: () => undefined, relisted: () => undefined, restarted: () => undefined, watching: () => undefined }

export function prometheusMeter(registry: Registry): KubeMeter {
  const registers = [registry]
  const requests = new Counter({ name: 'megrez_kube_requests_total', help: 'requests to the API server', labelNames: ['verb', 'resource', 'code'], registers })
  const relists = new Counter({ name: 'megrez_watch_relists_total', help: 'lists that a watch began with, or had to begin again with', labelNames: ['kind'], registers })
  const restarts = new Counter({ name: 'megrez_watch_restarts_total', help: 'watches begun again, by the end of the one before', labelNames: ['kind', 'reason'], registers })
  const ages = new Map<object, { readonly kind: string; readonly age: () => number }>()
  const oldest = new Gauge({
    name: 'megrez_watch_last_event_age_seconds',
    help: 'since the most silent watch of the kind was heard of: events and bookmarks',
    labelNames: ['kind'],
    registers,
    collect() {
      const found = new Map<string, number>()
      for (const { kind, age } of ages.values()) found.set(kind, Math.max(found.get(kind) ?? 0, age()))
      oldest.reset()
      for (const [kind, age] of found) oldest.set({ kind }, age / 1000)
    },
  })
  return {
    answered: (verb, resource, code) => requests.inc({ verb, resource, code }),
    relisted: (kind) => relists.inc({ kind }),
    restarted: (kind, reason) => restarts.inc({ kind, reason }),
    watching(kind, watch, age) {
      if (age === undefined) ages.delete(watch)
      else ages.set(watch, { kind, age })
    },
  }
}
