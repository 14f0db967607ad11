// What can wait while pods come one after another. Telling of a pod is two writes and one more look of its kubelet at it: in the
// middle of a rollout they would keep the pods waiting that still have to come.
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

  /** Calls in the next lull, in the order in which they came; none after `stop`. */
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
