// How long neighbours' BFD takes to miss our daemon, as it and they have settled it while it ran: they may be told of other times before
// we are, or after. What was seen last stays while no daemon runs.
import { lateMs } from '../../core/bgp/start-after.ts'

export class MissedAfter {
  readonly #known = new Map<string, { readonly ms: number; readonly until: number }>()

  /** Of a daemon that runs. One that has no BFD with a neighbour any more is missed by that one all the same. */
  take(seen: ReadonlyMap<string, number>, now: number): void {
    for (const [neighbour, { until }] of this.#known) if (now >= until) this.#known.delete(neighbour)
    for (const [neighbour, ms] of seen) this.#known.set(neighbour, { ms, until: now + ms + lateMs })
  }

  msOf(neighbour: string): number {
    return this.#known.get(neighbour)?.ms ?? 0
  }
}
