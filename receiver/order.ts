// What a receiver remembers: how far each object has come. A notice may come twice, never out of order.

export type Arrival =
  /** Act on it. */
  | 'new'
  /** It was acted on: answer 2xx, and do nothing. */
  | 'repeat'

export class Order {
  readonly #last = new Map<string, number>()

  /** @param object whatever names the object: its UID */
  see(object: string, sequence: number): Arrival {
    const last = this.#last.get(object) ?? 0
    if (sequence > 0 && sequence <= last) return 'repeat'
    this.#last.set(object, Math.max(last, sequence))
    return 'new'
  }

  /** An object whose end was told needs no memory once no repeat can come any more. */
  forget(object: string): void {
    this.#last.delete(object)
  }

  /** To be kept over a restart, and given to `restored`. */
  entries(): readonly (readonly [string, number])[] {
    return [...this.#last]
  }

  static restored(entries: readonly (readonly [string, number])[]): Order {
    const order = new Order()
    for (const [object, sequence] of entries) order.#last.set(object, sequence)
    return order
  }
}
