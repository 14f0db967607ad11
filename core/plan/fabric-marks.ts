// Who has what open on a switch, found by token and by VLAN: a thousand L2BridgeDomains ask the same state, so it is filed once.
import type { SwitchState } from '../contracts/fabric-driver.ts'
import type { VlanId } from '../net/segment.ts'

export interface Marks {
  readonly byToken: ReadonlyMap<string, readonly { readonly on: string; readonly vlan: VlanId }[]>
  readonly byVlan: ReadonlyMap<VlanId, ReadonlySet<string>>
}

const filed = new WeakMap<SwitchState, Marks>()

export function markedIn(state: SwitchState): Marks {
  const there = filed.get(state) ?? file(state)
  filed.set(state, there)
  return there
}

function file(state: SwitchState): Marks {
  const byToken = new Map<string, { readonly on: string; readonly vlan: VlanId }[]>()
  const byVlan = new Map<VlanId, Set<string>>()
  for (const [on, { ours }] of state) {
    for (const [vlan, token] of ours) {
      const mine = byToken.get(token)
      if (mine === undefined) byToken.set(token, [{ on, vlan }])
      else mine.push({ on, vlan })
      const tokens = byVlan.get(vlan)
      if (tokens === undefined) byVlan.set(vlan, new Set([token]))
      else tokens.add(token)
    }
  }
  return { byToken, byVlan }
}
