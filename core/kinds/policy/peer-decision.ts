// What becomes of the packets of one end, and by which rules, where a verdict is about two ends and nothing else.
import type { AddressRange } from '../../net/ranges.ts'

/** In the VNI of who is judged. */
export interface PolicyRuleOwner {
  /** Number of its rule set. */
  readonly set: number
  /** Index in it; absent: that the set lets nothing else pass. */
  readonly rule?: number
}

/** Of what comes in from, or goes out to, an identity at some addresses. */
export interface PeerDecision {
  readonly direction: 'ingress' | 'egress'
  /** Of the other end: `world`, `unknown` and `anyoneElse` among them. */
  readonly identity: number
  readonly range: AddressRange
  readonly isAllowed: boolean
  /** In the order of tiers, what audit would deny by among them; none: nothing had a say. */
  readonly by: readonly PolicyRuleOwner[]
  /** Of these the one that logs it: of several the first. */
  readonly log?: PolicyRuleOwner
  /** How much passes of all that rules alike allow, whoever it is of and whichever way. */
  readonly max?: RuleRate
  /** Of what goes out. */
  readonly dscp?: number
}

export interface RuleRate {
  /** The first of the rules that are alike. */
  readonly by: PolicyRuleOwner
  readonly bitsPerSecond: number
}

/** `7/3`: the rule with the index 3 of the set with the number 7; `7`: that this set lets nothing else pass. */
export const ownerText = ({ set, rule }: PolicyRuleOwner): string => (rule === undefined ? String(set) : `${set}/${rule}`)

/** Undefined for what is none. */
export function readOwner(text: string): PolicyRuleOwner | undefined {
  const [, set, rule] = /^(\d+)(?:\/(\d+))?$/.exec(text) ?? []
  if (set === undefined) return undefined
  return rule === undefined ? { set: Number(set) } : { set: Number(set), rule: Number(rule) }
}
