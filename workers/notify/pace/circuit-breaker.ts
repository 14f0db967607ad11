// How much of us a receiver may take. One that does not answer gets one try at a time, ever more seldom; one that does gets more.
import { backoffMs, type Backoff } from '../../../core/backoff.ts'
import { OldestFirst } from './oldest-first.ts'

export interface CircuitBreakerOptions {
  /** Sendings at once, at most. */
  readonly most: number
  /** And for a receiver that has not answered yet. */
  readonly first: number
  readonly retry: Backoff
}

/** Reconciles that wait for room at one circuit breaker hold places that all others need too: so many, and not for long. */
const lineMax = 96
const lineMs = 250

export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  readonly #waiting = new OldestFirst()
  /** Those that were taken out to be woken, and have not come yet: their places are kept. */
  readonly #called = new Set<string>()
  /** Those that stand in line for the room that will be there in a moment. */
  #line: (() => void)[] = []
  #moves = 0
  #limit: number
  #underWay = 0
  #failures = 0
  #closedUntil = 0

  constructor(options: CircuitBreakerOptions) {
    this.#options = options
    this.#limit = options.first
  }

  /** It has failed, and not yet taken anything since. */
  get failing(): boolean {
    return this.#failures > 0
  }

  get idle(): boolean {
    return this.#underWay === 0 && this.#waiting.size === 0 && this.#line.length === 0
  }

  /** How long it stays closed; 0 when open. */
  closedForMs(now: number): number {
    return Math.max(0, this.#closedUntil - now)
  }

  get full(): boolean {
    return this.#underWay >= this.#limit
  }

  get waits(): boolean {
    return this.#waiting.size > 0
  }

  enter(): void {
    this.#underWay += 1
  }

  /**
   * Woken when there is room.
   *
   * @param filed the place among events of what it has to tell: the oldest goes first
   */
  wait(key: string, filed: number): void {
    this.#waiting.add(key, filed)
  }

  /** It is here, whatever becomes of it. */
  came(key: string): void {
    this.#waiting.delete(key)
    this.#called.delete(key)
  }

  /** Of those that were woken some have nothing to send any more: nobody waits for them. */
  callOff(): void {
    this.#called.clear()
  }

  leave(): void {
    this.#underWay -= 1
    this.#moves += 1
  }

  /** Whether waiting here is worth while: it is alive, and few do. */
  get lineIsOpen(): boolean {
    return this.#limit > this.#options.first && this.#failures === 0 && this.#line.length < lineMax
  }

  /** Resolves when there may be room, or when nothing moves. */
  stand(after: (ms: number, call: () => void) => () => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#line.push(resolve)
    if (this.#line.length === 1) this.#watch(after)
    return promise
  }

  /** As many of the line go on as there is room for; all of them where it has closed. */
  move(now: number): void {
    const room = this.closedForMs(now) > 0 ? this.#line.length : Math.max(0, this.#limit - this.#underWay)
    for (const go of this.#line.splice(0, room)) go()
  }

  #watch(after: (ms: number, call: () => void) => () => void): void {
    const seen = this.#moves
    after(lineMs, () => {
      if (this.#line.length === 0) return
      if (this.#moves !== seen) return this.#watch(after)
      for (const go of this.#line.splice(0)) go()
    })
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

  /** Takes out as many of those that wait as can stand in line, the oldest first. */
  next(now: number): readonly string[] {
    if (this.closedForMs(now) > 0 || this.#waiting.size === 0) return []
    const places = (this.lineIsOpen ? lineMax - this.#line.length : this.#limit - this.#underWay) - this.#called.size
    // In one go when half of the line is free, not one for each that leaves.
    if (places <= 0 || (this.lineIsOpen && places < lineMax / 2)) return []
    const found = this.#waiting.take(places)
    for (const key of found) this.#called.add(key)
    return found
  }
}
