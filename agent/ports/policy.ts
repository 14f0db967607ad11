// Who judges the Ports of this node, and whether all of it is here: computed anew where a Port or a rule set says something new.
import type { LocalPort, PortPolicy, RuleSet } from '../../core/node/wanted.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import type { NodePlace } from '../../core/plan/node/pieces.ts'
import { policyHere, policyNamed, type NamedPolicy, type RulesHere } from '../../core/plan/node/policy.ts'
import type { AgentEnv } from '../agent-env.ts'
import { wayNumberKey } from '../ledger/record.ts'
import { withBooking } from '../uplink/bookings.ts'

export const rulesHere = ({ plane, ruleSets }: Pick<AgentEnv, 'plane' | 'ruleSets'>): RulesHere => ({
  ruleSet: (name) => ruleSets.get(name),
  unsupported: (set: RuleSet) => plane.renderer.unsupported(ruleSetPiece, set),
})

/** From now on its rule sets are carried. @param named undefined: nobody judges it. @param mac absent: it is in VLANs */
export function judged({ uid, mac }: Judged, named: NamedPolicy | undefined, env: AgentEnv): PortPolicy | undefined {
  env.ruleSets.judge(uid, [...new Set([...(named?.ruleSets ?? []), ...env.ruleSets.withFunction(uid)])])
  return named && policyHere(named, rulesHere(env), mac)
}
interface Judged {
  readonly uid: string
  readonly mac?: string | undefined
}

/** Who judges a Port by what is said of it, and in a VLAN the number of its way there, which is given back with the Port. */
export function judgedPort(port: Resource<'Port'>, env: AgentEnv): Pick<NodePlace, 'policy' | 'wayNumber'> {
  const { uid } = port.metadata
  const isInVlan = port.status?.vlan !== undefined
  const policy = judged({ uid, mac: isInVlan ? undefined : port.status?.mac }, policyNamed(port), env)
  const isWay = policy !== undefined && isInVlan
  return { policy, wayNumber: isWay ? env.ledger.numberFor(wayNumberKey(uid)) : undefined }
}

/** A Port as it was before this moment, with what is here of its rules now. */
export function judgedAnew(local: LocalPort, env: AgentEnv): LocalPort {
  const { uid, attachment, mac } = local
  const policy = judged({ uid, mac: attachment.kind === 'vni' ? mac : undefined }, local.policy, env)
  return policy === undefined ? local : withBooking({ ...local, policy }, env)
}
