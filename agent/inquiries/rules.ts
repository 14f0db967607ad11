// The items of the rules that judge a Port, a rule each, and of what isolates it: what of a rule's flows counts the packets it decided.
import type { Item } from '../../core/node/item.ts'
import type { LocalPort, RuleSet } from '../../core/node/wanted.ts'
import { isolationPiece } from '../../core/pieces/isolation.ts'
import { ruleSetPiece } from '../../core/pieces/rule-set.ts'
import { isolationsOf } from '../../core/pipeline/policy/isolation.ts'
import type { AgentEnv } from '../agent-env.ts'

/** @param mayBeShown of a set: whose policy it is may be no matter of whoever asks */
export function itemsOfRules(
  { policy }: LocalPort,
  { plane: { renderer }, loop: { pieces }, ruleSets }: Pick<AgentEnv, 'plane' | 'loop' | 'ruleSets'>,
  mayBeShown: (set: Pick<RuleSet, 'policy'>) => boolean = () => true,
): readonly Item[] {
  if (policy === undefined) return []
  const sets = policy.ruleSets.flatMap((name) => ruleSets.get(name) ?? []).filter(mayBeShown)
  const keys = new Set(sets.flatMap((set) => isolationsOf({ ...set, subjects: [policy.identity] })).map(([key]) => key))
  const isolations = [...keys].flatMap((key) => pieces.of(isolationPiece).get(key) ?? []).filter(({ by }) => mayBeShown(by.set))
  return [
    ...sets.flatMap((set) => renderer.render(ruleSetPiece, set)),
    ...isolations.flatMap((isolation) => renderer.render(isolationPiece, isolation)),
  ]
}
