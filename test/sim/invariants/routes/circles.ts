// Packets that come again where they were. While news of a route is on its way two nodes may each take the other for whoever has it (RFC
// 5715 section 1); once it must be everywhere no circle is left.
import type { Scheduler } from '../../scheduler.ts'
import { saidOf, type KernelWalk } from './walks.ts'

/** An update of the simulation takes 60 ms at most, and is passed on twice by reflectors. */
const newsMs = 1_000

export class Circles {
  readonly #scheduler: Scheduler
  readonly #again: () => void
  readonly #fail: (what: string) => void
  /** Since when, in virtual milliseconds. */
  #since: ReadonlyMap<string, number> = new Map()

  /** @param again looks once more */
  constructor(scheduler: Scheduler, again: () => void, fail: (what: string) => void) {
    this.#scheduler = scheduler
    this.#again = again
    this.#fail = fail
  }

  /** All that there are at this moment. */
  take(walks: readonly KernelWalk[]): void {
    const { now } = this.#scheduler
    const said = walks.filter(({ way }) => way.end.to === 'loop').map(saidOf)
    const since = new Map(said.map((each) => [each, this.#since.get(each) ?? now]))
    const isNew = said.some((each) => !this.#since.has(each))
    this.#since = since
    for (const [each, at] of since) if (now - at >= newsMs) this.#fail(`${each} comes again where it was, for ${newsMs / 1_000} s`)
    if (isNew) this.#scheduler.after(newsMs, 'does a packet still go in a circle?', this.#again)
  }
}
