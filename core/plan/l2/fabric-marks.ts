// Who has what open on a switch, found by token and by VLAN: a thousand L2BridgeDomains ask the same state, so it is filed once.
import type { SwitchPortState, SwitchState } from '../../contracts/fabric-driver.ts'
import type { VlanId } from '../../net/segment.ts'

export interface OwnershipMarks {
  /** VLANs that are open for a token, or of which something is left, on whatever port. */
  readonly byToken: ReadonlyMap<string, readonly VlanId[]>
  /** The token of each VLAN that is open; `undefined` where it has several. */
  readonly byVlan: ReadonlyMap<VlanId, string | undefined>
  /** By token: the subinterfaces that were made for it. */
  readonly routes: ReadonlyMap<string, readonly RoutedPlace[]>
}
export interface RoutedPlace {
  readonly on: string
  readonly vlan: VlanId
}

const filed = new WeakMap<SwitchState, OwnershipMarks>()

export function markedIn(state: SwitchState): OwnershipMarks {
  const there = filed.get(state) ?? file(state)
  filed.set(state, there)
  return there
}

/** Of all that have something on it. */
export function tokensIn(state: SwitchState): ReadonlySet<string> {
  const { byToken, routes } = markedIn(state)
  return new Set([...byToken.keys(), ...routes.keys()])
}

/** What can be closed on a switch port, each VLAN with its token. */
export const closableOn = ({ ours, left = new Map() }: SwitchPortState): readonly (readonly [VlanId, string])[] => [
  ...ours,
  ...[...left].filter(([vlan]) => !ours.has(vlan)),
]

/** Where a VLAN is open for a token, or something of it is left. */
export const portsWith = (state: SwitchState, vlan: VlanId, token: string): string[] =>
  [...state].flatMap(([on, { ours, left }]) => ((ours.get(vlan) ?? left?.get(vlan)) === token ? [on] : []))

function file(state: SwitchState): OwnershipMarks {
  const byToken = new Map<string, VlanId[]>()
  const byVlan = new Map<VlanId, string | undefined>()
  const add = (vlan: VlanId, token: string): void => {
    const mine = byToken.get(token)
    if (mine === undefined) byToken.set(token, [vlan])
    else if (!mine.includes(vlan)) mine.push(vlan)
  }
  for (const { ours, left = new Map<VlanId, string>() } of state.values()) {
    for (const [vlan, token] of ours) {
      // As on the port before it, mostly.
      if (byVlan.get(vlan) === token) continue
      byVlan.set(vlan, byVlan.has(vlan) ? undefined : token)
      add(vlan, token)
    }
    for (const [vlan, token] of left) add(vlan, token)
  }
  return { byToken, byVlan, routes: routesIn(state) }
}

function routesIn(state: SwitchState): OwnershipMarks['routes'] {
  const places = [...state].flatMap(([on, { routed = new Map() }]) => [...routed].map(([vlan, { of }]) => ({ on, vlan, of })))
  return Map.groupBy(places, ({ of }) => of)
}
