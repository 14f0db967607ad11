// Netlink's bytes: attributes of (length, type, value), padded to four. Host order, which is little-endian on every machine that
// Node.js 24 is published for; addresses and VXLAN's UDP port are in network order.
import { parseIp, type Ip } from '../../net/ip.ts'
import { blankAt, isBlank, type Blank } from './blank.ts'

const pad = (length: number): number => (length + 3) & ~3
/** linux/netlink.h: NLA_F_NESTED and NLA_F_NET_BYTEORDER are flags in the type. */
const typeMask = 0x3fff

// Made once: a link is a dozen texts, and each ADD makes the kernel tell of its link ten times.
const encoder = new TextEncoder()
const decoder = new TextDecoder()
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Writes messages one behind the other into one buffer that grows. */
export class Writer {
  #bytes = new Uint8Array(512)
  #view = new DataView(this.#bytes.buffer)
  #at = 0
  readonly blanks: Blank[] = []

  get length(): number {
    return this.#at
  }

  /** What has been written; later writes do not change it. */
  done(): Uint8Array {
    return this.#bytes.slice(0, this.#at)
  }

  u8(value: number): this {
    this.#room(1)
    this.#view.setUint8(this.#at++, value)
    return this
  }

  u16(value: number): this {
    this.#room(2)
    this.#view.setUint16(this.#at, value, true)
    this.#at += 2
    return this
  }

  u32(value: number): this {
    this.#room(4)
    if (isBlank(value)) this.blanks.push(blankAt(this.#at, value))
    this.#view.setUint32(this.#at, value, true)
    this.#at += 4
    return this
  }

  raw(bytes: Uint8Array): this {
    this.#room(bytes.length)
    this.#bytes.set(bytes, this.#at)
    this.#at += bytes.length
    return this
  }

  align(): this {
    const to = pad(this.#at)
    this.#room(to - this.#at)
    this.#bytes.fill(0, this.#at, to)
    this.#at = to
    return this
  }

  /** Writes a 32-bit length at `at` that counts from there to here. */
  close32(at: number): this {
    this.#view.setUint32(at, this.#at - at, true)
    return this.align()
  }

  attr(type: number, value: Uint8Array): this {
    return this.u16(value.length + 4)
      .u16(type)
      .raw(value)
      .align()
  }

  attr8(type: number, value: number): this {
    return this.u16(5).u16(type).u8(value).align()
  }

  attr32(type: number, value: number): this {
    return this.u16(8).u16(type).u32(value)
  }

  /** Two bytes in network order. */
  attrBe16(type: number, value: number): this {
    return this.u16(6)
      .u16(type)
      .u8(value >> 8)
      .u8(value & 255)
      .align()
  }

  /** With the zero at its end that the kernel expects of names. */
  attrText(type: number, value: string): this {
    return this.attr(type, encoder.encode(`${value}\0`))
  }

  nest(type: number, inside: () => void): this {
    const at = this.#at
    this.u16(0).u16(type)
    inside()
    this.#view.setUint16(at, this.#at - at, true)
    return this.align()
  }

  #room(more: number): void {
    if (this.#at + more <= this.#bytes.length) return
    const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + more))
    bytes.set(this.#bytes)
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer)
  }
}

export type Attributes = ReadonlyMap<number, Uint8Array>

/** The attributes from `at` on, the last of each type. What does not fit is left out, and so is all behind it: never throws. */
export function attributes(bytes: Uint8Array, at = 0): Attributes {
  const found = new Map<number, Uint8Array>()
  const view = viewOf(bytes)
  while (at + 4 <= bytes.length) {
    const length = view.getUint16(at, true)
    if (length < 4 || at + length > bytes.length) break
    found.set(view.getUint16(at + 2, true) & typeMask, bytes.subarray(at + 4, at + length))
    at += pad(length)
  }
  return found
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Numbers and texts of attributes: undefined where there is none, or one of another size. */
export const u8Of = (from: Attributes, type: number): number | undefined => from.get(type)?.[0]
export const u32Of = (from: Attributes, type: number): number | undefined => sized(from.get(type), 4)?.getUint32(0, true)
export const be16Of = (from: Attributes, type: number): number | undefined => sized(from.get(type), 2)?.getUint16(0)
export const nestedOf = (from: Attributes, type: number): Attributes => attributes(from.get(type) ?? new Uint8Array())
export const textOf = (from: Attributes, type: number): string | undefined => {
  const bytes = from.get(type)
  const end = bytes?.indexOf(0) ?? -1
  return bytes === undefined ? undefined : decoder.decode(end < 0 ? bytes : bytes.subarray(0, end))
}

function sized(bytes: Uint8Array | undefined, length: number): DataView | undefined {
  return bytes?.length === length ? viewOf(bytes) : undefined
}

/** Lower case with colons; undefined for what is no Ethernet address. */
export function macOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes?.length === 6
    ? `${hex[bytes[0]!]}:${hex[bytes[1]!]}:${hex[bytes[2]!]}:${hex[bytes[3]!]}:${hex[bytes[4]!]}:${hex[bytes[5]!]}`
    : undefined
}

export const macBytes = (mac: string): Uint8Array => Uint8Array.from(mac.split(':'), (part) => Number.parseInt(part, 16))

/** An address of either family by its length. */
export function ipOf(bytes: Uint8Array | undefined): Ip | undefined {
  if (bytes?.length !== 4 && bytes?.length !== 16) return undefined
  return { family: bytes.length === 4 ? 4 : 6, value: bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) }
}

export function ipBytes({ family, value }: Ip): Uint8Array {
  const bytes = new Uint8Array(family === 4 ? 4 : 16)
  for (let i = bytes.length - 1; i >= 0; i--, value >>= 8n) bytes[i] = Number(value & 255n)
  return bytes
}

/**
 * `10.0.0.5/24` as address and length; the length is all of it where none is given.
 *
 * @throws RangeError for what is no address: a fault of the program
 */
export function prefixed(text: string): { readonly ip: Ip; readonly length: number } {
  const [address = '', given] = text.split('/')
  const ip = parseIp(address)
  const most = ip?.family === 4 ? 32 : 128
  const length = given === undefined ? most : Number(given)
  if (ip === undefined || !Number.isInteger(length) || length < 0 || length > most)
    throw new RangeError(`${text} is no address with a prefix length`)
  return { ip, length }
}

/** linux/socket.h */
export const family = { any: 0, inet: 2, bridge: 7, inet6: 10 } as const
export const familyOf = ({ family: version }: Ip): number => (version === 4 ? family.inet : family.inet6)
