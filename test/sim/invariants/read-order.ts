// In which order a receiver has read what happened to one object.
import type { Read } from '../receivers.ts'

/** As long as a request may be under way: a worker that has lost its key to another does not hear so meanwhile. */
const underWayMs = 15_000

export class ReadOrder {
  /** Sequence → when it was read first. */
  readonly #firstAt = new Map<number, number>()
  #last: number | undefined

  /**
   * Where a queue gives a key to two workers, what one has under way may come once more after the next that the other has sent: under the
   * id that it had, so whoever reads knows it.
   *
   * @returns what it came after, and should not have
   */
  take({ sequence, at }: Pick<Read, 'sequence' | 'at'>): number | undefined {
    const last = this.#last
    const first = this.#firstAt.get(sequence)
    this.#firstAt.set(sequence, first ?? at)
    if (last === undefined || sequence >= last) this.#last = sequence
    else if (first === undefined || at - first > underWayMs) return last
    return undefined
  }
}
