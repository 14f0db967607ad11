import type { Measured } from './rounds.ts'

/** One figure of a benchmark, as the last line of its output has it. */
export interface Metric {
  readonly metric: string
  readonly value: number
  readonly unit: string
  /** What the same machine does without us, measured in the same run; null where there is nothing to compare with. */
  readonly floor: number | null
  /** value / floor */
  readonly ratio: number | null
  /** Of the floor's own rounds: (highest - lowest) / median; null where it had one round, or there is no floor. */
  readonly spread: number | null
  /** For people: `>= 0.85 of the floor`. */
  readonly target: string
  /** null: too noisy to judge. */
  readonly met: boolean | null
}

/** A benchmark is a file of this folder: what it measures in a sentence, and the measuring. */
export interface Bench {
  readonly description: string
  readonly default: () => Promise<readonly Metric[]>
}

type Bound = { readonly atLeast: number } | { readonly atMost: number }

const holds = (value: number, bound: Bound) => ('atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost)
const boundText = (bound: Bound) => ('atLeast' in bound ? `>= ${bound.atLeast}` : `<= ${bound.atMost}`)
const round = (value: number) => Number(value.toPrecision(6))

/** Where the floor, which is nobody's doing, differs by more from round to round, the machine is too busy to judge us. */
const spreadMost = 0.5

interface Compared {
  readonly value: number
  /** All rounds, where there were several. */
  readonly floor: number | Measured
}

/** A figure whose target is a ratio to the floor. */
export function againstFloor(metric: string, unit: string, { value, floor: given }: Compared, bound: Bound): Metric {
  const { median: floor, spread } = typeof given === 'number' ? { median: given, spread: null } : given
  const ratio = value / floor
  return {
    metric,
    value: round(value),
    unit,
    floor: round(floor),
    ratio: round(ratio),
    spread: spread === null ? null : round(spread),
    target: `${boundText(bound)} of the floor`,
    met: spread !== null && spread > spreadMost ? null : holds(ratio, bound),
  }
}

/** A figure with a target of its own. */
export function absolute(metric: string, unit: string, value: number, bound: Bound): Metric {
  return {
    metric,
    value: round(value),
    unit,
    floor: null,
    ratio: null,
    spread: null,
    target: `${boundText(bound)} ${unit}`,
    met: holds(value, bound),
  }
}
