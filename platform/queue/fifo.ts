/** Strings in the order in which they came, each at most once; both ends in constant time. */
export class Fifo {
  #items: string[] = []
  #head = 0
  readonly #members = new Set<string>()

  get size(): number {
    return this.#members.size
  }

  has(item: string): boolean {
    return this.#members.has(item)
  }

  push(item: string): void {
    if (this.#members.has(item)) return
    this.#members.add(item)
    this.#items.push(item)
  }

  shift(): string | undefined {
    const item = this.#items[this.#head]
    if (item === undefined) return undefined
    this.#head += 1
    this.#members.delete(item)
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }
}
