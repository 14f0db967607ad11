// The owner in the cookies of rules: which rule of which set, or that a set lets nothing else pass. It is unique in a VNI, which stands
// in the flow's match.
//
//     47      33 32        32 31                 8 7            0
//     | unused  | isolation  |  number of the set |    rule     |
import type { PolicyRuleOwner } from '../node/traced.ts'

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
