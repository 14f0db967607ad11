// Every metric, once. Labels take few values: nothing that a user names.
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { unhandledErrors } from './unhandled-errors.ts'

/** What happened to the reviews of one address. */
export interface AdmissionCounts {
  /** Answered without parsing: none of ours. */
  skipped(): void
  parsed(): void
  malformed(): void
}

export interface Metrics {
  readonly registry: Registry
  admissions(path: string): AdmissionCounts
  /** What pods name: within the bound of their namespace, or beyond it and so not kept. */
  reservations(): { readonly within: (many: number) => void; readonly beyond: (many: number) => void }
  /** A reservation that has ended without a pod. */
  readonly lapsed: (kind: 'IPLock' | 'Port') => void
  /** @param count objects whose next notice is refused again and again, over all Subscriptions, as this process knows them */
  parked(count: () => number): void
}

export function makeMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counts: { readonly path: string; readonly how: string; value: number }[] = []
  new Counter({
    name: 'megrez_admission_reviews_total',
    help: 'Admission reviews answered',
    labelNames: ['path', 'how'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { path, how, value } of counts) this.inc({ path, how }, value)
    },
  })
  new Counter({
    name: 'megrez_unheard_errors_total',
    help: 'Errors that nobody heard: the first ends the process',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(unhandledErrors.count)
    },
  })
  const lapsed = new Counter({ name: 'megrez_reservations_lapsed_total', help: 'What admission kept for a pod that never came, by kind', labelNames: ['kind'], registers: [registry] })
  return {
    registry,
    reservations() {
      const counter = new Counter({ name: 'megrez_reservations_total', help: 'What pods name: within the bound of their namespace, or beyond it and so not kept for them', labelNames: ['how'], registers: [registry] })
      return { within: (many) => counter.inc({ how: 'within' }, many), beyond: (many) => counter.inc({ how: 'beyond' }, many) }
    },
    lapsed: (kind) => lapsed.inc({ kind }),
    parked(count) {
      new Gauge({
        name: 'megrez_callbacks_parked',
        help: 'Objects whose next notice a Subscription\'s sink refuses again and again',
        registers: [registry],
        collect() {
          this.set(count())
        },
      })
    },
    admissions(path) {
      // A number that is added to, and given to the counter when somebody asks: a counter of its own costs a microsecond a review.
      const count = (how: string): (() => void) => {
        const each = { path, how, value: 0 }
        counts.push(each)
        return () => void each.value++
      }
      return { skipped: count('skipped'), parsed: count('parsed'), malformed: count('malformed') }
    },
  }
}
