// How long things took: as Prometheus' histograms while it runs, as quantiles at the end. The names are those of KOS' driver.
import { Counter, Histogram, Registry } from 'prom-client'

/** `easy`: nobody else had the address that was picked first. */
export const stages = [
  'create', 'create_to_addressed', 'create_to_addressed_easy', 'create_to_ready', 'create_to_ready_easy', 'create_to_broken',
  'create_to_half_tested', 'ready_to_half_tested', 'create_to_tested', 'ready_to_tested', 'delete',
] as const
export type Stage = (typeof stages)[number]
export const counts = ['successful_creates', 'failed_creates', 'successful_deletes', 'failed_deletes', 'tests', 'failed_tests'] as const
export type Count = (typeof counts)[number]

export interface Quantiles {
  readonly count: number
  readonly p50Ms: number
  readonly p90Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

// 1 ms to 65 s, doubling.
const buckets = Array.from({ length: 17 }, (_, i) => 0.001 * 2 ** i)

export class Figures {
  readonly registry = new Registry()
  #took = new Map<Stage, number[]>(stages.map((stage) => [stage, []]))
  #histograms: ReadonlyMap<Stage, Histogram>
  #counters: ReadonlyMap<Count, Counter>
  #counted = new Map<Count, number>()

  constructor() {
    const registers = [this.registry]
    this.#histograms = new Map(stages.map((stage) => [stage, new Histogram({ name: `megrez_driver_attachment_${stage}_latency_seconds`, help: `From ${stage.replaceAll('_', ' ')}`, buckets, registers })]))
    this.#counters = new Map(counts.map((count) => [count, new Counter({ name: `megrez_driver_attachment_${count}_total`, help: count.replaceAll('_', ' '), registers })]))
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
