// The one form that policies of every kind are brought into before they are compiled.
import type { L7Match } from '../kinds/policy/compiled/inspection.ts'
import type { PolicyTraffic, RuleSetSpec } from '../kinds/policy/policy-rule-set.ts'
import type { TransportMatch } from '../kinds/policy/transport-match.ts'
import type { Tier } from '../kinds/policy/tiers.ts'
import type { PolicyProblem } from './problem.ts'
import type { Requirement } from './label-selector.ts'

export type Direction = 'ingress' | 'egress'

/** Whoever meets all that is said; of nothing: everybody who has an identity. */
export interface Selection {
  readonly namespace?: string
  readonly namespaceLabels?: readonly Requirement[]
  readonly labels?: readonly Requirement[]
  /** `namespace/name` of a SecurityGroup that it has. */
  readonly group?: string
  /** `namespace/name` of its Port. */
  readonly port?: string
}

export interface CommonPeers {
  readonly selections: readonly Selection[]
  readonly blocks: readonly string[]
  /** Subnets (`namespace/name`): their blocks, as they are now. */
  readonly subnets?: readonly string[]
  /** Names outside, with the addresses that they are known to have: those in Subnets of the VNI are not meant. */
  readonly names?: readonly OutsideName[]
}

export interface OutsideName {
  readonly name: string
  readonly blocks: readonly string[]
}

/** A named port of a destination's containers. Absent protocol: whichever it is of. */
export interface NamedPort {
  readonly named: string
  readonly protocol?: number
}

export interface CommonRule {
  /** A JSON pointer into the policy. */
  readonly source: string
  readonly direction: Direction
  readonly action: 'allow' | 'deny' | 'pass'
  readonly final?: boolean
  readonly audit?: boolean
  readonly log?: boolean
  readonly dscp?: number
  /** Bits a second of all that it allows. */
  readonly max?: number
  /** Absent: anyone. */
  readonly peers?: CommonPeers
  /** Absent: anything; empty: nothing. */
  readonly transport?: readonly (TransportMatch | NamedPort)[]
  readonly families?: readonly (4 | 6)[]
  /** What frames have as the other end's, in lower case. */
  readonly peerMac?: string
  /** Of frames that are no IP. */
  readonly etherType?: number
  /** That an interface in VLANs has the frame in. In a VNI no frame is in one. */
  readonly vlan?: number
  /** What is asked in connections, once they are up. One that denies decides nothing before. */
  readonly l7?: L7Match
}

/** A service chain: its rule says of which packets it is. */
export interface CommonChain {
  readonly name: string
  readonly rule: CommonRule
  readonly functions: readonly CommonFunction[]
}

export interface CommonFunction {
  readonly name: string
  readonly onFailure: 'pass' | 'drop'
  /** Undefined: it cannot be read, and nobody carries it out. */
  readonly pods: Selection | undefined
  /** Absent: any. */
  readonly nic?: string
}

/** Which of the UnifiedNetworkPolicies of a namespace is in force on a pod. */
export interface UnifiedRank {
  readonly priority: number
  /** RFC 3339, as objects have it. */
  readonly createdAt: string
}

export interface CommonPolicy {
  readonly of: RuleSetSpec['policy']
  readonly tier: Tier
  /** Between policies of an ordered tier: the lowest is asked first. */
  readonly priority: number
  readonly audit?: true
  /** Its subjects get what it does not forbid on a node that cannot do all of it. */
  readonly onUnsupported?: 'allow'
  readonly traffic?: PolicyTraffic
  readonly chains?: readonly CommonChain[]
  /** Of traffic: whoever runs the cluster says how it is marked. */
  readonly trafficClass?: string
  readonly subjects: Selection
  readonly isolates: readonly Direction[]
  /** In the order in which they are asked, where the tier is ordered. */
  readonly rules: readonly CommonRule[]
  /** Of a UnifiedNetworkPolicy. */
  readonly rank?: UnifiedRank
}

/** A policy in common form, and what of it is not done. Without a policy it is refused whole, and judges nobody. */
export interface ReadPolicy {
  readonly policy?: CommonPolicy
  readonly problems: readonly PolicyProblem[]
}

export const isNamed = (match: TransportMatch | NamedPort): match is NamedPort => 'named' in match
