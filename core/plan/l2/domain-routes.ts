// One L2BridgeDomain against one router: which of its VLANs are to join a VRF, and which to leave.
import type { RouteChange, SwitchState } from '../../contracts/fabric-driver.ts'
import type { VlanId } from '../../net/segment.ts'
import { markedIn } from './fabric-marks.ts'

export interface RouteWant {
  /** `fabric/switch` */
  readonly key: string
  readonly state: SwitchState
  /** Ports of the router that are to have its VLANs as subinterfaces. */
  readonly ports: ReadonlySet<string>
  readonly vlans: readonly VlanId[]
  readonly of: string
  readonly vrf: string | undefined
}
export interface RouteFindings {
  readonly join: readonly RouteChange[]
  readonly leave: readonly RouteChange[]
  readonly wrong: readonly string[]
  /** Ports that have all that is wanted of them. */
  readonly done: number
  /** Ports that something is to be made on. */
  readonly joining: number
}

export function findRoutes(want: RouteWant): RouteFindings {
  const { state, ports, vlans, of, vrf } = want
  const leave = (markedIn(state).routes.get(of) ?? []).flatMap(({ on, vlan }): RouteChange[] =>
    vrf !== undefined && ports.has(on) && vlans.includes(vlan) ? [] : [{ do: 'leave', on, vlan, of }],
  )
  const found = vrf === undefined ? [] : [...ports].map((on) => findPort(on, { ...want, vrf }))
  const join = found.flatMap((each) => (typeof each === 'string' ? [] : each))
  return {
    join,
    leave,
    wrong: found.filter((each) => typeof each === 'string'),
    done: found.filter((each) => typeof each !== 'string' && each.length === 0).length,
    joining: new Set(join.map(({ on }) => on)).size,
  }
}

/** What is to be made on a port, or why it cannot be. */
function findPort(on: string, { key, state, vlans, of, vrf }: RouteWant & { readonly vrf: string }): readonly RouteChange[] | string {
  const there = state.get(on)
  if (there === undefined || there.mode === 'absent') return `${key}/${on} is not there`
  const { routed = new Map() } = there
  const elses = vlans.find((vlan) => routed.has(vlan) && routed.get(vlan)?.of !== of)
  if (elses !== undefined) return `VLAN ${elses} on ${key}/${on} is routed for another L2Service`
  return vlans.filter((vlan) => routed.get(vlan)?.vrf !== vrf).map((vlan) => ({ do: 'join', on, vlan, of, vrf }))
}
