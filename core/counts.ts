// How often each is there.
export class Counts {
  readonly #counts = new Map<string, number>()

  has(name: string): boolean {
    return this.#counts.has(name)
  }
  keys(): Iterable<string> {
    return this.#counts.keys()
  }
  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }
  get isEmpty(): boolean {
    return this.#counts.size === 0
  }
  /** @returns whether it is the first of its name, or was the last */
  count(name: string, by: 1 | -1): boolean {
    const count = this.of(name) + by
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
    return by === 1 ? count === 1 : count === 0
  }
}
