// Whose address the other end of a connection has: one flow for each address with an identity. What is in a Subnet of the VNI and is not
// known (yet) may be anybody's; its gateways, and all that is outside, are nobody's.
import { unknown } from '../../kinds/policy/tiers.ts'
import { parseCidr } from '../../net/cidr.ts'
import type { Segment } from '../../node/wanted.ts'
import { set } from '../openflow/actions.ts'
import { registers, type Field } from '../openflow/fields.ts'
import { is, isMasked, type Term } from '../openflow/flow.ts'
import { flowsOf, type FlowOf, type SwitchItem } from '../items.ts'
import { inVni, ipv4, ipv6, to } from '../match.ts'
import { ipv4Value, ipv6Value, prefixMask } from '../openflow/values.ts'
import { owners } from '../registers.ts'
import { tracked } from './base.ts'

const known = to('policyAdmin')
export const askedIs = (address: string): Term =>
  address.includes(':') ? is(owners.asked6.field, ipv6Value(address)) : is(owners.asked4.field, ipv4Value(address))

/**
 * Of one family. A block of all addresses says no more than that, in other words than a rule about a family does: of one rule a flow is one
 * dimension, two are not counted (ovs-actions(7), conjunction). Undefined: it is none.
 */
export function askedIn(block: string): readonly Term[] | undefined {
  const cidr = parseCidr(block)
  if (cidr === undefined) return undefined
  const { family, first, length } = cidr
  if (length === 0) return [tracked, ...(family === 4 ? ipv4 : ipv6)]
  if (family === 4) return [...partIn(owners.asked4.field, Number(first), length), ...ipv4]
  return [...(length === 128 ? [is(owners.asked6.field, first)] : partsIn(first, length)), ...ipv6]
}

/** Of one register: nothing where the block says nothing of it. */
function partIn(field: Field, value: number, length: number): readonly Term[] {
  if (length <= 0) return []
  return [length >= 32 ? is(field, value) : isMasked(field, value, prefixMask(field, length))]
}

/** As Open vSwitch reads it back where it is not the whole of them: register by register. */
const partsIn = (first: bigint, length: number): readonly Term[] =>
  registers.slice(8, 12).flatMap((field, i) => partIn(field, Number((first >> BigInt(96 - 32 * i)) & 0xffffffffn), length - 32 * i))

/** @param identity absent: it has none */
export function peer(
  bridge: string,
  { vni, address, identity }: { readonly vni: number; readonly address: string; readonly identity: number | undefined },
  of: FlowOf,
): readonly SwitchItem[] {
  if (identity === undefined) return []
  return [flowsOf(bridge, of)('policyPeer', 100, [inVni(vni), askedIs(address)], [set(owners.peer.field, identity), known])]
}

export function peersOfSegment(bridge: string, { vni, subnets }: Pick<Segment, 'vni' | 'subnets'>, of: FlowOf): readonly SwitchItem[] {
  const flow = flowsOf(bridge, of)
  const gateways = [...new Set(subnets.flatMap(({ gateway }) => gateway ?? []))]
  return [
    ...gateways.map((address) => flow('policyPeer', 50, [inVni(vni), askedIs(address)], [known])),
    ...[...new Set(subnets.map(({ cidr }) => cidr))].flatMap((cidr) => {
      const inside = askedIn(cidr)
      return inside === undefined ? [] : [flow('policyPeer', 10, [inVni(vni), ...inside], [set(owners.peer.field, unknown), known])]
    }),
  ]
}
