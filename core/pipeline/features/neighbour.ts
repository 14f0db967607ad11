// Which MAC an address of a VNI has: one flow answers ARP, neighbour discovery and the gateway.
import { set } from '../openflow/actions.ts'
import { is, type Term } from '../openflow/flow.ts'
import { flowsOf, type FlowOf, type SwitchItem } from '../items.ts'
import { inVni, to } from '../match.ts'
import { owners } from '../registers.ts'
import { ipv4Value, ipv6Value } from '../openflow/values.ts'

const targetIs = (address: string): Term =>
  address.includes(':') ? is(owners.asked6.field, ipv6Value(address)) : is(owners.asked4.field, ipv4Value(address))
const answer = to('answer')

export function neighbour(
  bridge: string,
  { vni, address, mac }: { readonly vni: number; readonly address: string; readonly mac: number },
  of: FlowOf,
): SwitchItem {
  return flowsOf(bridge, of)('neighbour', 100, [inVni(vni), targetIs(address)], [set(owners.found.field, mac), answer])
}
