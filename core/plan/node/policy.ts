// Who judges a Port on its node: what workers say of it, and the rules as they are here. Where anything is missing it is closed.
import type { Resource } from '../../kinds/index.ts'
import { policyText, type PolicyTraffic } from '../../kinds/policy/policy-rule-set.ts'
import type { Unsupported } from '../../node/unsupported.ts'
import type { PortPolicy, RuleSet } from '../../node/wanted.ts'

export interface RulesHere {
  /** Undefined: it is not here, or not yet. */
  readonly ruleSet: (name: string) => RuleSet | undefined
  /** What the node's data plane leaves out of one. */
  readonly unsupported: (set: RuleSet) => readonly Unsupported[]
}

/** By the word of workers, of which those of before have none. Undefined: no policy of its VNI is in force, or its fabric is not ours. */
export function policyNamed({ status: { policy, vif } = {} }: Pick<Resource<'Port'>, 'status'>): NamedPolicy | undefined {
  return policy === undefined || vif !== undefined ? undefined : { identity: policy.identity, ruleSets: policy.ruleSets }
}
export type NamedPolicy = Omit<PortPolicy, 'isClosed' | 'traffic'>

/** @param mac of the Port; absent: it is in VLANs, where no chains are */
export function policyHere({ identity, ruleSets }: NamedPolicy, here: RulesHere, mac?: string): PortPolicy {
  const traffic = trafficOf(ruleSets, identity, here)
  return {
    identity,
    ruleSets,
    isClosed: !ruleSets.every((name) => isInForce(here.ruleSet(name), { identity, mac }, here)),
    ...(traffic !== undefined && { traffic }),
  }
}

/** At most one says something of it. What is only tried out limits and marks nothing. */
function trafficOf(ruleSets: readonly string[], identity: number, { ruleSet }: RulesHere): PolicyTraffic | undefined {
  return ruleSets.map(ruleSet).find((set) => set?.traffic !== undefined && set.audit !== true && set.subjects.includes(identity))?.traffic
}

interface Whose {
  readonly identity: number
  readonly mac: string | undefined
}

function isInForce(set: RuleSet | undefined, { identity, mac }: Whose, { unsupported }: RulesHere): boolean {
  if (set === undefined) return false
  // What is only tried out closes nothing.
  if (set.audit === true) return true
  return set.subjects.includes(identity) && isChained(set, mac) && (mayBeLeftOut(set) || unsupported(set).length === 0)
}

/** Before its addresses are in the chains what it says would go past them. */
const isChained = ({ chains }: RuleSet, mac: string | undefined): boolean =>
  chains === undefined || mac === undefined || chains.ends.some((end) => end.mac === mac)

/** Of what its data plane does not do a Port is open. */
const mayBeLeftOut = ({ audit, onUnsupported }: RuleSet): boolean => audit === true || onUnsupported === 'allow'

/** Sentences on a Port: of a tenant's hundred policies a few are enough to go by. */
const namedMost = 8

/** What a node does not do of the policies that judge a Port, and what that means for it. */
export function policiesLeftOut(ruleSets: readonly string[], here: RulesHere): readonly Unsupported[] {
  const all = ruleSets.flatMap((name) => leftOut(here.ruleSet(name), here))
  const more: Unsupported = { name: 'policy', why: `${all.length - namedMost} more are not done here either` }
  return all.length > namedMost ? [...all.slice(0, namedMost), more] : all
}

function leftOut(set: RuleSet | undefined, { unsupported }: RulesHere): readonly Unsupported[] {
  if (set === undefined) return []
  const means = mayBeLeftOut(set) ? 'it is open as far as this one goes' : 'the Port is closed'
  return unsupported(set).map(({ why }) => ({ name: 'policy', why: `${policyText(set)}: ${why}: ${means}` }))
}
