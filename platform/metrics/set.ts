// The metrics of one process, made from their rows in core/metrics.ts when they are first asked for.
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { metrics, type LabelsOf, type MetricName } from '../../core/metrics.ts'
import { Buckets } from './buckets.ts'

/** One label set with its value, as it is when somebody asks. */
export type Reading<N extends MetricName> = readonly [LabelsOf<N>, number]
type Readings<N extends MetricName> = Iterable<Reading<N>> | Promise<Iterable<Reading<N>>>

export class MetricSet {
  readonly registry = new Registry()
  readonly #histograms = new Map<string, Buckets>()

  /** Beside ours those of Node.js and of the process. */
  constructor({ ofProcess = true }: { readonly ofProcess?: boolean } = {}) {
    if (ofProcess) collectDefaultMetrics({ register: this.registry })
  }

  /** Counts one, or `by`. */
  counter<N extends MetricName<'counter'>>(name: N): (labels: LabelsOf<N>, by?: number) => void {
    const made = (this.registry.getSingleMetric(name) as Counter | undefined) ?? new Counter({ ...this.#rowOf(name) })
    return (labels, by = 1) => made.inc(labels, by)
  }

  /** A counter that is kept elsewhere. */
  counted<N extends MetricName<'counter'>>(name: N, read: () => Readings<N>): void {
    new Counter({
      ...this.#rowOf(name),
      async collect() {
        const readings = await read()
        this.reset()
        for (const [labels, value] of readings) this.inc(labels, value)
      },
    })
  }

  gauge<N extends MetricName<'gauge'>>(name: N, read: () => Readings<N>): void {
    new Gauge({
      ...this.#rowOf(name),
      async collect() {
        const readings = await read()
        this.reset()
        for (const [labels, value] of readings) this.set(labels, value)
      },
    })
  }

  /** Takes one value, in the unit of its row. */
  histogram<N extends MetricName<'histogram'>>(name: N): (labels: LabelsOf<N>, value: number) => void {
    const made = this.#buckets(name)
    return (labels, value) => made.of(labels).take(value)
  }

  /** The same of one label set, for what is done very often. */
  histogramOf<N extends MetricName<'histogram'>>(name: N, labels: LabelsOf<N>): (value: number) => void {
    const series = this.#buckets(name).of(labels)
    return (value) => series.take(value)
  }

  #buckets(name: MetricName<'histogram'>): Buckets {
    const made = this.#histograms.get(name) ?? new Buckets(name, metrics[name], this.registry)
    this.#histograms.set(name, made)
    return made
  }

  #rowOf(name: MetricName): { name: string; help: string; labelNames: string[]; registers: Registry[] } {
    const { help, labels } = metrics[name]
    return { name, help, labelNames: [...labels], registers: [this.registry] }
  }
}
