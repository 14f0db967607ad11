import type { Clock } from '../clock.ts'

interface Later {
  readonly dueMs: number
  readonly cancel: () => void
}

/** Keys in one process that wait, wait for a later time, or are reconciled: it keeps what `add` of a queue promises. */
export class PendingKeys {
  readonly #clock: Clock
  readonly #onDue: (key: string) => void
  /** Since when each waits, in the order in which they became due. */
  readonly #waiting = new Map<string, number>()
  readonly #later = new Map<string, Later>()
  /** Whether each was added meanwhile. */
  readonly #running = new Map<string, { again: boolean }>()

  /** @param onDue called each time that a key begins to wait */
  constructor(clock: Clock, onDue: (key: string) => void) {
    this.#clock = clock
    this.#onDue = onDue
  }

  get waiting(): Iterable<string> {
    return this.#waiting.keys()
  }

  get areWaiting(): boolean {
    return this.#waiting.size > 0
  }

  get areRunning(): boolean {
    return this.#running.size > 0
  }

  /** How many wait or are reconciled. */
  get depth(): number {
    return this.#waiting.size + this.#running.size
  }

  add(key: string, afterMs = 0): void {
    if (this.#waiting.has(key)) return
    if (afterMs > 0) return this.#addLater(key, afterMs)
    this.#dropLater(key)
    const running = this.#running.get(key)
    if (running !== undefined) running.again = true
    else {
      this.#waiting.set(key, this.#clock.elapsed())
      this.#onDue(key)
    }
  }

  /** It no longer waits, neither for now nor for later. */
  forget(key: string): void {
    this.#waiting.delete(key)
    this.#dropLater(key)
  }

  /**
   * Its reconcile begins.
   *
   * @returns for how many milliseconds it has waited; undefined where it does not wait
   */
  take(key: string): number | undefined {
    const since = this.#waiting.get(key)
    if (since === undefined) return undefined
    this.#waiting.delete(key)
    this.#running.set(key, { again: false })
    return this.#clock.elapsed() - since
  }

  /** Its reconcile has ended. */
  end(key: string, againMs: number | undefined): void {
    const again = this.#running.get(key)?.again === true
    this.#running.delete(key)
    if (again) this.add(key)
    else if (againMs !== undefined) this.add(key, againMs)
  }

  /** Forgets what is due later, so that no timer outlives the queue. */
  close(): void {
    for (const { cancel } of this.#later.values()) cancel()
    this.#later.clear()
  }

  #addLater(key: string, afterMs: number): void {
    const dueMs = this.#clock.elapsed() + afterMs
    const existing = this.#later.get(key)
    if (this.#running.get(key)?.again === true || (existing !== undefined && existing.dueMs <= dueMs)) return
    existing?.cancel()
    this.#later.set(key, { dueMs, cancel: this.#clock.after(afterMs, () => this.add(key)) })
  }

  #dropLater(key: string): void {
    this.#later.get(key)?.cancel()
    this.#later.delete(key)
  }
}
