// Waking whoever waits for the next change.
export class ChangeSignal {
  readonly #waiting = new Set<() => void>()

  notify(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  /** @returns forgets it */
  once(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => void this.#waiting.delete(wake)
  }
}
