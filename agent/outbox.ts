// What the agent has to tell the store: the latest of each thing, tried until it is taken. Wiring never waits for it.
import { backoffMs } from '../core/backoff.ts'
import { NotFound, retryOf } from '../core/errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'

type Report = () => Promise<unknown>

export class Outbox {
  readonly #clock: Clock
  readonly #random: () => number
  readonly #log: Log
  readonly #due = new Map<string, Report>()
  readonly #running = new Set<string>()
  #stopped = false
  #idle: (() => void)[] = []

  constructor({ clock, random, log }: { readonly clock: Clock; readonly random: () => number; readonly log: Log }) {
    this.#clock = clock
    this.#random = random
    this.#log = log
  }

  /** @param key what it is about: a later one takes the place of one that has not been told yet */
  put(key: string, send: Report): void {
    this.#due.set(key, send)
    if (this.#running.has(key)) return
    this.#running.add(key)
    // In the next turn of the event loop: what is being answered now is answered first.
    this.#clock.soon(() => void this.#run(key, 1))
  }

  /** Whether something of that key has not been told yet. */
  has(key: string): boolean {
    return this.#due.has(key)
  }

  get size(): number {
    return this.#due.size
  }

  /** Resolves once everything has been told. */
  idle(): Promise<void> {
    return this.#due.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  stop(): void {
    this.#stopped = true
  }

  async #run(key: string, attempt: number): Promise<void> {
    const send = this.#due.get(key)
    if (send === undefined || this.#stopped) return
    const retry = await send().then(
      () => 'told' as const,
      (err: unknown) => this.#worth(key, err),
    )
    if (retry === 'again') return void this.#clock.after(backoffMs(attempt, this.#random()), () => void this.#run(key, attempt + 1))
    // Another came meanwhile.
    if (this.#due.get(key) !== send) return this.#run(key, 1)
    this.#running.delete(key)
    this.#due.delete(key)
    if (this.#due.size === 0) for (const wake of this.#idle.splice(0)) wake()
  }

  /** Whoever is gone need not be told of any more. */
  #worth(key: string, err: unknown): 'told' | 'again' {
    if (err instanceof NotFound) return 'told'
    if (retryOf(err) !== 'never') return 'again'
    this.#log.error({ key, err }, 'the store refuses what the agent tells')
    return 'told'
  }
}
