// How much one caller may ask for: a bucket of tokens each, so that a caller that floods slows only its own requests.
import type { Clock } from '../clock.ts'

export interface Limiting {
  readonly perSecond: number
  /** Whether one more request of this caller may be served now; it is counted. */
  take(who: string): boolean | Promise<boolean>
}

interface Bucket {
  level: number
  at: number
}
const bucketMax = 10_000
/** What may come at once, in seconds' worth. */
export const burstSeconds = 2

export class Limits implements Limiting {
  readonly perSecond: number
  #clock: Clock
  #buckets = new Map<string, Bucket>()

  constructor(perSecond: number, clock: Clock) {
    this.perSecond = perSecond
    this.#clock = clock
  }

  /** @param many counted all or not at all */
  take(who: string, many = 1): boolean {
    const now = this.#clock.elapsed()
    const full = this.perSecond * burstSeconds
    const { level, at } = this.#buckets.get(who) ?? { level: full, at: now }
    const filled = Math.min(full, level + (Math.max(0, now - at) * this.perSecond) / 1000)
    // The least recently seen is forgotten first: its bucket has had the longest time to fill up.
    this.#buckets.delete(who)
    if (this.#buckets.size >= bucketMax) this.#buckets.delete(this.#buckets.keys().next().value ?? '')
    this.#buckets.set(who, { level: filled >= many ? filled - many : filled, at: now })
    return filled >= many
  }
}
