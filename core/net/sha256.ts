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

/** The 32 bytes of SHA-256 over a text's UTF-8. About 1 µs for a name. */
export function sha256(text: string): Uint8Array {
  const message = encoder.encode(text)
  const padded = new Uint8Array(((message.length + 72) >> 6) << 6)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 4, message.length * 8)
  const state = Int32Array.from(initial)
  const w = new Int32Array(64)
  for (let at = 0; at < padded.length; at += 64) block(state, w, view, at)
  const out = new Uint8Array(32)
  const outView = new DataView(out.buffer)
  state.forEach((word, i) => outView.setInt32(i * 4, word))
  return out
}

const rotate = (x: number, n: number): number => (x >>> n) | (x << (32 - n))

function block(state: Int32Array, w: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + i * 4)
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15]!
    const b = w[i - 2]!
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
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
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = state[i]! + word
}
