// A frame of the model as bytes on a wire: Ethernet, and of ARP, IPv4, IPv6 and UDP what the model knows. Checksums are zero.
import {
  arpOp,
  arpSha,
  arpSpa,
  arpTha,
  arpTpa,
  ethDst,
  ethSrc,
  ethType,
  ipProto,
  ipTtl,
  ipv4Dst,
  ipv4Src,
  ipv6Dst,
  ipv6Src,
  udpDst,
  type Field,
} from '../../../../core/pipeline/fields.ts'
import { readField, type Frame } from './frame.ts'

/** A field at its place, in so many bytes. */
type Place = readonly [at: number, bytes: number, of: Field | number]

const ethernet: readonly Place[] = [
  [0, 6, ethDst],
  [6, 6, ethSrc],
  [12, 2, ethType],
]
const bodies: Readonly<Record<number, { readonly length: number; readonly places: readonly Place[] }>> = {
  0x0806: {
    length: 42,
    places: [
      [14, 2, 1],
      [16, 2, 0x0800],
      [18, 1, 6],
      [19, 1, 4],
      [20, 2, arpOp],
      [22, 6, arpSha],
      [28, 4, arpSpa],
      [32, 6, arpTha],
      [38, 4, arpTpa],
    ],
  },
  0x0800: {
    length: 42,
    places: [
      [14, 1, 0x45],
      [16, 2, 28],
      [22, 1, ipTtl],
      [23, 1, ipProto],
      [26, 4, ipv4Src],
      [30, 4, ipv4Dst],
      [36, 2, udpDst],
      [38, 2, 8],
    ],
  },
  0x86dd: {
    length: 62,
    places: [
      [14, 1, 0x60],
      [18, 2, 8],
      [20, 1, ipProto],
      [21, 1, ipTtl],
      [22, 16, ipv6Src],
      [38, 16, ipv6Dst],
      [56, 2, udpDst],
    ],
  },
}

export function bytesOf(frame: Frame): Uint8Array {
  const body = bodies[Number(readField(frame, ethType))]
  const bytes = new Uint8Array(body?.length ?? 14)
  for (const [at, size, of] of [...ethernet, ...(body?.places ?? [])]) {
    let value = BigInt(typeof of === 'number' ? of : readField(frame, of))
    for (let place = at + size - 1; place >= at; place--, value >>= 8n) bytes[place] = Number(value & 0xffn)
  }
  return bytes
}
