// How much of us a receiver may take. One that does not answer gets one try at a time, ever more seldom; one that does gets more.
import { backoffMs } from '../../core/backoff.ts'

export interface GateOptions {
  /** Sendings at once, at most. */
  readonly most: number
  /** And for a receiver that has not answered yet. */
  readonly first: number
  readonly retry: { readonly firstMs: number; readonly maxMs: number }
}

export class Gate {
  readonly #options: GateOptions
  readonly #waiting = new Set<string>()
  #limit: number
  #underWay = 0
  #failures = 0
  #closedUntil = 0

  constructor(options: GateOptions) {
    this.#options = options
    this.#limit = options.first
  }

  /** It has failed, and not yet taken anything since. */
  get failing(): boolean {
    return this.#failures > 0
  }

  get idle(): boolean {
    return this.#underWay === 0 && this.#waiting.size === 0
  }

  /** How long it stays closed; 0 when open. */
  closedForMs(now: number): number {
    return Math.max(0, this.#closedUntil - now)
  }

  get full(): boolean {
    return this.#underWay >= this.#limit
  }

  enter(key: string): void {
    this.#waiting.delete(key)
    this.#underWay += 1
  }

  /** Woken when there is room. */
  wait(key: string): void {
    this.#waiting.add(key)
  }

  leave(): void {
    this.#underWay -= 1
  }

  /** It answered: whatever it said, it is alive. */
  answered(): void {
    this.#failures = 0
    this.#closedUntil = 0
    this.#limit = Math.min(this.#options.most, this.#limit * 2)
  }

  /** @param random in [0, 1) */
  failed(now: number, random: number): void {
    // Sendings that were under way together are one failure.
    if (now < this.#closedUntil) return
    this.#failures += 1
    this.#limit = 1
    this.#closedUntil = now + backoffMs(this.#failures, random, this.#options.retry)
  }

  closeFor(ms: number, now: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, now + ms)
  }

  /** Takes out as many of those that wait as there is room for, longest waiting first. */
  next(now: number): readonly string[] {
    if (this.closedForMs(now) > 0) return []
    const found = [...this.#waiting.values().take(Math.max(0, this.#limit - this.#underWay))]
    for (const key of found) this.#waiting.delete(key)
    return found
  }
}
