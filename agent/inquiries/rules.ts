// The items of the rules that judge a Port, a rule each, and of what isolates it: what of a rule's flows counts the packets it decided.
import type { Item } from '../../core/node/item.ts'
import type { LocalPort, RuleSet } from '../../core/node/wanted.ts'
import { ruleSetName } from '../../core/kinds/policy/policy-rule-set.ts'
import { isolationPiece } from '../../core/pieces/policy/isolation.ts'
import { judgementKey, judgementPiece } from '../../core/pieces/policy/judgement.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { isolationsOf } from '../../core/pipeline/policy/isolation.ts'
import type { AgentEnv } from '../agent-env.ts'

type Rendered = Pick<AgentEnv, 'plane' | 'loop' | 'ruleSets'>
type IsShown = (set: Pick<RuleSet, 'policy'>) => boolean

/** @param mayBeShown of a set: whose policy it is may be no matter of whoever asks */
export function itemsOfRules(port: LocalPort, env: Rendered, mayBeShown: IsShown = () => true): readonly Item[] {
  const { policy } = port
  if (policy === undefined) return []
  const sets = policy.ruleSets.flatMap((name) => env.ruleSets.get(name) ?? []).filter(mayBeShown)
  const { kinds } = env.loop.pieces
  return [
    ...sets.flatMap((set) => env.plane.renderer.render(ruleSetPiece, set)),
    ...(kinds.includes(isolationPiece) ? isolationsAround(policy.identity, sets, env, mayBeShown) : []),
    ...(kinds.includes(judgementPiece) ? judgementOf(port, policy.identity, env, mayBeShown) : []),
  ]
}

function isolationsAround(identity: number, sets: readonly RuleSet[], { plane, loop }: Rendered, mayBeShown: IsShown): readonly Item[] {
  const keys = new Set(sets.flatMap((set) => isolationsOf({ ...set, subjects: [identity] })).map(([key]) => key))
  const isolations = [...keys].flatMap((key) => loop.pieces.of(isolationPiece).get(key) ?? []).filter(({ by }) => mayBeShown(by.set))
  return isolations.flatMap((isolation) => plane.renderer.render(isolationPiece, isolation))
}

/** Of all rules together: shown to whom all of them may be; and of each rule, as far as it may be shown, what it decides. */
function judgementOf(
  { attachment, ifcName }: LocalPort,
  identity: number,
  { plane, loop }: Rendered,
  mayBeShown: IsShown,
): readonly Item[] {
  if (attachment.kind !== 'vni') return []
  const judgement = loop.pieces.of(judgementPiece).get(judgementKey(attachment.vni, identity))
  if (judgement === undefined) return []
  const mine = { ...judgement, ports: judgement.ports.filter((each) => each.ifcName === ifcName) }
  const shown = new Set(judgement.sets.filter(mayBeShown).map(ruleSetName))
  return [
    ...(judgement.sets.every(mayBeShown) ? plane.renderer.render(judgementPiece, mine) : []),
    ...(plane.renderer.parts?.(judgementPiece, mine) ?? []).filter(({ because: { of } }) => shown.has(of.name)),
  ]
}
