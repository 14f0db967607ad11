// Whether others have changed the number of flows of a bridge: asked every second, at no cost to the switch. Who changes a flow without
// changing their number is found by the next audit.
import type { Clock } from '../../platform/clock.ts'
import type { FlowChannel } from './flow-channel.ts'

const pollMs = 1_000

export class FlowDrift {
  readonly #clock: Clock
  readonly #wake: () => void
  readonly #bridges = new Map<FlowChannel, string | undefined>()
  #cancel: () => void

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock
    this.#wake = wake
    this.#cancel = clock.after(pollMs, () => this.#poll())
  }

  /** We are changing flows of this bridge: what it has at the next look is right. */
  expect(channel: FlowChannel): void {
    this.#bridges.set(channel, undefined)
  }

  forget(channel: FlowChannel): void {
    this.#bridges.delete(channel)
  }

  close(): void {
    this.#bridges.clear()
    this.#cancel()
  }

  #poll(): void {
    const all = [...this.#bridges.keys()].map((channel) => this.#look(channel))
    void Promise.all(all).then(() => {
      if (this.#bridges.size > 0) this.#cancel = this.#clock.after(pollMs, () => this.#poll())
    })
  }

  async #look(channel: FlowChannel): Promise<void> {
    const before = this.#bridges.get(channel)
    // A switch that does not answer wakes us by itself once it does.
    const counts = await channel.counts(AbortSignal.timeout(pollMs)).catch(() => undefined)
    if (counts === undefined || !this.#bridges.has(channel)) return
    const now = JSON.stringify([...counts])
    const meanwhile = this.#bridges.get(channel)
    if (meanwhile !== before) return
    this.#bridges.set(channel, now)
    if (before !== undefined && before !== now) this.#wake()
  }
}
