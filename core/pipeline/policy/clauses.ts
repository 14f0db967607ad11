// What rules ask about, as flows that they share: each dimension of a rule (dimensions.ts) is one clause of its conjunction, and each thing
// that it asks for in it the key of a flow, in which the clauses of all rules stand that ask for the same with the same strength.
import type { CompiledRule } from '../../kinds/policy/policy-rule-set.ts'
import { tiers } from '../../kinds/policy/tiers.ts'
import type { RuleSet } from '../../node/wanted.ts'
import { conjunction, type Conjunction } from '../openflow/actions.ts'
import { flowKey, isMasked, type Term } from '../openflow/flow.ts'
import { inVni, isBit } from '../match.ts'
import { ruleId } from '../rule-owner.ts'
import { tables } from '../tables.ts'
import { auditedIn, tierTables } from '../tiers.ts'
import { dimensionsOf, type Match } from './dimensions.ts'

/**
 * Of one strength: where the order is no matter. Above what isolates, which is 1 or 2. What is in audit is asked where nothing that is
 * enforced matches: which of two of one strength a switch takes nobody knows.
 */
const unorderedPriorities = { enforced: 100, audit: 99 } as const
const levels = 64
const prioritiesMax = 1000
export function priorityOf(set: RuleSet, rule: CompiledRule): number {
  const { tier, priority } = set
  if (tiers[tier].isOrdered) return levels * (prioritiesMax - priority) + levels - rule.level + 2
  return unorderedPriorities[isAudit(set, rule) ? 'audit' : 'enforced']
}

export type KeyedClauses = readonly (readonly [key: string, clause: Conjunction])[]

/**
 * A rule that stays while others of its set come and go is the same object (core/policy/rules/same-rules.ts): what was worked out of it is
 * there already, also when it is asked what the set was before. With what of the set it was worked out.
 */
const kept = new WeakMap<CompiledRule, { readonly around: string; readonly clauses: KeyedClauses }>()

/** @returns key of a flow, and what it is to a rule; nothing of a rule that nothing can match */
export function clausesOf(set: RuleSet): KeyedClauses {
  const around = textAround(set)
  return set.rules.flatMap((rule) => clausesOfRule(set, rule, around))
}

/** @param around as textAround writes it */
export function clausesOfRule(set: RuleSet, rule: CompiledRule, around: string): KeyedClauses {
  const known = kept.get(rule)
  if (known?.around === around) return known.clauses
  const clauses = readClauses(set, rule)
  kept.set(rule, { around, clauses })
  return clauses
}

/** All that clauses depend on, but the rule. */
export const textAround = ({ vni, number, tier, priority, audit, subjects }: RuleSet): string =>
  `${vni}/${number}/${tier}/${priority}/${audit === true}/${subjects.join()}`

function readClauses(set: RuleSet, rule: CompiledRule): KeyedClauses {
  const id = ruleId(set.number, rule.index)
  const dimensions = dimensionsOf(set, rule)
  return dimensions.flatMap((matches, i) => {
    const clause = conjunction(id, i + 1, dimensions.length)
    return [...new Set(matches.map((match) => keyOf(set, rule, match)))].map((key) => [key, clause] as const)
  })
}

const keyOf = (set: RuleSet, rule: CompiledRule, match: Match): string =>
  flowKey({
    table: tables[tierTables[set.tier]].number,
    priority: priorityOf(set, rule),
    match: inOrder([inVni(set.vni), ...unaudited(set, rule), ...match]),
  })

/** A switch takes each field once: bits of one register that are asked about for different reasons are one term. */
export function inOrder(match: Match): Match {
  const terms: Term[] = []
  for (const term of [...match].sort((a, b) => a.field.order - b.field.order)) {
    const last = terms.at(-1)
    if (last?.field === term.field) terms[terms.length - 1] = both(last, term)
    else terms.push(term)
  }
  return terms
}

const both = (a: Term, b: Term): Term => isMasked(a.field, Number(a.value) + Number(b.value), Number(a.mask) + Number(b.mask))

/** Asked once: what is tried out stands in the way of nothing that is enforced. */
export const unaudited = (set: RuleSet, rule: CompiledRule): readonly Term[] => (isAudit(set, rule) ? [isBit(auditedIn(set.tier), 0)] : [])
export const isAudit = (set: RuleSet, rule: CompiledRule): boolean => set.audit === true || rule.audit === true
