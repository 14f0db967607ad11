// Who judges the Ports of this node, and whether all of it is here: computed anew where a Port or a rule set says something new.
import type { LocalPort, PortPolicy, RuleSet } from '../../core/node/wanted.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { policyHere, type NamedPolicy, type RulesHere } from '../../core/plan/node/policy.ts'
import type { AgentEnv } from '../agent-env.ts'

export const rulesHere = ({ plane, ruleSets }: Pick<AgentEnv, 'plane' | 'ruleSets'>): RulesHere => ({
  ruleSet: (name) => ruleSets.get(name),
  unsupported: (set: RuleSet) => plane.renderer.unsupported(ruleSetPiece, set),
})

/** From now on its rule sets are carried. @param named undefined: nobody judges it */
export function judged(uid: string, named: NamedPolicy | undefined, env: AgentEnv): PortPolicy | undefined {
  env.ruleSets.judge(uid, named?.ruleSets ?? [])
  return named && policyHere(named, rulesHere(env))
}

/** A Port as it was before this moment, with what is here of its rules now. */
export function judgedAnew(local: LocalPort, env: AgentEnv): LocalPort {
  const policy = judged(local.uid, local.policy, env)
  return policy === undefined ? local : { ...local, policy }
}
