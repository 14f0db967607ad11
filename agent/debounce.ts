// What can wait while pods come one after another. A pod's report is two writes, and its kubelet then syncs the pod once more: in the
// middle of a rollout that would keep the pods waiting that still have to come.
import type { Clock } from '../platform/clock.ts'

/** It is quiet when nothing has come for so long. */
const quietMs = 500
/** Longest that anything waits, however much comes. */
const mostMs = 3_000

export class Debounce {
  readonly #clock: Clock
  #waiting: (() => void)[] = []
  #sinceMs = 0
  #cancel: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls once nothing new has come for a moment, in the order in which the calls came; none after `stop`. */
  later(call: () => void): void {
    const now = this.#clock.elapsed()
    if (this.#waiting.length === 0) this.#sinceMs = now
    this.#waiting.push(call)
    this.#cancel?.()
    this.#cancel = this.#clock.after(Math.max(0, Math.min(quietMs, this.#sinceMs + mostMs - now)), () => {
      this.#cancel = undefined
      for (const each of this.#waiting.splice(0)) each()
    })
  }

  stop(): void {
    this.#cancel?.()
    this.#waiting = []
  }
}
