// Matches that features share: the kinds of packets, and where they are in the pipeline.
import { l4Blocks } from './l4-blocks.ts'
import { arpOp, ethDst, ethType, icmp6Code, icmp6Type, icmpCode, icmpType, ipFrag, ipProto, type Field } from './openflow/fields.ts'
import { goto, type Action, type Bits } from './openflow/actions.ts'
import { is, isMasked, type Term } from './openflow/flow.ts'
import { cameFrom, originOf, owners } from './registers.ts'
import { tables, type Table } from './tables.ts'

export const arp: readonly Term[] = [is(ethType, 0x0806)]
/** OpenFlow's order of fields puts the operation behind. */
export const arpRequest: readonly Term[] = [is(ethType, 0x0806), is(arpOp, 1)]
export const ipv4: readonly Term[] = [is(ethType, 0x0800)]
export const ipv6: readonly Term[] = [is(ethType, 0x86dd)]
/** RFC 792, RFC 4443. */
export const echo4: readonly Term[] = [is(icmpType, 8), is(icmpCode, 0)]
export const echo6: readonly Term[] = [is(icmp6Type, 128), is(icmp6Code, 0)]
export const icmp = is(ipProto, 1)
export const icmp6 = is(ipProto, 58)
/** By what it is, and not by ports that are zero: else the switch would keep a flow of its own for each port that a connection is from. */
export const laterFragment = is(ipFrag, 3)
/** Each of which is enough: nothing to match where it is any port. */
export const withinPorts = (field: Field, first: number, last = first): readonly (readonly Term[])[] =>
  l4Blocks(first, last).map(({ value, mask }) => {
    if (mask === 0) return []
    return [mask === 0xffff ? is(field, value) : isMasked(field, value, mask)]
  })
/** RFC 4861 section 4. */
export const ndTypes = { routerSolicitation: 133, routerAdvertisement: 134, solicitation: 135, advertisement: 136, redirect: 137 } as const
export const nd = (type: keyof typeof ndTypes): readonly Term[] => [...ipv6, icmp6, is(icmp6Type, ndTypes[type])]

export const inVni = (vni: number): Term => is(owners.vni.field, vni)
/** A packet of this local port that has not been to the gateway. */
export const ofPort = (number: number): Term => is(owners.source.field, cameFrom('port', number))
export const ofAny = (origin: 'port' | 'tunnel'): Term => isMasked(owners.from.field, ...originOf(origin))
/** Broadcast and multicast: the first bit that is sent (IEEE 802). */
export const groupBit = 0x010000000000
export const toGroup = isMasked(ethDst, groupBit, groupBit)
/** One bit of a register. */
export const isBit = ({ field, from }: Bits, value: number): Term => isMasked(field, value * 2 ** from, 2 ** from)
export const to = (table: Table): Action => goto(tables[table].number)
