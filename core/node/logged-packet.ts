// A packet that a rule of a policy has logged on this node.
import type { PolicyRuleOwner } from '../kinds/policy/peer-decision.ts'

/** As much of a packet as is told of it. */
export interface PacketHead {
  readonly from: string
  readonly to: string
  /** IP's number of it. */
  readonly protocol: number
  /** Of TCP, UDP and SCTP. */
  readonly l4Ports?: { readonly from: number; readonly to: number }
  readonly icmp?: { readonly type: number; readonly code: number }
}

export interface LoggedPacket {
  readonly vni: number
  readonly by: PolicyRuleOwner
  /** Of the Port that was judged, as its LocalPort has it; absent: `ifcName` is there. */
  readonly number?: number
  readonly ifcName?: string
  readonly direction: 'ingress' | 'egress'
  readonly head: PacketHead
}
