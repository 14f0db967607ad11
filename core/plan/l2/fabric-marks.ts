// Who has what open on a switch, found by token and by VLAN: a thousand L2BridgeDomains ask the same state, so it is filed once.
import type { SwitchState } from '../../contracts/fabric-driver.ts'
import type { VlanId } from '../../net/segment.ts'

export interface OwnershipMarks {
  /** VLANs that are open for a token, on whatever port. */
  readonly byToken: ReadonlyMap<string, readonly VlanId[]>
  /** The token of each VLAN; `undefined` where it has several. */
  readonly byVlan: ReadonlyMap<VlanId, string | undefined>
}

const filed = new WeakMap<SwitchState, OwnershipMarks>()

export function markedIn(state: SwitchState): OwnershipMarks {
  const there = filed.get(state) ?? file(state)
  filed.set(state, there)
  return there
}

/** Where a VLAN is open for a token. */
export const portsWith = (state: SwitchState, vlan: VlanId, token: string): string[] =>
  [...state].flatMap(([on, { ours }]) => (ours.get(vlan) === token ? [on] : []))

function file(state: SwitchState): OwnershipMarks {
  const byToken = new Map<string, VlanId[]>()
  const byVlan = new Map<VlanId, string | undefined>()
  for (const { ours } of state.values()) {
    for (const [vlan, token] of ours) {
      // As on the port before it, mostly.
      if (byVlan.get(vlan) === token) continue
      byVlan.set(vlan, byVlan.has(vlan) ? undefined : token)
      const mine = byToken.get(token)
      if (mine === undefined) byToken.set(token, [vlan])
      else if (!mine.includes(vlan)) mine.push(vlan)
    }
  }
  return { byToken, byVlan }
}
