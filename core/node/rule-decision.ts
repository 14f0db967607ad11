// How many packets a rule of a policy has decided on this node.
import type { PolicyRuleOwner } from '../kinds/policy/peer-decision.ts'

export interface RuleDecision {
  /** Of what counts it. */
  readonly key: string
  /** Of the item that is told of it, where several count for one; absent: `key`. */
  readonly shown?: string
  readonly vni: number
  /** Without a rule: what the set lets nothing pass but by one. */
  readonly by: PolicyRuleOwner
  /** Of an isolation; a rule says it itself. */
  readonly direction: 'ingress' | 'egress'
  /** Since the item is there. */
  readonly packets: number
}
