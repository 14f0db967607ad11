/** One figure of a benchmark, as the last line of its output has it. */
export interface Metric {
  readonly metric: string
  readonly value: number
  readonly unit: string
  /** What the same machine does without us, measured in the same run; null where there is nothing to compare with. */
  readonly floor: number | null
  /** value / floor */
  readonly ratio: number | null
  /** For people: `>= 0.85 of the floor`. */
  readonly target: string
  readonly met: boolean
}

/** A benchmark is a file of this folder: what it measures in a sentence, and the measuring. */
export interface Bench {
  readonly description: string
  readonly default: () => Promise<readonly Metric[]>
}

type Bound = { readonly atLeast: number } | { readonly atMost: number }

const holds = (value: number, bound: Bound) => ('atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost)
const said = (bound: Bound) => ('atLeast' in bound ? `>= ${bound.atLeast}` : `<= ${bound.atMost}`)
const round = (value: number) => Number(value.toPrecision(6))

/** A figure whose target is a ratio to the floor. */
export function againstFloor(
  metric: string,
  unit: string,
  { value, floor }: { readonly value: number; readonly floor: number },
  bound: Bound,
): Metric {
  const ratio = value / floor
  return {
    metric,
    value: round(value),
    unit,
    floor: round(floor),
    ratio: round(ratio),
    target: `${said(bound)} of the floor`,
    met: holds(ratio, bound),
  }
}

/** A figure with a target of its own. */
export function absolute(metric: string, unit: string, value: number, bound: Bound): Metric {
  return { metric, value: round(value), unit, floor: null, ratio: null, target: `${said(bound)} ${unit}`, met: holds(value, bound) }
}
