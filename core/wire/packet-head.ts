// What a packet is, from the first bytes of its frame: who to whom, and what it carries.
import type { PacketHead } from '../node/logged-packet.ts'
import { printIp } from '../net/ip.ts'
import { viewOf } from './openflow/openflow.ts'
import { ipOf } from './netlink/bytes.ts'

const etherTypes = { vlan: 0x8100, ipv4: 0x0800, ipv6: 0x86dd } as const
const withL4Ports: readonly number[] = [6, 17, 132]
const icmps: readonly number[] = [1, 58]
/** Headers of IPv6 that another one follows (RFC 8200 section 4.1): hop-by-hop, routing, destination options; and a fragment's. */
const extensions: readonly number[] = [0, 43, 60]
const fragment = 44

/** Undefined: it is no IP, or there is too little of it. */
export function readPacketHead(frame: Uint8Array): PacketHead | undefined {
  try {
    const view = viewOf(frame)
    const at = view.getUint16(12) === etherTypes.vlan ? 16 : 12
    const type = view.getUint16(at)
    if (type === etherTypes.ipv4) return readV4(frame, view, at + 2)
    return type === etherTypes.ipv6 ? readV6(frame, view, at + 2) : undefined
  } catch (err) {
    if (err instanceof RangeError) return undefined
    throw err
  }
}

const addressAt = (frame: Uint8Array, at: number, bytes: 4 | 16): string => {
  const ip = ipOf(frame.subarray(at, at + bytes))
  if (ip === undefined) throw new RangeError('an address is cut off')
  return printIp(ip)
}

function readV4(frame: Uint8Array, view: DataView, at: number): PacketHead {
  const protocol = view.getUint8(at + 9)
  const isFirst = (view.getUint16(at + 6) & 0x1fff) === 0
  const ends = { from: addressAt(frame, at + 12, 4), to: addressAt(frame, at + 16, 4), protocol }
  return { ...ends, ...(isFirst && carried(view, at + (view.getUint8(at) & 15) * 4, protocol)) }
}

function readV6(frame: Uint8Array, view: DataView, at: number): PacketHead {
  let protocol = view.getUint8(at + 6)
  let next = at + 40
  let isFirst = true
  while (extensions.includes(protocol) || protocol === fragment) {
    if (protocol === fragment) isFirst &&= view.getUint16(next + 2) >> 3 === 0
    const bytes = protocol === fragment ? 8 : 8 * (view.getUint8(next + 1) + 1)
    protocol = view.getUint8(next)
    next += bytes
  }
  const ends = { from: addressAt(frame, at + 8, 16), to: addressAt(frame, at + 24, 16), protocol }
  return { ...ends, ...(isFirst && carried(view, next, protocol)) }
}

function carried(view: DataView, at: number, protocol: number): Pick<PacketHead, 'l4Ports' | 'icmp'> {
  if (withL4Ports.includes(protocol)) return { l4Ports: { from: view.getUint16(at), to: view.getUint16(at + 2) } }
  return icmps.includes(protocol) ? { icmp: { type: view.getUint8(at), code: view.getUint8(at + 1) } } : {}
}
