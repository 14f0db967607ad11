// Chance, drawn from a seed: one generator a subsystem, forked by name, so that a draw more in one place changes no other.
import { seeded } from '../workers/test-cluster.ts'

export class Dice {
  readonly #seed: number
  readonly #next: () => number

  constructor(seed: number) {
    this.#seed = seed >>> 0
    this.#next = seeded(this.#seed)
  }

  /** A generator of its own: the same for the same seed and name, whatever was drawn here. */
  fork(name: string): Dice {
    return new Dice(hashOf(`${this.#seed} ${name}`))
  }

  /** In [0, 1). */
  next(): number {
    return this.#next()
  }

  /** A whole number in [0, n). */
  int(n: number): number {
    return Math.floor(this.#next() * n)
  }

  between(low: number, high: number): number {
    return low + this.int(high - low + 1)
  }

  chance(p: number): boolean {
    return this.#next() < p
  }

  /** The first of them more often than all others together: so that what is made is what is used. */
  mostly<T>(from: readonly T[]): T {
    return this.chance(0.6) ? from[0]! : this.pick(from)
  }

  pick<T>(from: readonly T[]): T {
    return from[this.int(from.length)]!
  }
}

/** FNV-1a, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
