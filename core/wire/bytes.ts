// Bytes that are written one after the other, in network order, in a buffer that grows.

export class Bytes {
  #bytes: Uint8Array<ArrayBuffer>
  #view: DataView
  at = 0

  constructor(size = 4_096) {
    this.#bytes = new Uint8Array(size)
    this.#view = new DataView(this.#bytes.buffer)
  }

  /** What has been written; shared until the next write. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.at)
  }

  /** Makes room for so many bytes, so that the writes below need not ask. Fresh bytes are zero. */
  room(count: number): void {
    if (this.at + count <= this.#bytes.length) return
    const bigger = new Uint8Array(Math.max(this.#bytes.length * 2, this.at + count))
    bigger.set(this.#bytes.subarray(0, this.at))
    this.#bytes = bigger
    this.#view = new DataView(bigger.buffer)
  }

  /** Begins again in the same buffer. */
  clear(): void {
    this.#bytes.fill(0, 0, this.at)
    this.at = 0
  }

  u8(value: number): void {
    this.#bytes[this.at++] = value
  }

  u16(value: number): void {
    this.#view.setUint16(this.at, value)
    this.at += 2
  }

  u32(value: number): void {
    this.#view.setUint32(this.at, value)
    this.at += 4
  }

  /** Up to 64 bits, as far as a number is exact. */
  u48(value: number): void {
    this.u16(Math.floor(value / 2 ** 32))
    this.u32(value % 2 ** 32)
  }

  u64(value: number): void {
    this.u32(Math.floor(value / 2 ** 32))
    this.u32(value % 2 ** 32)
  }

  u128(value: bigint): void {
    this.#view.setBigUint64(this.at, value >> 64n)
    this.#view.setBigUint64(this.at + 8, value & 0xffffffffffffffffn)
    this.at += 16
  }

  /** Makes room for them. */
  raw(bytes: Uint8Array): void {
    this.room(bytes.length)
    this.#bytes.set(bytes, this.at)
    this.at += bytes.length
  }

  skip(count: number): void {
    this.at += count
  }

  /** Zeros up to the next multiple of 8 from `start`. */
  pad(start: number): void {
    this.at = start + Math.ceil((this.at - start) / 8) * 8
  }

  /** Overwrites two bytes that were skipped. */
  u16At(at: number, value: number): void {
    this.#view.setUint16(at, value)
  }
}
