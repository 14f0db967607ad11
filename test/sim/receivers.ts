// The receivers: what each has read, and how it behaves.
import type { Delivery, Notifier, Receipt } from '../../core/contracts/notifier.ts'
import type { Process } from './process.ts'

export type Manner = 'up' | 'down' | 'slow' | 'gone' | 'forgetful'

export interface Read {
  readonly id: string
  readonly url: string
  readonly sequence: number
  readonly phase: string
  readonly body: string
  readonly at: number
}

export class Receivers {
  readonly read: Read[] = []
  readonly #manners = new Map<string, Manner>()
  readonly #listeners: ((read: Read) => void)[] = []
  readonly #onGone: ((told: Read) => void)[] = []

  on(listener: (read: Read) => void): void {
    this.#listeners.push(listener)
  }

  /** Hears of each that was answered 410. */
  onGone(listener: (told: Read) => void): void {
    this.#onGone.push(listener)
  }

  behave(host: string, manner: Manner): void {
    this.#manners.set(host, manner)
  }

  mannerOf(url: string): Manner {
    return this.#manners.get(new URL(url).host) ?? 'up'
  }

  /** As one process reaches them. */
  notifierOf(process: Process): Notifier {
    return {
      send: async (delivery, signal) => {
        await process.pass(process.way(), `post ${delivery.url} ${delivery.sequence}`)
        return this.#answer(delivery, process, signal)
      },
      close: () => Promise.resolve(),
    }
  }

  async #answer(delivery: Delivery, process: Process, signal: AbortSignal): Promise<Receipt> {
    const manner = this.mannerOf(delivery.url)
    if (signal.aborted || manner === 'down') return { kind: 'unreachable', reason: 'connection refused' }
    if (manner === 'slow') {
      await process.pass(8_000, `slow ${delivery.url}`)
      return { kind: 'slow', reason: 'no answer in time' }
    }
    const { id, url, sequence, phase, body } = delivery
    const read: Read = { id, url, sequence, phase, body, at: process.scheduler.now }
    if (manner === 'gone') {
      for (const listener of this.#onGone) listener(read)
      process.scheduler.say(process.name, `gone ${url} ${phase} ${sequence}`)
      return { kind: 'refused', status: 410 }
    }
    this.read.push(read)
    for (const listener of this.#listeners) listener(read)
    process.scheduler.say(process.name, `read ${url} ${phase} ${sequence}`)
    if (manner === 'forgetful') {
      // It has read it, and its answer is lost.
      await process.pass(1_000, `answer lost ${url}`)
      return { kind: 'slow', reason: 'the answer was cut off' }
    }
    return { kind: 'accepted', status: 204 }
  }
}
