// What can configure VLANs on one switch.
import type { VlanId } from '../net/segment.ts'
import type { Driver } from './driver.ts'

/** One switch port as the switch has it. */
export interface SwitchPortState {
  /** VLANs that we have opened → for which L2BridgeDomain, as its token. */
  readonly ours: ReadonlyMap<VlanId, string>
  /** VLANs that others have opened; ranges are spelt out. */
  readonly others: ReadonlySet<VlanId>
  /**
   * trunk: VLANs can be opened; closed: a trunk that carries none (how, is the driver's to say); unrestricted: a trunk without
   * a list, which carries every VLAN; access: untagged traffic of one VLAN, somebody's; absent: the switch has no such port.
   */
  readonly mode: 'trunk' | 'closed' | 'unrestricted' | 'access' | 'absent'
}

/** Which ports are asked for; ports that carry something of ours are told of whether asked for or not. */
export interface SwitchScope {
  readonly ports: readonly string[]
}
export type SwitchState = ReadonlyMap<string, SwitchPortState>

export interface VlanChange {
  readonly do: 'open' | 'close'
  readonly on: string
  readonly vlan: VlanId
  /** The token of the L2BridgeDomain. */
  readonly of: string
}

/** All of it at once, as one transaction: a switch takes the whole batch or nothing. */
export interface FabricAction {
  readonly do: 'setVlans'
  readonly changes: readonly VlanChange[]
}

/**
 * One switch. Beside the six laws of a driver:
 * 7 a port whose last VLAN leaves is closed, never unrestricted;
 * 8 a batch is one transaction, and a batch that a rival has overtaken throws what is retried at once (SwitchOvertaken).
 * Closing a VLAN that is not open, or is not ours, is done.
 */
export interface FabricDriver extends Driver<SwitchScope, SwitchState, FabricAction> {
  /** Calls back when something on the switch may have been changed by others. The answer ends it. */
  onDrift?(wake: () => void): () => void
  close(): Promise<void>
}
