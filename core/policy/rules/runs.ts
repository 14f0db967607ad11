// Neighbours among the rules of an ordered tier that do the same may be asked in any order: they share a level.
import type { CommonRule } from '../one-form.ts'

export interface LevelledRule {
  readonly rule: CommonRule
  readonly level: number
}

/** @param first level of the first of them */
export function inRuns(rules: readonly CommonRule[], first = 0): readonly LevelledRule[] {
  let level = first
  return rules.map((rule, i) => {
    const before = rules[i - 1]
    if (before !== undefined && !saysTheSame(before, rule)) level += 1
    return { rule, level }
  })
}

export const saysTheSame = (a: CommonRule, b: CommonRule): boolean =>
  a.action === b.action && a.final === b.final && a.audit === b.audit && a.dscp === b.dscp && a.max === b.max && a.log === b.log
