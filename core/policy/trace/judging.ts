// Which rule sets judge whom, and what it costs to ask them: a question about many pairs asks those of its two ends alone, and is about no
// more pairs than it may cost. Whoever may write labels and policies says how many of each there are.
import type { CompiledRule, RuleSetSpec } from '../../kinds/policy/policy-rule-set.ts'
import type { TraceEnd } from './trace.ts'

/** Rules and blocks that are looked at: half a second's, on the machine that CI had on 2026-11-28. */
export const costMost = 1_000_000

/** Identity → the sets that judge it, of these identities. */
export function judgingSets(sets: readonly RuleSetSpec[], identities: Iterable<number>): ReadonlyMap<number, readonly RuleSetSpec[]> {
  const judging = new Map<number, RuleSetSpec[]>([...identities].map((identity) => [identity, []]))
  for (const set of sets) for (const subject of new Set(set.subjects)) judging.get(subject)?.push(set)
  return judging
}

/** Of asking all of them once. */
export const costOf = (sets: readonly RuleSetSpec[]): number =>
  sets.reduce((sum, { rules }) => sum + 1 + rules.reduce((all, rule) => all + ruleCost(rule), 0), 0)

const ruleCost = ({ peers, transport = [] }: CompiledRule): number => 1 + transport.length + (peers?.blocks.length ?? 0)

export const union = (some: readonly RuleSetSpec[], others: readonly RuleSetSpec[]): readonly RuleSetSpec[] => [
  ...new Set([...some, ...others]),
]

export interface JudgedEnd {
  readonly end: TraceEnd
  readonly sets: readonly RuleSetSpec[]
}

export function judgedEnds(ends: readonly TraceEnd[], sets: readonly RuleSetSpec[]): readonly JudgedEnd[] {
  const judging = judgingSets(
    sets,
    ends.map(({ identity }) => identity),
  )
  return ends.map((end) => ({ end, sets: judging.get(end.identity)! }))
}

/** The first of them, as many as may be asked against `others`, both ways; absent: against each other. */
export function affordable(ends: readonly JudgedEnd[], others?: number): readonly JudgedEnd[] {
  let cost = 0
  const tooMany = ends.findIndex(({ sets }, i) => {
    cost += costOf(sets)
    return 2 * cost * (others ?? i + 1) > costMost
  })
  return tooMany < 0 ? ends : ends.slice(0, tooMany)
}
