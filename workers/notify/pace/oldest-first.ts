/** Strings that wait, each with a number: the lowest go first, whoever came first. */
export class OldestFirst {
  /** Each that waits, and its number. */
  readonly #numbers = new Map<string, number>()
  /** A binary heap. What was deleted, or has another number by now, is found out when it comes to the top. */
  #heap: { readonly item: string; readonly number: number }[] = []

  get size(): number {
    return this.#numbers.size
  }

  add(item: string, number: number): void {
    if (this.#numbers.get(item) === number) return
    this.#numbers.set(item, number)
    this.#rise({ item, number })
    // Those that come and go without ever being taken would fill it.
    if (this.#heap.length > 64 && this.#heap.length > this.#numbers.size * 2) this.#sweep()
  }

  delete(item: string): void {
    this.#numbers.delete(item)
  }

  /** Takes out so many, or all there are. */
  take(count: number): readonly string[] {
    const taken: string[] = []
    while (taken.length < count) {
      const first = this.#heap[0]
      if (first === undefined) break
      this.#sink(this.#heap.pop()!)
      if (this.#numbers.get(first.item) !== first.number) continue
      this.#numbers.delete(first.item)
      taken.push(first.item)
    }
    return taken
  }

  #rise(entry: { readonly item: string; readonly number: number }): void {
    let at = this.#heap.length
    for (let above = (at - 1) >> 1; at > 0 && this.#heap[above]!.number > entry.number; above = (at - 1) >> 1) {
      this.#heap[at] = this.#heap[above]!
      at = above
    }
    this.#heap[at] = entry
  }

  /** Puts what was last in the place of the first, and down from there. */
  #sink(entry: { readonly item: string; readonly number: number }): void {
    const heap = this.#heap
    if (heap.length === 0) return
    let at = 0
    for (;;) {
      const left = at * 2 + 1
      const lower = left + 1 < heap.length && heap[left + 1]!.number < heap[left]!.number ? left + 1 : left
      if (lower >= heap.length || heap[lower]!.number >= entry.number) break
      heap[at] = heap[lower]!
      at = lower
    }
    heap[at] = entry
  }

  /** In order, a list is a heap. */
  #sweep(): void {
    this.#heap = [...this.#numbers].map(([item, number]) => ({ item, number })).sort((a, b) => a.number - b.number)
  }
}
