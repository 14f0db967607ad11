// SHA-256 (FIPS 180-4 section 6.2), here because core may not import node:crypto and derived names must be the same everywhere.

const primes = (count: number): number[] => {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((p) => n % p !== 0)) found.push(n)
  return found
}
const fraction = (x: number): number => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0
const k = Int32Array.from(primes(64), (p) => fraction(Math.cbrt(p)))
const initial = Int32Array.from(primes(8), (p) => fraction(Math.sqrt(p)))
const encoder = new TextEncoder()

// Names are short and hashed one at a time, some thousands a second: what a hash works with is made once.
const w = new Int32Array(64)
const state = new Int32Array(8)
const usual = new Uint8Array(512)

/** The 32 bytes of SHA-256 over a text's UTF-8. About 1 µs for a name. */
export function sha256(text: string): Uint8Array {
  const length = ((text.length * 3 + 72) >> 6) << 6
  const padded = length <= usual.length ? usual : new Uint8Array(length)
  const { written } = encoder.encodeInto(text, padded)
  const end = ((written + 72) >> 6) << 6
  padded[written] = 0x80
  padded.fill(0, written + 1, end)
  // The length in bits: nobody hashes half a gigabyte.
  for (let i = 1, bits = written * 8; i <= 4; i++, bits >>>= 8) padded[end - i] = bits
  state.set(initial)
  for (let at = 0; at < end; at += 64) block(padded, at)
  const out = new Uint8Array(32)
  for (let i = 0; i < 32; i++) out[i] = state[i >> 2]! >>> (24 - 8 * (i & 3))
  return out
}

const rotate = (x: number, n: number): number => (x >>> n) | (x << (32 - n))

function block(bytes: Uint8Array, at: number): void {
  for (let i = 0; i < 16; i++, at += 4) w[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15]!
    const b = w[i - 2]!
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1
  }
  rounds()
}

function rounds(): void {
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let i = 0; i < 64; i++) {
    const t1 = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + k[i]! + w[i]!) | 0
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
  state[4]! += e
  state[5]! += f
  state[6]! += g
  state[7]! += h
}
