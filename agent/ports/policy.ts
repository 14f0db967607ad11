// Who judges the Ports of this node, and whether all of it is here: computed anew where a Port or a rule set says something new.
import type { Unsupported } from '../../core/node/unsupported.ts'
import type { LocalPort, PortPolicy, RuleSet, SegmentAttachment } from '../../core/node/wanted.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { policyHere, type NamedPolicy, type RulesHere } from '../../core/plan/node/policy.ts'
import type { AgentEnv } from '../agent-env.ts'

/** @param attachment where who is judged is; absent: in a VNI */
export const rulesHere = ({ plane, ruleSets }: Pick<AgentEnv, 'plane' | 'ruleSets'>, attachment?: SegmentAttachment): RulesHere => ({
  ruleSet: (name) => ruleSets.get(name),
  unsupported: (set: RuleSet) => [...plane.renderer.unsupported(ruleSetPiece, set), ...unsupportedAt(attachment)],
})

const unsupportedAt = (attachment: SegmentAttachment | undefined): readonly Unsupported[] =>
  attachment?.kind === 'vlan' && attachment.mode !== 'access'
    ? [{ name: 'policy', why: 'an interface in several VLANs is not judged yet' }]
    : []

/** From now on its rule sets are carried. @param named undefined: nobody judges it */
export function judged(uid: string, named: NamedPolicy | undefined, env: AgentEnv, attachment?: SegmentAttachment): PortPolicy | undefined {
  env.ruleSets.judge(uid, named?.ruleSets ?? [])
  return named && policyHere(named, rulesHere(env, attachment))
}

/** A Port as it was before this moment, with what is here of its rules now. */
export function judgedAnew(local: LocalPort, env: AgentEnv): LocalPort {
  const policy = judged(local.uid, local.policy, env, local.attachment)
  return policy === undefined ? local : { ...local, policy }
}
