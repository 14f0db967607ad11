// A set of which one rule is edited comes as a whole, with all of them read anew. Those that are as they were stay the objects that they
// were: what was worked out of them, by object, need not be worked out again.
import type { CompiledRule } from '../../kinds/policy/policy-rule-set.ts'
import { sameJson } from '../../same-json.ts'

/** @param was the same set before; undefined: there was none */
export function withSameRules<Set extends { readonly rules: readonly CompiledRule[] }>(was: Set | undefined, is: Set): Set {
  if (was === undefined) return is
  const known = new Map(was.rules.map((rule) => [rule.index, rule]))
  const rules = is.rules.map((rule) => {
    const before = known.get(rule.index)
    return before !== undefined && sameJson(before, rule) ? before : rule
  })
  return { ...is, rules }
}
