import { performance } from 'node:perf_hooks'

export interface Measured {
  readonly median: number
  /** (highest - lowest) / median: above 0.3 the machine was not quiet. */
  readonly spread: number
  readonly all: readonly number[]
}

/** Operations per second of doing `n` of them. */
export async function rate(n: number, run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return (n * 1_000) / (performance.now() - start)
}

/**
 * Measures several things round by round, each in every round, so that a slow minute of the machine falls on all of them. The
 * first round only warms up. Who begins changes from round to round.
 */
export async function interleaved<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, Measured>> {
  const names = Object.keys(contenders) as Name[]
  const all = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round <= rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length]!
      globalThis.gc?.()
      const value = await contenders[name]()
      if (round > 0) all[name].push(value)
    }
  }
  return Object.fromEntries(names.map((name) => [name, measured(all[name])])) as Record<Name, Measured>
}

/** The rounds of one contender, as a whole. */
export function measured(all: readonly number[]): Measured {
  const middle = median(all)
  return { median: middle, spread: (Math.max(...all) - Math.min(...all)) / middle, all }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** @param q 0.99 for the 99th percentile; between two values it takes what lies between */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * q
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}

/** Prints medians and spreads, one contender a line. */
export function show(unit: string, figures: Readonly<Record<string, Measured>>): void {
  for (const [name, { median, spread }] of Object.entries(figures)) {
    console.log(`${name.padEnd(32)} ${Math.round(median).toLocaleString('en').padStart(10)} ${unit}  spread ${spread.toFixed(2)}`)
  }
}

/** Runs `n` tasks, so many at a time. */
export async function inFlight(width: number, n: number, task: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < n) await task(next++)
    }),
  )
}
