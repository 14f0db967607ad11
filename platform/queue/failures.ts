/** More keys than this failing at once means that everything fails; then the oldest start their backoff anew. */
const kept = 100_000

/** How often each key has failed in a row, as far as this process has seen. */
export class Failures {
  readonly #of = new Map<string, number>()

  /** @returns the attempt that has failed: 1 is the first */
  count(key: string): number {
    const attempt = (this.#of.get(key) ?? 0) + 1
    // Deleted first, so that the map's order is that of the last failure.
    this.#of.delete(key)
    this.#of.set(key, attempt)
    if (this.#of.size > kept) this.#of.delete(this.#of.keys().next().value ?? key)
    return attempt
  }

  forget(key: string): void {
    if (this.#of.size > 0) this.#of.delete(key)
  }
}
