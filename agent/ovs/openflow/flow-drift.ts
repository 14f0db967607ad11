// Whether the number of flows of a bridge is another than it was and what we have changed since: asked every second, at no cost to the
// switch. Who changes a flow without changing their number is found by the next audit.
import type { Flow } from '../../../core/pipeline/openflow/flow.ts'
import { timeLimit, type Clock } from '../../../platform/clock.ts'
import type { FlowChannel } from './flow-channel.ts'

/** What a change of ours comes to: flows that were not there, and flows that are there no more. */
export interface FlowCounts {
  readonly fresh: readonly Flow[]
  readonly gone: readonly Flow[]
}
type Counted = Pick<FlowChannel, 'counts'>
type Counts = ReadonlyMap<number, number>

const pollMs = 1_000

interface Watched {
  /** Flows by table as they should be; undefined: not known. */
  right: Counts | undefined
  /** Changes of ours under way. */
  changing: number
  /** All that were begun. */
  changes: number
}

export class FlowDrift {
  readonly #clock: Clock
  readonly #wake: () => void
  readonly #bridges = new Map<Counted, Watched>()
  #closed = false
  #cancel: () => void

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock
    this.#wake = wake
    this.#cancel = clock.after(pollMs, () => this.#poll())
  }

  /** Changes flows of a bridge. What it loses beside what it was to drop is noticed as if others had done it. */
  async ourOwn(channel: Counted, counts: FlowCounts, change: () => Promise<void>): Promise<void> {
    const watched = this.#bridges.get(channel) ?? { right: undefined, changing: 0, changes: 0 }
    this.#bridges.set(channel, watched)
    watched.changing++
    watched.changes++
    try {
      await change()
      watched.right &&= countedOn(watched.right, counts)
    } catch (err) {
      watched.right = undefined
      throw err
    } finally {
      watched.changing--
      void this.#count(channel, watched)
    }
  }

  forget(channel: Counted): void {
    this.#bridges.delete(channel)
  }

  close(): void {
    this.#closed = true
    this.#bridges.clear()
    this.#cancel()
  }

  #poll(): void {
    const all = [...this.#bridges].map(([channel, watched]) => this.#count(channel, watched))
    void Promise.all(all).then(() => {
      if (!this.#closed) this.#cancel = this.#clock.after(pollMs, () => this.#poll())
    })
  }

  async #count(channel: Counted, watched: Watched): Promise<void> {
    const { changes } = watched
    // A switch that does not answer wakes us by itself once it does.
    const counts = await channel.counts(timeLimit(pollMs, this.#clock)).catch(() => undefined)
    if (counts === undefined || watched.changing > 0 || watched.changes !== changes) return
    const { right } = watched
    watched.right = counts
    if (right !== undefined && !isSame(right, counts)) this.#wake()
  }
}

function countedOn(counts: Counts, { fresh, gone }: FlowCounts): Counts {
  const now = new Map(counts)
  for (const { table } of fresh) now.set(table, (now.get(table) ?? 0) + 1)
  for (const { table } of gone) now.set(table, (now.get(table) ?? 0) - 1)
  return now
}

const isSame = (a: Counts, b: Counts): boolean =>
  [...new Set([...a.keys(), ...b.keys()])].every((table) => (a.get(table) ?? 0) === (b.get(table) ?? 0))
