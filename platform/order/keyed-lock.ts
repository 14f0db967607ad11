// Lets in so many at a time, and one at a time of each name, in the order in which they came.
export class KeyedLock {
  readonly #most: number
  readonly #tails = new Map<string, Promise<unknown>>()
  readonly #queue: (() => void)[] = []
  #inside = 0

  constructor(most: number) {
    this.#most = most
  }

  /** @param name empty: has no order among its likes */
  pass<T>(name: string, run: () => Promise<T>): Promise<T> {
    const before = name === '' ? undefined : this.#tails.get(name)
    const held = (async () => {
      await before?.catch(() => undefined)
      return this.#entered(run)
    })()
    if (name === '') return held
    this.#tails.set(name, held)
    held
      .catch(() => undefined)
      .finally(() => {
        if (this.#tails.get(name) === held) this.#tails.delete(name)
      })
    return held
  }

  async #entered<T>(run: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#most) await new Promise<void>((resolve) => this.#queue.push(resolve))
    else this.#inside++
    try {
      return await run()
    } finally {
      // The place goes to who waits longest, without anybody in between.
      const next = this.#queue.shift()
      if (next === undefined) this.#inside--
      else next()
    }
  }
}
