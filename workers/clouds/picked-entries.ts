// Which Ports made ahead this process has picked for whom: what it has not heard of yet that it has written itself.
import type { Clock } from '../../platform/clock.ts'

/** By then the caches tell of it. */
const pickedMs = 10_000

export class PickedEntries {
  readonly #clock: Pick<Clock, 'elapsed'>
  /** By UID of the entry. */
  readonly #picked = new Map<string, { readonly for: string; readonly until: number }>()

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  mayPick(entry: string, uid: string): boolean {
    const picked = this.#picked.get(entry)
    return picked === undefined || picked.for === uid || picked.until <= this.#clock.elapsed()
  }

  pick(entry: string, uid: string): void {
    const now = this.#clock.elapsed()
    for (const [each, { until }] of this.#picked) {
      if (until > now) break
      this.#picked.delete(each)
    }
    this.#picked.delete(entry)
    this.#picked.set(entry, { for: uid, until: now + pickedMs })
  }
}
