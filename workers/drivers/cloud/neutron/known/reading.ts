// What changes seldom and many ask for: read once for all of them, and anew after a while. Nobody's end is the end of it.
import { limited, type Clock } from '../../../../../platform/clock.ts'
import { untilAborted } from '../../../openstack/until-aborted.ts'

const readMs = 50_000

export class SharedReading<T> {
  readonly #clock: Clock
  readonly #goodForMs: number
  #last: { readonly at: number; readonly answer: Promise<T> } | undefined

  constructor(clock: Clock, goodForMs: number) {
    this.#clock = clock
    this.#goodForMs = goodForMs
  }

  /** What was read lately; undefined: nothing was. */
  get recent(): Promise<T> | undefined {
    const last = this.#last
    return last !== undefined && this.#clock.elapsed() - last.at < this.#goodForMs ? last.answer : undefined
  }

  /** Reads it anew. @throws what the signal says, and what the reading has failed by */
  read(read: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const last = { at: this.#clock.elapsed(), answer: limited(readMs, this.#clock, read) }
    this.#last = last
    last.answer.catch(() => {
      if (this.#last === last) this.#last = undefined
    })
    return untilAborted(signal, last.answer)
  }
}
