// Router advertisements (RFC 4861, RFC 8106, RFC 4191) for the one guest behind a TAP, and who is behind the gateway's link-local address.
import type { Guest, GuestAddress } from '../../node/guest.ts'
import { parseCidr } from '../../net/cidr.ts'
import { ipv6Value, macValue } from '../../pipeline/openflow/values.ts'
import { ndTypes } from '../../pipeline/match.ts'
import { Bytes } from '../bytes.ts'
import { viewOf } from '../openflow/openflow.ts'
import { encodeNames } from './domain-names.ts'
import { addressAt, icmp6Frame, router, type Carried } from './frames.ts'

/** The most that section 6.2.1 has; each is told again in a tenth of it. */
const routerSeconds = 9_000
export const advertiseEveryMs = 600_000
/** Of a prefix that stays. */
const forever = 0xffffffff
const codes = { source: 1, target: 2, prefix: 3, mtu: 5, route: 24, dns: 25, search: 31 } as const
const allNodes = ipv6Value('ff02::1')
const groupMac = (address: bigint): number => 0x333300000000 + Number(address & 0xffffffffn)

/** To a guest that looks for a router, or to all, which is that guest, without being asked. */
export function advertisementFor(guest: Guest): Uint8Array | undefined {
  const { v6, mac } = guest
  if (v6 === undefined) return undefined
  const message = new Bytes(512)
  message.u8(ndTypes.routerAdvertisement)
  message.u8(0)
  message.u16(0)
  message.u8(64)
  // Managed, and other things too: by DHCPv6.
  message.u8(0xc0)
  message.u16(guest.routed && guest.defaultRoute && v6.gateway !== undefined ? routerSeconds : 0)
  message.u32(0)
  message.u32(0)
  optionsOf(message, guest, v6)
  return icmp6Frame({ mac: macValue(mac), family: 6, from: router.linkLocal, to: allNodes }, message.written())
}

function optionsOf(into: Bytes, guest: Guest, v6: GuestAddress): void {
  if (guest.routed) linkLayer(into, codes.source)
  head(into, codes.mtu, 1)
  into.u16(0)
  into.u32(guest.mtu)
  prefixOf(into, v6)
  for (const { destination, nextHop } of guest.routes) if (guest.routed && nextHop === v6.gateway) routeOf(into, destination)
  namesOf(into, guest.dns)
}

/** @param units of eight bytes */
function head(into: Bytes, code: number, units: number): void {
  into.room(units * 8)
  into.u8(code)
  into.u8(units)
}

function linkLayer(into: Bytes, code: number): void {
  head(into, code, 1)
  into.u48(router.mac)
}

/** Its neighbours are on the link; its addresses are not its own to choose. */
function prefixOf(into: Bytes, { address, length }: GuestAddress): void {
  head(into, codes.prefix, 4)
  into.u8(length)
  into.u8(0x80)
  into.u32(forever)
  into.u32(forever)
  into.u32(0)
  into.u128(parseCidr(`${address}/${length}`)?.first ?? (ipv6Value(address) >> BigInt(128 - length)) << BigInt(128 - length))
}

function routeOf(into: Bytes, destination: string): void {
  const block = parseCidr(destination)
  if (block?.family !== 6) return
  head(into, codes.route, 3)
  into.u8(block.length)
  into.u8(0)
  into.u32(routerSeconds)
  into.u128(block.first)
}

function namesOf(into: Bytes, { nameservers, search }: Guest['dns']): void {
  const servers = nameservers.filter((each) => each.includes(':'))
  if (servers.length > 0) {
    head(into, codes.dns, 1 + 2 * servers.length)
    into.u16(0)
    into.u32(routerSeconds)
    for (const each of servers) into.u128(ipv6Value(each))
  }
  const names = encodeNames(search)
  // The length of an option is a byte.
  if (names.length === 0 || names.length > 2_000) return
  const start = into.at
  head(into, codes.search, 1 + Math.ceil(names.length / 8))
  into.u16(0)
  into.u32(routerSeconds)
  into.raw(names)
  into.pad(start)
}

/** @throws RangeError where it is cut off */
export function answerDiscovery({ payload, from, hopLimit }: Carried, guest: Guest): Uint8Array | undefined {
  const view = viewOf(payload)
  const type = view.getUint8(0)
  // From this link (RFC 4861 sections 6.1.1 and 7.1.1).
  if (hopLimit !== 255 || view.getUint8(1) !== 0) return undefined
  if (type === ndTypes.routerSolicitation) return advertisementFor(guest)
  const isOurs = type === ndTypes.solicitation && guest.routed && addressAt(view, 8) === router.linkLocal
  return isOurs ? advertised(from, guest) : undefined
}

function advertised(from: bigint, { mac }: Guest): Uint8Array {
  const message = new Bytes(32)
  // From `::` it is asked whether the address is free: all are told that it is not.
  const to = from === 0n ? allNodes : from
  message.u32(ndTypes.advertisement * 2 ** 24)
  message.u32(from === 0n ? 0xa0000000 : 0xe0000000)
  message.u128(router.linkLocal)
  linkLayer(message, codes.target)
  return icmp6Frame({ mac: from === 0n ? groupMac(allNodes) : macValue(mac), family: 6, from: router.linkLocal, to }, message.written())
}
