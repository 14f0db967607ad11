// In which order the rules of an ordered tier are asked. Neighbours that do the same may be asked in any order and share a level.
import { tiers } from '../../kinds/policy/tiers.ts'
import type { CommonPolicy, CommonRule, Direction } from '../one-form.ts'
import type { Problems } from '../problem.ts'

export interface LevelledRule {
  readonly rule: CommonRule
  readonly level: number
}

const levelMax = 63

/** Where there are too many levels the last one denies all that the rules it stands for might have denied. */
export function levelled(policy: CommonPolicy, problems: Problems): readonly LevelledRule[] {
  if (!tiers[policy.tier].isOrdered) return policy.rules.map((rule) => ({ rule, level: 0 }))
  return (['ingress', 'egress'] as const).flatMap((direction) => {
    const all = inRuns(policy.rules.filter((rule) => rule.direction === direction))
    return (all.at(-1)?.level ?? 0) <= levelMax ? all : cutOff(all, direction, problems)
  })
}

function inRuns(rules: readonly CommonRule[]): readonly LevelledRule[] {
  let level = 0
  return rules.map((rule, i) => {
    const before = rules[i - 1]
    if (before !== undefined && !doesTheSame(before, rule)) level += 1
    return { rule, level }
  })
}

const doesTheSame = (a: CommonRule, b: CommonRule): boolean =>
  a.action === b.action && a.final === b.final && a.audit === b.audit && a.dscp === b.dscp && a.max === b.max && a.log === b.log

function cutOff(all: readonly LevelledRule[], direction: Direction, problems: Problems): readonly LevelledRule[] {
  const kept = all.filter(({ level }) => level < levelMax)
  const dropped = all.slice(kept.length).map(({ rule }) => rule)
  for (const { source } of dropped) problems.unsupported(source, `is behind ${levelMax} changes between allowing and denying`)
  return [...kept, ...closing(dropped, direction).map((rule) => ({ rule, level: levelMax }))]
}

/** In place of rules that are left out: who fails fails closed. */
export function closing(dropped: readonly CommonRule[], direction: Direction): readonly CommonRule[] {
  const first = dropped.find((rule) => rule.direction === direction && rule.action !== 'allow')
  return first === undefined ? [] : [{ source: first.source, direction, action: 'deny' }]
}
