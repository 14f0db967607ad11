// Whether others have changed the number of flows of a bridge: asked every second, at no cost to the switch. Who changes a flow without
// changing their number is found by the next audit.
import type { Clock } from '../../platform/clock.ts'
import type { FlowChannel } from './flow-channel.ts'

const pollMs = 1_000

interface Watched {
  /** What was there when it was right; undefined: not known. */
  right: string | undefined
  /** Changes of ours under way. */
  changing: number
  /** Counted up with each of them. */
  turn: number
}

export class FlowDrift {
  readonly #clock: Clock
  readonly #wake: () => void
  readonly #bridges = new Map<FlowChannel, Watched>()
  #closed = false
  #cancel: () => void

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock
    this.#wake = wake
    this.#cancel = clock.after(pollMs, () => this.#poll())
  }

  /** Changes flows of a bridge: what is there afterwards is right. */
  async ourOwn(channel: FlowChannel, change: () => Promise<void>): Promise<void> {
    const watched = this.#bridges.get(channel) ?? { right: undefined, changing: 0, turn: 0 }
    this.#bridges.set(channel, watched)
    watched.changing++
    watched.turn++
    try {
      await change()
    } finally {
      watched.changing--
      watched.right = undefined
      void this.#look(channel, watched)
    }
  }

  forget(channel: FlowChannel): void {
    this.#bridges.delete(channel)
  }

  close(): void {
    this.#closed = true
    this.#bridges.clear()
    this.#cancel()
  }

  #poll(): void {
    const all = [...this.#bridges].map(([channel, watched]) => this.#look(channel, watched))
    void Promise.all(all).then(() => {
      if (!this.#closed) this.#cancel = this.#clock.after(pollMs, () => this.#poll())
    })
  }

  async #look(channel: FlowChannel, watched: Watched): Promise<void> {
    const { turn } = watched
    // A switch that does not answer wakes us by itself once it does.
    const counts = await channel.counts(AbortSignal.timeout(pollMs)).catch(() => undefined)
    if (counts === undefined || watched.changing > 0 || watched.turn !== turn) return
    const now = JSON.stringify([...counts])
    const { right } = watched
    watched.right = now
    if (right !== undefined && right !== now) this.#wake()
  }
}
