// Whether a cloud is asked at all: after failures in a row nobody waits for it, and one asks now and then.
import { backoffMs, backoffs } from '../../../core/backoff.ts'
import type { Clock } from '../../../platform/clock.ts'

/** So many failures in a row are no accident. */
const failuresMost = 3

export class Circuit {
  readonly #clock: Clock
  readonly #random: () => number
  #failures = 0
  #openUntil = -Infinity

  /** @param random in [0, 1) */
  constructor(clock: Clock, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  /** For how long nobody is to ask; 0: whoever wants to may. */
  get openForMs(): number {
    return Math.max(0, this.#openUntil - this.#clock.elapsed())
  }

  /** Whatever it said, it is there. */
  answered(): void {
    this.#failures = 0
    this.#openUntil = -Infinity
  }

  /** @param afterMs when it wants to be asked again, as it says itself */
  failed(afterMs = 0): void {
    // Requests that were under way together are one failure.
    if (this.openForMs > 0) return
    this.#failures += 1
    const restMs = this.#failures < failuresMost ? 0 : backoffMs(this.#failures - failuresMost + 1, this.#random(), backoffs.cloud)
    this.#openUntil = this.#clock.elapsed() + Math.max(afterMs, restMs)
  }
}
