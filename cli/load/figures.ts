// How long things took: as Prometheus' histograms while it runs, as quantiles at the end.
import { Counter, Histogram, Registry } from 'prom-client'
import { allMetrics, loadCounts, loadMetric, loadStages } from '../../core/metrics.ts'

export const counts = loadCounts
export type Stage = (typeof loadStages)[number]
export type Count = (typeof loadCounts)[number]

export interface Quantiles {
  readonly count: number
  readonly p50Ms: number
  readonly p90Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

function rowOf(name: string): { readonly name: string; readonly help: string; readonly buckets: number[] } {
  const { help, buckets = [] } = allMetrics[name]!
  return { name, help, buckets: [...buckets] }
}

export class Figures {
  readonly registry = new Registry()
  #took = new Map<Stage, number[]>(loadStages.map((stage) => [stage, []]))
  #histograms: ReadonlyMap<Stage, Histogram>
  #counters: ReadonlyMap<Count, Counter>
  #counted = new Map<Count, number>()

  constructor() {
    const registers = [this.registry]
    this.#histograms = new Map(loadStages.map((stage) => [stage, new Histogram({ ...rowOf(loadMetric.stage(stage)), registers })]))
    this.#counters = new Map(loadCounts.map((count) => [count, new Counter({ ...rowOf(loadMetric.count(count)), registers })]))
  }

  took(stage: Stage, ms: number): void {
    this.#took.get(stage)!.push(ms)
    this.#histograms.get(stage)!.observe(ms / 1000)
  }

  add(count: Count): void {
    this.#counted.set(count, this.count(count) + 1)
    this.#counters.get(count)!.inc()
  }

  count(count: Count): number {
    return this.#counted.get(count) ?? 0
  }

  /** Of the stages that anything came to. */
  quantiles(): Readonly<Partial<Record<Stage, Quantiles>>> {
    return Object.fromEntries([...this.#took].flatMap(([stage, all]) => (all.length === 0 ? [] : [[stage, quantilesOf(all)]])))
  }
}

function quantilesOf(all: readonly number[]): Quantiles {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number): number => Number(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!.toFixed(1))
  return { count: sorted.length, p50Ms: at(0.5), p90Ms: at(0.9), p99Ms: at(0.99), maxMs: at(1) }
}
