// A table of texts by key that holds neither: 13 bytes for each of a hundred thousand, and what has become of each.

/** What is said of a key. */
export type KeyState = 'awaited' | 'right' | 'wrong'
const keyStates = ['awaited', 'right', 'wrong'] as const
const [awaited, right, wrong] = [1, 2, 3]

/** Share of the slots that may be taken: probes stay short. */
const fullest = 0.6
const none = -1

/**
 * Keys are told apart by 64 bits: of two hundred thousand the chance that any two are one is 10⁻⁹. A text is told from another
 * one of its key by 32 bits.
 */
export class Fingerprints {
  #count = 0
  #slots = 32
  #keys = new Uint32Array(2 * this.#slots)
  #texts = new Uint32Array(this.#slots)
  /** 0: nobody's; else the place in `keyStates`, counted from 1. */
  #stands = new Uint8Array(this.#slots)

  get size(): number {
    return this.#count
  }

  /** Of one key the first text counts. */
  add(key: string, text: string): void {
    if (this.#count >= this.#slots * fullest) this.#grow()
    const [high, low] = [hash(key, 0x811c9dc5), hash(key, 0x01234567)]
    const slot = this.#find(high, low)
    if (this.#stands[slot] !== 0) return
    this.#keys[2 * slot] = high
    this.#keys[2 * slot + 1] = low
    this.#texts[slot] = hash(text, 0x811c9dc5)
    this.#stands[slot] = awaited
    this.#count++
  }

  /** A key was seen with this text: what is said of it from now on, and what was before. Undefined: nobody has added it. */
  see(key: string, text: string): { readonly before: KeyState; readonly state: KeyState } | undefined {
    const slot = this.#slotOf(key)
    if (slot === none) return undefined
    const before = keyStates[this.#stands[slot]! - 1]!
    const isRight = this.#texts[slot] === hash(text, 0x811c9dc5)
    this.#stands[slot] = isRight ? right : wrong
    return { before, state: isRight ? 'right' : 'wrong' }
  }

  /** Nothing has been seen. */
  awaitAll(): void {
    for (let slot = 0; slot < this.#slots; slot++) if (this.#stands[slot] !== 0) this.#stands[slot] = awaited
  }

  stateOf(key: string): KeyState | undefined {
    const slot = this.#slotOf(key)
    return slot === none ? undefined : keyStates[this.#stands[slot]! - 1]
  }

  /** From now on it counts as right. */
  settle(key: string): void {
    const slot = this.#slotOf(key)
    if (slot !== none) this.#stands[slot] = right
  }

  #slotOf(key: string): number {
    const slot = this.#find(hash(key, 0x811c9dc5), hash(key, 0x01234567))
    return this.#stands[slot] === 0 ? none : slot
  }

  /** Its slot, or the free one where it would be. */
  #find(high: number, low: number): number {
    const mask = this.#slots - 1
    let slot = low & mask
    while (this.#stands[slot] !== 0 && (this.#keys[2 * slot] !== high || this.#keys[2 * slot + 1] !== low)) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const [keys, texts, stands, slots] = [this.#keys, this.#texts, this.#stands, this.#slots]
    this.#slots = 2 * slots
    this.#keys = new Uint32Array(2 * this.#slots)
    this.#texts = new Uint32Array(this.#slots)
    this.#stands = new Uint8Array(this.#slots)
    for (let from = 0; from < slots; from++) {
      if (stands[from] === 0) continue
      const [high, low] = [keys[2 * from]!, keys[2 * from + 1]!]
      const slot = this.#find(high, low)
      this.#keys[2 * slot] = high
      this.#keys[2 * slot + 1] = low
      this.#texts[slot] = texts[from]!
      this.#stands[slot] = stands[from]!
    }
  }
}

/** FNV-1a of its UTF-16 units, and the bits mixed once more (MurmurHash3's last step): near texts are far apart. */
function hash(text: string, seed: number): number {
  let h = seed
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
