// In which order the rules of an ordered tier are asked.
import { tiers } from '../../kinds/policy/tiers.ts'
import type { CommonPolicy, CommonRule, Direction } from '../one-form.ts'
import type { Problems } from '../problem.ts'
import { inRuns, type LevelledRule } from './runs.ts'
import type { Ties } from './ties.ts'

const levelMax = 63

/**
 * Where there are too many levels the last one denies all that the rules it stands for might have denied. Of policies that tie nothing else
 * is in it: what is behind them cannot be told from it.
 */
export function levelled(policy: CommonPolicy, ties: Ties, problems: Problems): readonly LevelledRule[] {
  if (!tiers[policy.tier].isOrdered) return policy.rules.map((rule) => ({ rule, level: 0 }))
  const most = ties.of(policy).length > 0 ? levelMax - 1 : levelMax
  return (['ingress', 'egress'] as const).flatMap((direction) => {
    const rules = policy.rules.filter((rule) => rule.direction === direction)
    const all = inRuns(rules, ties.firstLevel(policy))
    return (all.at(-1)?.level ?? 0) <= most ? all : cutOff(all, direction, problems)
  })
}

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
