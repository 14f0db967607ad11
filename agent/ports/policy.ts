// Who judges the Ports of this node, and whether all of it is here: computed anew where a Port or a rule set says something new.
import type { LocalPort, PortPolicy, RuleSet } from '../../core/node/wanted.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import type { NodePlace } from '../../core/plan/node/pieces.ts'
import { policyHere, policyNamed, type NamedPolicy, type RulesHere } from '../../core/plan/node/policy.ts'
import type { AgentEnv } from '../agent-env.ts'
import { wayNumberKey } from '../ledger/record.ts'

export const rulesHere = ({ plane, ruleSets }: Pick<AgentEnv, 'plane' | 'ruleSets'>): RulesHere => ({
  ruleSet: (name) => ruleSets.get(name),
  unsupported: (set: RuleSet) => plane.renderer.unsupported(ruleSetPiece, set),
})

/** From now on its rule sets are carried. @param named undefined: nobody judges it */
export function judged(uid: string, named: NamedPolicy | undefined, env: AgentEnv): PortPolicy | undefined {
  env.ruleSets.judge(uid, named?.ruleSets ?? [])
  return named && policyHere(named, rulesHere(env))
}

/** Who judges a Port by what is said of it, and in a VLAN the number of its way there, which is given back with the Port. */
export function judgedPort(port: Resource<'Port'>, env: AgentEnv): Pick<NodePlace, 'policy' | 'wayNumber'> {
  const { uid } = port.metadata
  const policy = judged(uid, policyNamed(port), env)
  const isWay = policy !== undefined && port.status?.vlan !== undefined
  return { policy, wayNumber: isWay ? env.ledger.numberFor(wayNumberKey(uid)) : undefined }
}

/** A Port as it was before this moment, with what is here of its rules now. */
export function judgedAnew(local: LocalPort, env: AgentEnv): LocalPort {
  const policy = judged(local.uid, local.policy, env)
  return policy === undefined ? local : { ...local, policy }
}
