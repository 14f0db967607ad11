// Ethernet, IP and UDP of what guests ask and are answered: read with every length checked, and written with their checksums.
import { gatewayMac } from '../../net/gateway-mac.ts'
import { linkLocalOf } from '../../pipeline/sources.ts'
import { macValue } from '../../pipeline/openflow/values.ts'
import { Bytes } from '../bytes.ts'
import { viewOf } from '../openflow/openflow.ts'

export const router = { mac: macValue(gatewayMac), linkLocal: linkLocalOf(macValue(gatewayMac)) } as const
export const broadcastMac = 0xffffffffffff
export const protocols = { udp: 17, icmp6: 58 } as const
const etherTypes = { ipv4: 0x0800, ipv6: 0x86dd } as const
const etherBytes = 14

/** What an IP packet carries, and who to whom. */
export interface Carried {
  readonly family: 4 | 6
  readonly from: bigint
  readonly to: bigint
  readonly protocol: number
  readonly hopLimit: number
  readonly payload: Uint8Array
}

/** @returns undefined where it is no whole IP packet of one piece, without headers of extension @throws RangeError where it is cut off */
export function readFrame(frame: Uint8Array): Carried | undefined {
  const type = viewOf(frame).getUint16(12)
  if (type === etherTypes.ipv4) return readV4(frame.subarray(etherBytes))
  return type === etherTypes.ipv6 ? readV6(frame.subarray(etherBytes)) : undefined
}

function readV4(packet: Uint8Array): Carried | undefined {
  const view = viewOf(packet)
  const [head, total] = [(view.getUint8(0) & 15) * 4, view.getUint16(2)]
  const isPiece = (view.getUint16(6) & 0x3fff) !== 0
  if (view.getUint8(0) >> 4 !== 4 || head < 20 || total < head || total > packet.length || isPiece) return undefined
  return {
    family: 4,
    from: BigInt(view.getUint32(12)),
    to: BigInt(view.getUint32(16)),
    protocol: view.getUint8(9),
    hopLimit: view.getUint8(8),
    payload: packet.subarray(head, total),
  }
}

function readV6(packet: Uint8Array): Carried | undefined {
  const view = viewOf(packet)
  const end = 40 + view.getUint16(4)
  if (view.getUint8(0) >> 4 !== 6 || end > packet.length) return undefined
  return {
    family: 6,
    from: addressAt(view, 8),
    to: addressAt(view, 24),
    protocol: view.getUint8(6),
    hopLimit: view.getUint8(7),
    payload: packet.subarray(40, end),
  }
}

export const addressAt = (view: DataView, at: number): bigint => (view.getBigUint64(at) << 64n) | view.getBigUint64(at + 8)

/** @returns undefined where it is for another L4 port, or its length is not true */
export function udpFor({ protocol, payload }: Carried, l4Port: number): Uint8Array | undefined {
  if (protocol !== protocols.udp) return undefined
  const view = viewOf(payload)
  const length = view.getUint16(4)
  return view.getUint16(2) === l4Port && length >= 8 && length <= payload.length ? payload.subarray(8, length) : undefined
}

export interface Envelope extends Pick<Carried, 'family' | 'from' | 'to'> {
  readonly mac: number
}

export function udpFrame(envelope: Envelope, l4Ports: { readonly from: number; readonly to: number }, payload: Uint8Array): Uint8Array {
  const udp = new Bytes(8 + payload.length)
  udp.u16(l4Ports.from)
  udp.u16(l4Ports.to)
  udp.u16(8 + payload.length)
  udp.u16(0)
  udp.raw(payload)
  return frameOf(envelope, { protocol: protocols.udp, payload: udp.written(), checksumAt: 6 })
}

export const icmp6Frame = (envelope: Envelope, payload: Uint8Array): Uint8Array =>
  frameOf(envelope, { protocol: protocols.icmp6, payload, checksumAt: 2 })

interface Transport {
  readonly protocol: number
  readonly payload: Uint8Array
  readonly checksumAt: number
}

function frameOf({ mac, family, from, to }: Envelope, { protocol, payload, checksumAt }: Transport): Uint8Array {
  const frame = new Bytes(etherBytes + 40 + payload.length)
  frame.u48(mac)
  frame.u48(router.mac)
  frame.u16(family === 4 ? etherTypes.ipv4 : etherTypes.ipv6)
  if (family === 4) writeV4(frame, { from: Number(from), to: Number(to), protocol, length: payload.length })
  else writeV6(frame, { from, to, protocol, length: payload.length })
  const at = frame.at
  frame.raw(payload)
  const pseudo = pseudoHeader({ family, from, to, protocol, length: payload.length })
  // RFC 768: zero says that there is none.
  frame.u16At(at + checksumAt, checksum(pseudo, payload) || 0xffff)
  return frame.written()
}

interface Head<Address> {
  readonly from: Address
  readonly to: Address
  readonly protocol: number
  readonly length: number
}

function writeV4(frame: Bytes, { from, to, protocol, length }: Head<number>): void {
  const at = frame.at
  frame.u16(0x4500)
  frame.u16(20 + length)
  frame.u32(0)
  frame.u8(64)
  frame.u8(protocol)
  frame.u16(0)
  frame.u32(from)
  frame.u32(to)
  frame.u16At(at + 10, checksum(frame.written().subarray(at)))
}

/** Hop limit 255: neighbour discovery wants it (RFC 4861 section 6.1.2), and nobody minds it. */
function writeV6(frame: Bytes, { from, to, protocol, length }: Head<bigint>): void {
  frame.u32(0x60000000)
  frame.u16(length)
  frame.u8(protocol)
  frame.u8(255)
  frame.u128(from)
  frame.u128(to)
}

function pseudoHeader({ family, from, to, protocol, length }: Head<bigint> & { readonly family: 4 | 6 }): Uint8Array {
  const head = new Bytes(40)
  if (family === 4) {
    head.u32(Number(from))
    head.u32(Number(to))
  } else {
    head.u128(from)
    head.u128(to)
  }
  head.u32(length)
  head.u32(protocol)
  return head.written()
}

/** RFC 1071, over parts of even length but the last. */
function checksum(...parts: readonly Uint8Array[]): number {
  let sum = 0
  for (const part of parts) for (let at = 0; at < part.length; at += 2) sum += (part[at]! << 8) | (part[at + 1] ?? 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + Math.floor(sum / 0x10000)
  return ~sum & 0xffff
}
