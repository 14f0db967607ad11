// Every metric, once. Labels take few values: nothing that a user names.
import { collectDefaultMetrics, Counter, Registry } from 'prom-client'

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
}

export function makeMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const reviews = new Counter({ name: 'megrez_admission_reviews_total', help: 'Admission reviews answered', labelNames: ['path', 'how'], registers: [registry] })
  return {
    registry,
    admissions(path) {
      const count = (how: string): (() => void) => {
        const child = reviews.labels(path, how)
        return () => child.inc()
      }
      return { skipped: count('skipped'), parsed: count('parsed'), malformed: count('malformed') }
    },
  }
}
