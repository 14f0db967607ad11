// Things that are made together, in one request that makes all of them or none: as many as a cloud makes in time, and where it refuses
// them, fewer, until the one that it refuses stands alone.
import type { Clock } from '../../../platform/clock.ts'

/** A call stays under five seconds: whoever waits for it holds a place that others need. */
const callMs = 5_000
export const bulkMost = 50

export class BulkSize {
  readonly #clock: Clock
  /** Milliseconds for each, as it went lately. */
  #eachMs: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Begins small, as long as nothing is known of the cloud. */
  get now(): number {
    const room = this.#eachMs === undefined ? 8 : Math.floor((callMs * 0.8) / this.#eachMs)
    return Math.min(bulkMost, Math.max(1, room))
  }

  /** What the call answers, and how long it took for each. */
  async timed<T>(count: number, call: () => Promise<T>): Promise<T> {
    const from = this.#clock.elapsed()
    try {
      return await call()
    } finally {
      const took = Math.max(0.1, (this.#clock.elapsed() - from) / count)
      this.#eachMs = this.#eachMs === undefined ? took : 0.7 * this.#eachMs + 0.3 * took
    }
  }
}

/** @param make undefined: they are made; else why none of them is */
export async function halving<T>(
  items: readonly T[],
  make: (items: readonly T[]) => Promise<Error | undefined>,
): Promise<readonly (Error | undefined)[]> {
  const refusal = await make(items)
  if (refusal === undefined || items.length === 1) return items.map(() => refusal)
  const middle = Math.ceil(items.length / 2)
  return [...(await halving(items.slice(0, middle), make)), ...(await halving(items.slice(middle), make))]
}
