// What a process measures of itself. The rows are in core/metrics.ts; parts that measure are handed a `MetricSet`, or one of these.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Registry } from 'prom-client'
import { MetricSet, type Reading } from './metrics/set.ts'
import { unhandledErrors } from './unhandled-errors.ts'

/** What happened to the reviews of one address. */
export interface AdmissionCounts {
  /** Answered without parsing: none of ours. */
  skipped(): void
  parsed(): void
  malformed(): void
  /** @param seconds from reading it to its answer */
  answered(seconds: number): void
}

export interface Metrics {
  readonly set: MetricSet
  readonly registry: Registry
  admissions(path: string): AdmissionCounts
  /** What pods name: within the bound of their namespace, or beyond it and so not kept. */
  reservations(): { readonly within: (many: number) => void; readonly beyond: (many: number) => void }
  /** A reservation that has ended without a pod. */
  readonly lapsed: (kind: 'IPLock' | 'Port') => void
  /** @param count objects whose next notice is refused again and again, over all Subscriptions, as this process knows them */
  parked(count: () => number): void
}

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { readonly version: string }

interface Counted {
  readonly path: string
  readonly how: string
  value: number
}
const readingOf = ({ path, how, value }: Counted): Reading<'megrez_admission_reviews_total'> => [{ path, how }, value]

export function makeMetrics(): Metrics {
  const set = new MetricSet()
  const reviews: Counted[] = []
  set.gauge('megrez_build_info', () => [[{ version }, 1]])
  set.counted('megrez_unheard_errors_total', () => [[{}, unhandledErrors.count]])
  set.counted('megrez_admission_reviews_total', () => reviews.map(readingOf))
  const lapsed = set.counter('megrez_reservations_lapsed_total')
  return {
    set,
    registry: set.registry,
    reservations() {
      const count = set.counter('megrez_reservations_total')
      return { within: (many) => count({ how: 'within' }, many), beyond: (many) => count({ how: 'beyond' }, many) }
    },
    lapsed: (kind) => lapsed({ kind }),
    parked: (count) => set.gauge('megrez_callbacks_parked', () => [[{}, count()]]),
    admissions(path) {
      // A number that is added to, and given to the counter when somebody asks: a counter of its own costs a microsecond a review.
      const count = (how: string): (() => void) => {
        const each = { path, how, value: 0 }
        reviews.push(each)
        return () => void each.value++
      }
      const answered = set.histogramOf('megrez_admission_seconds', { path })
      return { skipped: count('skipped'), parsed: count('parsed'), malformed: count('malformed'), answered }
    },
  }
}
