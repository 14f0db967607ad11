// Which connections would be allowed or denied otherwise: of two sets of rules that the same ends are judged by. Pairs are the square of
// those whom policies tell apart, and whoever may write labels and policies says how many that is: it ends where it has cost enough.
import { policyText, type RuleSetSpec } from '../../kinds/policy/policy-rule-set.ts'
import { sameJson } from '../../same-json.ts'
import type { Carried } from '../verdict.ts'
import { costMost, costOf, judgingSets, union } from './judging.ts'
import { traceOf, type TraceEnd, type Traced } from './trace.ts'

export interface ChangedPair<E> {
  readonly from: E
  readonly to: E
  readonly transport: Carried
  readonly before: Traced
  readonly after: Traced
}

interface Search<E> {
  readonly before: readonly RuleSetSpec[]
  readonly after: readonly RuleSetSpec[]
  readonly ends: readonly E[]
  readonly transports: readonly Carried[]
  /** Whether an end sends that at all. */
  readonly sends: (from: E, transport: Carried) => boolean
}

/** What judges one end, and what it costs to ask. */
interface Judging {
  readonly before: readonly RuleSetSpec[]
  readonly after: readonly RuleSetSpec[]
  readonly differs: boolean
  readonly cost: number
}

/** @returns no more than `most`, and whether there may be others */
export function changedPairs<E extends { readonly end: TraceEnd }>(
  search: Search<E>,
  most: number,
): { readonly changes: readonly ChangedPair<E>[]; readonly more: boolean } {
  const changes: ChangedPair<E>[] = []
  let cost = 0
  for (const { from, to, transport, was, is, costs } of questionsOf(search)) {
    cost += costs
    if (cost > costMost || changes.length >= most) return { changes, more: true }
    const question = { from: from.end, to: to.end, transport }
    const [before, after] = [traceOf(was, question), traceOf(is, question)]
    if (before.isAllowed !== after.isAllowed) changes.push({ from, to, transport, before, after })
  }
  return { changes, more: false }
}

interface Question<E> extends Pick<ChangedPair<E>, 'from' | 'to' | 'transport'> {
  readonly was: readonly RuleSetSpec[]
  readonly is: readonly RuleSetSpec[]
  readonly costs: number
}

/** Egress is asked of whom judges the one, ingress of whom judges the other: where neither is otherwise nothing is. */
function* questionsOf<E extends { readonly end: TraceEnd }>({ before, after, ends, transports, sends }: Search<E>): Iterable<Question<E>> {
  const identities = ends.map(({ end }) => end.identity)
  const [had, has] = [judgingSets(before, identities), judgingSets(after, identities)]
  const judged = ends.map((of) => ({ of, ...judgingOf(had.get(of.end.identity)!, has.get(of.end.identity)!) }))
  for (const from of judged) {
    const carried = transports.filter((transport) => sends(from.of, transport))
    for (const to of judged) {
      if (!from.differs && !to.differs) continue
      const [was, is] = [union(from.before, to.before), union(from.after, to.after)]
      const pair = { from: from.of, to: to.of, was, is, costs: from.cost + to.cost }
      yield* carried.map((transport) => ({ ...pair, transport }))
    }
  }
}

const judgingOf = (before: readonly RuleSetSpec[], after: readonly RuleSetSpec[]): Judging => ({
  before,
  after,
  differs: !sameJson(byPolicy(before), byPolicy(after)),
  cost: costOf(before) + costOf(after),
})

const byPolicy = (sets: readonly RuleSetSpec[]): object => Object.fromEntries(sets.map((set) => [policyText(set), contentOf(set)]).sort())

/** What it says, whichever object of that name says it, and under which number. */
const contentOf = ({ number: _, subjects: __, policy: ___, ...content }: RuleSetSpec): object => content
