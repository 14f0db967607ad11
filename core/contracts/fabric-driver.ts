// What can configure VLANs on one switch, and put them into VRFs of one that routes.
import type { VlanId } from '../net/segment.ts'
import type { Driver } from './driver.ts'

/** One switch port as the switch has it. */
export interface SwitchPortState {
  /** VLANs that we have opened → for which L2BridgeDomain, as its token. */
  readonly ours: ReadonlyMap<VlanId, string>
  /** VLANs that are not open, of which something of ours is still there: closing them takes it away, opening them uses it. */
  readonly left?: ReadonlyMap<VlanId, string>
  /** VLANs that others have opened; ranges are spelt out. */
  readonly others: ReadonlySet<VlanId>
  /**
   * trunk: VLANs can be opened; closed: a trunk that carries none (how, is the driver's to say); unrestricted: a trunk without
   * a list, which carries every VLAN; access: untagged traffic of one VLAN, somebody's; absent: the switch has no such port.
   */
  readonly mode: 'trunk' | 'closed' | 'unrestricted' | 'access' | 'absent'
  /** VLANs that we have made subinterfaces of the port for; of drivers that make VRFs. */
  readonly routed?: ReadonlyMap<VlanId, RoutedVlan>
}

export interface RoutedVlan {
  /** The token of the L2BridgeDomain. */
  readonly of: string
  /** Undefined: the subinterface is there, and in no VRF. */
  readonly vrf: string | undefined
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

/** A VLAN as a subinterface of a router's port. Who joins leaves the VRF that it was in; a VRF of ours goes with its last interface. */
export type RouteChange = Pick<VlanChange, 'on' | 'vlan' | 'of'> &
  ({ readonly do: 'join'; readonly vrf: string } | { readonly do: 'leave' })
export type SwitchChange = VlanChange | RouteChange
export const isRoute = (change: SwitchChange): change is RouteChange => change.do === 'join' || change.do === 'leave'
export const takesAway = ({ do: what }: SwitchChange): boolean => what === 'close' || what === 'leave'

/** All of it at once, as one transaction: a switch takes the whole batch or nothing. */
export interface FabricAction {
  readonly do: 'setVlans'
  readonly changes: readonly SwitchChange[]
}

/**
 * One switch. Beside the six laws of a driver:
 * 7 a port whose last VLAN leaves is closed, never unrestricted;
 * 8 a batch is one transaction, and a batch that a rival has overtaken throws what is retried at once (SwitchOvertaken).
 * Closing a VLAN that is not open, or is not ours, is done; so is leaving. A VRF or a subinterface that somebody else has made is refused
 * (SwitchRefused), and so is every RouteChange by a driver that makes no VRFs.
 */
export interface FabricDriver extends Driver<SwitchScope, SwitchState, FabricAction> {
  /** Calls back when something on the switch may have been changed by others. The answer ends it. */
  onDrift?(wake: () => void): () => void
  close(): Promise<void>
}
