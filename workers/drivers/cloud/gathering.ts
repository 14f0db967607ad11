// Many small questions as one: whoever asks while others are answered is asked about together with all who did. Nobody waits for company.
import type { Clock } from '../../../platform/clock.ts'
import { untilAborted } from '../openstack/until-aborted.ts'

export interface GatheringOptions<I, O> {
  /** Of one request, at the moment. */
  readonly most: () => number
  readonly clock: Clock
  /** An answer for each, in order: an Error is that one's alone. */
  readonly ask: (items: readonly I[]) => Promise<readonly (O | Error)[]>
}
interface Waiting<I, O> {
  readonly item: I
  readonly resolve: (answer: O) => void
  readonly reject: (err: unknown) => void
}

export class Gathering<I, O> {
  readonly #options: GatheringOptions<I, O>
  #waiting: Waiting<I, O>[] = []
  #isBusy = false

  constructor(options: GatheringOptions<I, O>) {
    this.#options = options
  }

  /** @throws what the signal says; its question may be asked nevertheless */
  of(item: I, signal: AbortSignal): Promise<O> {
    const { promise, resolve, reject } = Promise.withResolvers<O>()
    this.#waiting.push({ item, resolve, reject })
    if (!this.#isBusy) {
      this.#isBusy = true
      // What is asked in the same turn of the event loop goes along.
      this.#options.clock.soon(() => void this.#go())
    }
    return untilAborted(signal, promise)
  }

  async #go(): Promise<void> {
    while (this.#waiting.length > 0) await this.#together(this.#waiting.splice(0, this.#options.most()))
    this.#isBusy = false
  }

  async #together(all: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const answers = await this.#options.ask(all.map(({ item }) => item))
      for (const [i, { resolve, reject }] of all.entries()) {
        const answer = answers[i] as O | Error
        if (answer instanceof Error) reject(answer)
        else resolve(answer)
      }
    } catch (err) {
      for (const { reject } of all) reject(err)
    }
  }
}
