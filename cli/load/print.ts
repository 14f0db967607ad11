import type { Drive, Outcome } from './drive.ts'
import { counts, type Quantiles } from './figures.ts'
import type { LoadOptions } from './options.ts'
import type { Operation } from './schedule.ts'

export interface Summary {
  readonly runid: string
  readonly seed: number
  readonly operations: number
  readonly tookMs: number
  /** Per second, over the whole run. */
  readonly rate: number
  /** How long after it was due the operation began that was latest. */
  readonly latestMs: number
  readonly counts: Readonly<Record<string, number>>
  readonly stages: Readonly<Partial<Record<string, Quantiles>>>
  readonly wrong: readonly string[]
}

export function summaryOf(options: LoadOptions, { figures }: Drive, { operations, tookMs, wrong }: Outcome): Summary {
  return {
    runid: options.runid,
    seed: options.seed,
    operations: operations.length,
    tookMs: Math.round(tookMs),
    rate: Number(((operations.length * 1000) / tookMs).toFixed(1)),
    latestMs: Math.round(operations.reduce((most, { atMs, beganMs }) => Math.max(most, beganMs - atMs), 0)),
    counts: Object.fromEntries(counts.map((count) => [count, figures.count(count)])),
    stages: figures.quantiles(),
    wrong,
  }
}

export function printSummary(summary: Summary): string {
  const rows = Object.entries(summary.stages).map(([stage, q]) =>
    [stage.replaceAll('_', ' '), ...(q === undefined ? [] : [q.count, q.p50Ms, q.p90Ms, q.p99Ms, q.maxMs])].map(String),
  )
  const all = [['', 'COUNT', 'P50 ms', 'P90 ms', 'P99 ms', 'MAX ms'], ...rows]
  const widths = all[0]!.map((_, i) => Math.max(...all.map((row) => row[i]!.length)))
  const table = all
    .map((row) => `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ')}\n`)
    .join('')
  const counts = Object.entries(summary.counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`)
  return [
    `Run ${summary.runid}, seed ${summary.seed}: ${summary.operations} operations in ${(summary.tookMs / 1000).toFixed(1)} s, ${summary.rate} per second; the latest began ${summary.latestMs} ms after it was due.\n`,
    table,
    `${counts.join(', ')}\n`,
    ...summary.wrong.slice(0, 20).map((each) => `wrong: ${each}\n`),
  ].join('')
}

/** What a run would do. */
export function printEstimate({ schedule, runid, seed }: LoadOptions, operations: readonly Operation[]): string {
  const created = operations.filter((each) => each.do === 'create')
  const last = operations.at(-1)?.atMs ?? 0
  return [
    `Run ${runid}, seed ${seed}: networks with room for ${schedule.sizes.join(', ')}.\n`,
    `${operations.length} operations in ${(last / 1000).toFixed(1)} s: ${created.length} creates, as many deletes; ${created.filter(({ tested }) => tested).length} are tested.\n`,
    `At most ${mostAtOnce(operations)} at once.\n`,
  ].join('')
}

function mostAtOnce(operations: readonly Operation[]): number {
  let [now, most] = [0, 0]
  for (const operation of operations) most = Math.max(most, (now += operation.do === 'create' ? 1 : -1))
  return most
}

/** A line for each operation, in the order in which they began. */
export function operationLines(operations: Outcome['operations']): string {
  const lines = operations
    .toSorted((a, b) => a.beganMs - b.beganMs)
    .map((each) =>
      [each.do, each.attachment, each.network, each.node ?? '', each.atMs.toFixed(1), each.beganMs.toFixed(1), each.tookMs.toFixed(1)].join(
        ',',
      ),
    )
  return ['operation,attachment,network,node,due_ms,began_ms,took_ms', ...lines, ''].join('\n')
}
