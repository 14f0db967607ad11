// Addresses as values. One spelling each: dotted quad without leading zeros, and RFC 5952 (section 4) for IPv6.

export interface Ip {
  readonly family: 4 | 6
  readonly value: bigint
}

const maxV4 = 0xffffffffn

/** An address from text, or undefined: no zone, no leading zeros, no shorthand of inet_aton (RFC 6943 section 3.1.1). */
export function parseIp(text: string): Ip | undefined {
  if (text.includes(':')) return parseV6(text)
  const v4 = parseV4(text)
  return v4 === undefined ? undefined : { family: 4, value: BigInt(v4) }
}

/**
 * An address that an interface can have: not IPv4-mapped (RFC 4291 section 2.5.5.2), which would be a second spelling of an
 * IPv4 address. The same ones that CEL's ip() takes (Kubernetes 1.31).
 */
export function parsePlainIp(text: string): Ip | undefined {
  const ip = parseIp(text)
  return ip?.family === 6 && ip.value >> 32n === 0xffffn ? undefined : ip
}

/** A dotted quad as an unsigned 32-bit number. */
export function parseV4(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let value = 0
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part)) return undefined
    const byte = Number(part)
    if (byte > 255) return undefined
    value = value * 256 + byte
  }
  return value
}

function parseV6(text: string): Ip | undefined {
  const all = parseSixteens(text)
  return all && { family: 6, value: all.reduce((value, group) => (value << 16n) | BigInt(group), 0n) }
}

/** The eight 16-bit groups of an IPv6 address given as text, or undefined where it is none. */
export function parseSixteens(text: string): number[] | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = groups(halves[0] ?? '', halves.length === 1)
  const tail = halves.length === 2 ? groups(halves[1] ?? '', true) : []
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  // "::" stands for at least one group (RFC 4291 section 2.2, as RFC 5952 section 4.2.2 narrows it).
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  return [...head, ...Array<number>(missing).fill(0), ...tail]
}

/** @param last whether the address ends here: only there may a dotted quad stand (RFC 4291 section 2.2) */
function groups(text: string, last: boolean): number[] | undefined {
  if (text === '') return []
  const found: number[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    if (part.includes('.')) {
      const v4 = last && i === parts.length - 1 ? parseV4(part) : undefined
      if (v4 === undefined) return undefined
      found.push(Math.floor(v4 / 65536), v4 % 65536)
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return undefined
      found.push(Number.parseInt(part, 16))
    }
  }
  return found
}

/** The one spelling of an address. */
export function printIp(ip: Ip): string {
  return ip.family === 4 ? printV4(Number(ip.value)) : printV6(ip.value)
}

export function printV4(value: number): string {
  return `${Math.floor(value / 16777216) & 255}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`
}

const printV6 = (value: bigint): string => printSixteens(sixteens(value))

/** The one spelling of an IPv6 address given as its eight groups. */
export function printSixteens(parts: readonly number[]): string {
  const zeros = longestZeroRun(parts)
  const hex = parts.map((part) => part.toString(16))
  if (zeros.length < 2) return hex.join(':')
  return `${hex.slice(0, zeros.start).join(':')}::${hex.slice(zeros.start + zeros.length).join(':')}`
}

/** The eight 16-bit groups of an IPv6 value, highest first. */
export function sixteens(value: bigint): number[] {
  return Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn))
}

// RFC 5952 section 4.2.3: the longest run is shortened, and of equals the first.
function longestZeroRun(parts: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  for (let start = 0; start < parts.length; start++) {
    let length = 0
    while (parts[start + length] === 0) length++
    if (length > best.length) best = { start, length }
    start += length
  }
  return best
}

/** The canonical text of an address given as text, or undefined where it is none. */
export function canonicalIp(text: string): string | undefined {
  const ip = parseIp(text)
  return ip === undefined ? undefined : printIp(ip)
}

export const bitsOf = (family: 4 | 6): number => (family === 4 ? 32 : 128)
export const maxOf = (family: 4 | 6): bigint => (family === 4 ? maxV4 : (1n << 128n) - 1n)
