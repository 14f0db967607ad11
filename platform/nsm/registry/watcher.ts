// One who watches: what it has not read yet waits here.
import { WatchOverrun } from '../../../core/errors.ts'

/** More is waiting than anybody who reads would leave: it is told to begin anew. */
const mostWaiting = 10_000

export class Watcher<T> {
  readonly #fits: (event: T) => boolean
  readonly #signal: AbortSignal
  #waiting: T[] = []
  #wake: (() => void) | undefined

  constructor(fits: (event: T) => boolean, signal: AbortSignal) {
    this.#fits = fits
    this.#signal = signal
  }

  put(event: T): void {
    if (!this.#fits(event) || this.#waiting.length > mostWaiting) return
    this.#waiting.push(event)
    this.#wake?.()
  }

  async *events(): AsyncGenerator<T, void, undefined> {
    while (!this.#signal.aborted) {
      const events = this.#waiting
      if (events.length > mostWaiting) throw new WatchOverrun({ most: mostWaiting })
      this.#waiting = []
      yield* events
      if (this.#waiting.length === 0) await this.#something()
    }
  }

  #something(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#wake = undefined
        this.#signal.removeEventListener('abort', done)
        resolve()
      }
      this.#wake = done
      this.#signal.addEventListener('abort', done)
      if (this.#signal.aborted) done()
    })
  }
}
