// A packet that a Port would send, or be sent from another node, and what would become of it, in words that no data plane has to itself.
import type { PolicyRuleOwner } from '../kinds/policy/peer-decision.ts'

interface Addressed {
  readonly from: string
  readonly to: string
}

/** What a Port sends, untagged and from its own MAC; or what comes to it through the tunnel. */
export type TracedFrame =
  /** Whose MAC the address `to` has: ARP, or neighbour discovery. */
  | (Addressed & { readonly kind: 'who-has' })
  | (TracedPayload & {
      readonly kind: 'packet'
      /** It goes to. */
      readonly mac: string
    })
  | (TracedPayload & {
      readonly kind: 'arrival'
      /** It is from; it goes to the Port's own. */
      readonly mac: string
      readonly vni: number
      /** The tunnel address of the node that it comes from. */
      readonly host: string
    })

interface TracedPayload extends Addressed {
  readonly protocol: 'icmp' | 'tcp' | 'udp'
  /** Of TCP and UDP, where it goes to. */
  readonly l4Port?: number
}

/** Whose rule it is: every node's, a segment's, that of what has a MAC of the segment, that of a policy, or not ours. */
export type RuleOwner = 'node' | 'segment' | 'stranger' | { readonly mac: string } | PolicyRuleOwner

/** One rule that it meets. */
export interface TracedRule {
  readonly where: string
  readonly match: string
  /** One after the other, in the data plane's words. */
  readonly does: readonly string[]
  readonly owner: RuleOwner
  /** Of rules of the Port and of every node: as in `ExplainedItem`. */
  readonly because?: string
  /** What the data plane says of what it did. */
  readonly notes: readonly string[]
}

/** By what it leaves: a LocalPort's number; `back` is the port that it came from, `vlan` whoever its VLAN's learning switch knows. */
export type TracedOutput = number | 'tunnel' | 'uplink' | 'back' | 'vlan'

export interface TracedWay {
  readonly rules: readonly TracedRule[]
  /** None: it is dropped. */
  readonly outputs: readonly TracedOutput[]
  /** Of a `who-has` that was answered on the spot. */
  readonly mac?: string
}
