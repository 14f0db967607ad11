// How long a reflector waits before it asks again.
import { backoffMs, backoffs } from '../../core/backoff.ts'

/** A watch that lived as long did something: what ended it was no refusal. */
const lifeOfProgressMs = 5_000
/** Even where the server asks for more. */
const longestWaitMs = 300_000

/** One list-and-watch, looked back upon. */
export interface WatchRound {
  /** Of its watch, in milliseconds; 0 when it came to none. */
  readonly livedMs: number
  /** The watch gave something new. */
  readonly moved: boolean
  /** The server closed the watch as it should. */
  readonly clean: boolean
  /** A list must follow. */
  readonly lost: boolean
  readonly retryAfterMs: number | undefined
}

/** It did what a watch is for, and may be followed by the next at once. */
export const regular = (round: WatchRound): boolean => round.clean && round.livedMs >= lifeOfProgressMs

export class WatchBackoff {
  #random: () => number
  /** Rounds in a row without progress. */
  #failures = 0

  constructor(random: () => number) {
    this.#random = random
  }

  /**
   * Milliseconds to wait: 0 after a regular end, else 0.8 s at the least. Only life counts as progress: neither a list nor
   * some events take the edge off a server that ends each watch at once.
   */
  waitMs(round: WatchRound): number {
    if (regular(round) || (round.moved && round.livedMs >= lifeOfProgressMs)) this.#failures = 0
    else if (!round.moved || round.lost) this.#failures++
    if (regular(round)) return 0
    const requestedMs = Math.min(round.retryAfterMs ?? 0, longestWaitMs)
    return Math.max(requestedMs, backoffMs(Math.max(1, this.#failures), this.#random(), backoffs.apiServerWatch))
  }
}
