// Writing DER (ITU-T X.690), as much of it as a certificate needs.

const tagged = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

/** Short form below 128, else the number of length octets and the length (section 8.1.3). */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const octets: number[] = []
  for (let left = length; left > 0; left = Math.floor(left / 256)) octets.unshift(left & 0xff)
  return Buffer.from([0x80 | octets.length, ...octets])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts)
export const set = (...parts: readonly Uint8Array[]): Buffer => tagged(0x31, ...parts)
export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]))
/** @param octets big-endian and positive: the first must be below 0x80 */
export const integer = (...octets: readonly number[]): Buffer => tagged(0x02, Buffer.from(octets))
export const octetString = (content: Uint8Array): Buffer => tagged(0x04, content)
export const utf8String = (text: string): Buffer => tagged(0x0c, Buffer.from(text, 'utf8'))
/** @param unused how many bits of the last octet do not count */
export const bitString = (content: Uint8Array, unused = 0): Buffer => tagged(0x03, Buffer.from([unused]), content)
/** A context-specific tag around whole values. */
export const explicit = (tag: number, content: Uint8Array): Buffer => tagged(0xa0 | tag, content)
/** A context-specific tag in place of a value's own. */
export const implicit = (tag: number, content: Uint8Array): Buffer => tagged(0x80 | tag, content)

/** From the dotted form: the first two arcs share an octet, the others are base 128 (section 8.19). */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(arc: number): number[] {
  const octets = [arc & 0x7f]
  for (let left = arc >>> 7; left > 0; left >>>= 7) octets.unshift(0x80 | (left & 0x7f))
  return octets
}

/** UTCTime up to 2049, GeneralizedTime from then on (RFC 5280 section 4.1.2.5). @param ms since 1970 */
export function time(ms: number): Buffer {
  const digits = new Date(ms)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '')
  return Number(digits.slice(0, 4)) < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits))
}
