// Whether something of ours may have been changed by others: the daemon went or came, or has other modules than we saw last.
import type { Channel } from '../../../platform/grpc/channel.ts'
import { realClock, type Clock } from '../../../platform/clock.ts'
import type { Daemon } from './daemon.ts'
import { digestOf, type Underlay } from './hops.ts'
import { ours } from './names.ts'
import type { Graph } from './read-graph.ts'

interface DaemonState {
  readonly daemon: (signal: AbortSignal) => Daemon
  readonly underlay?: Underlay
}

/** Names are one small call; connections and rules are looked at by the agent's audits. */
const everyMs = 1000

export class Watch {
  readonly #state: DaemonState
  readonly #channel: Channel
  readonly #clock: Clock
  readonly #stopped = new AbortController()
  readonly #wakes = new Set<() => void>()
  #last: string | undefined
  #stopListening: (() => void) | undefined
  #cancel: (() => void) | undefined

  constructor(channel: Channel, state: DaemonState, clock = realClock) {
    this.#channel = channel
    this.#state = state
    this.#clock = clock
  }

  onDrift(wake: () => void): void {
    this.#wakes.add(wake)
    if (this.#stopListening !== undefined) return
    this.#stopListening = this.#channel.onConnected(() => this.#wake())
    this.#soon()
  }

  /** What was observed, by whomever: a difference from it is drift, and so is its own from what was there before. */
  saw({ modules, ports, running }: Graph): void {
    this.#noted(digest([...modules.map(({ name }) => name), ...ports.map(({ name }) => name)], running))
  }

  #noted(now: string): void {
    const before = this.#last
    this.#last = now
    if (before !== undefined && now !== before) this.#wake()
  }

  /** We change it ourselves: what is there next is no drift. */
  changing(): void {
    this.#last = undefined
  }

  stop(): void {
    this.#stopped.abort()
    this.#cancel?.()
    this.#stopListening?.()
    this.#wakes.clear()
  }

  #wake(): void {
    for (const wake of this.#wakes) wake()
  }

  #soon(): void {
    this.#cancel = this.#clock.after(everyMs, () => void this.#poll())
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopped
    try {
      const daemon = this.#state.daemon(signal)
      const [modules, ports, workers] = await Promise.all([daemon.modules(), daemon.ports(), daemon.workers()])
      const names = [...modules, ...ports].map(({ name }) => name).filter((name) => name.startsWith(ours))
      this.#noted(
        digest(
          names,
          workers.every(({ running }) => running),
        ),
      )
    } catch {
      // A daemon that does not answer is told by its connection.
    }
    if (!signal.aborted) this.#soon()
  }
}

// Ways to hosts come and go with what they serve.
const digest = (names: readonly string[], running: boolean): string =>
  digestOf([String(running), ...names.filter((name) => !name.startsWith(`${ours}hop.`)).sort()])
