// A question for the MAC of an address, sent to whoever is said to have it: not to everybody. Whoever has it answers, and need not believe
// anything of who asks: over IPv4 that is a probe (RFC 5227 section 1.1), over IPv6 a gateway that is a neighbour already.
import { gatewayMac } from '../../net/gateway-mac.ts'
import { parseIp } from '../../net/ip.ts'
import { ndTypes } from '../../pipeline/match.ts'
import { macValue } from '../../pipeline/openflow/values.ts'
import { arpRequest } from '../arp.ts'
import { Bytes } from '../bytes.ts'
import { ipBytes } from '../netlink/bytes.ts'
import { icmp6Frame, router } from './frames.ts'

/** @param address plain, of either family; undefined: it is none */
export function neighbourRequest(mac: string, address: string): Uint8Array | undefined {
  const ip = parseIp(address)
  if (ip === undefined) return undefined
  if (ip.family === 6) return solicitation(macValue(mac), ip.value)
  return arpRequest({ to: mac, mac: gatewayMac, from: [0, 0, 0, 0], target: ipBytes(ip) })
}

/** RFC 4861 section 4.3, with the asker's MAC. */
function solicitation(mac: number, address: bigint): Uint8Array {
  const message = new Bytes(32)
  message.u8(ndTypes.solicitation)
  message.u8(0)
  message.u16(0)
  message.u32(0)
  message.u128(address)
  message.u8(1)
  message.u8(1)
  message.u48(router.mac)
  return icmp6Frame({ mac, family: 6, from: router.linkLocal, to: address }, message.written())
}
