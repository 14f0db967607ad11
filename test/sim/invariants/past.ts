// What there was under each key, and since when: for whoever may still go by what was.
interface Noted<T> {
  readonly at: number
  readonly is: T | undefined
}

export class Past<T> {
  /** The latest last. */
  readonly #all = new Map<string, Noted<T>[]>()

  /** @param at virtual milliseconds */
  note(key: string, is: T | undefined, at: number): void {
    this.#all.set(key, [...(this.#all.get(key) ?? []), { at, is }])
  }

  latest(key: string): T | undefined {
    return this.#all.get(key)?.at(-1)?.is
  }

  /** All that was there from then on, at the beginning too. */
  from(key: string, then: number): readonly (T | undefined)[] {
    const all = this.#all.get(key) ?? []
    const first = all.findLastIndex(({ at }) => at <= then)
    return first < 0 ? [undefined, ...all.map(({ is }) => is)] : all.slice(first).map(({ is }) => is)
  }
}
