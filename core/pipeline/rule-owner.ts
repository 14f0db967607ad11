// The owner in the cookies of rules: which rule of which set, or that a set lets nothing else pass. It is unique in a VNI, which stands
// in the flow's match.
//
//     47      33 32        32 31                 8 7            0
//     | unused  | isolation  |  number of the set |    rule     |
import type { RuleDecision } from '../node/rule-decision.ts'
import type { PolicyRuleOwner } from '../kinds/policy/peer-decision.ts'
import { readCookie } from './cookie.ts'
import type { Flow } from './openflow/flow.ts'
import { owners } from './registers.ts'

const isolation = 2 ** 32

/** By which rules are known in conjunctions too. @param rule its index */
export const ruleId = (set: number, rule: number): number => set * 256 + rule

export const isolationOwner = (set: number): number => isolation + ruleId(set, 0)

/** Undefined: it is of several rules. */
export function readRuleOwner(owner: number): PolicyRuleOwner | undefined {
  if (owner === 0) return undefined
  const id = owner % isolation
  const set = Math.floor(id / 256)
  return owner >= isolation ? { set } : { set, rule: id % 256 }
}

const ingressBit = 2 ** owners.ingress.from

/** What a flow in which a rule decides says; undefined: it is one that several share, by which rules are only found, or none of a rule. */
export function decisionOf({ cookie, match }: Flow): Omit<RuleDecision, 'key' | 'packets'> | undefined {
  const { feature, owner = 0 } = readCookie(cookie) ?? {}
  const by = feature === 'rule' ? readRuleOwner(owner) : undefined
  if (by === undefined) return undefined
  const of = (field: Flow['match'][number]['field']): number => Number(match.find((term) => term.field === field)?.value ?? 0)
  return { vni: of(owners.vni.field), by, direction: of(owners.judged.field) >= ingressBit ? 'ingress' : 'egress' }
}
