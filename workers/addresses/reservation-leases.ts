// How long what admission has set aside is still kept: its length after this process first saw it, by time that passes here. Clocks of
// two machines are never compared: with 30 s between them what is kept for 30 s would have lapsed at birth.
import { reservationIn, type Reserved } from '../../core/plan/builtin/reservation.ts'
import type { Clock } from '../../platform/clock.ts'

interface ObservedLease {
  readonly reservation: string
  /** By the clock's `elapsed`. */
  readonly at: number
}

/** Those that are long over are forgotten when there are more than so many. */
const keptMax = 4_096

export class Leases {
  readonly #lengthMs: number
  readonly #clock: Clock
  /** By UID of the lock or Port. */
  readonly #seen = new Map<string, ObservedLease>()

  constructor(lengthMs: number, clock: Clock) {
    this.#lengthMs = lengthMs
    this.#clock = clock
  }

  /** Undefined: nothing is set aside, or it is held for good. */
  leftMs(item: Reserved): number | undefined {
    const { uid } = item.metadata
    const reservation = reservationIn(item)
    if (reservation === undefined) {
      this.#seen.delete(uid)
      return undefined
    }
    return Math.max(0, this.#seenAt(uid, reservation) + this.#lengthMs - this.#clock.elapsed())
  }

  #seenAt(uid: string, reservation: string): number {
    const known = this.#seen.get(uid)
    if (known?.reservation === reservation) return known.at
    const at = this.#clock.elapsed()
    this.#seen.set(uid, { reservation, at })
    if (this.#seen.size > keptMax) this.#forget(at - 2 * this.#lengthMs)
    return at
  }

  /** Of one that is there still it is begun anew. */
  #forget(before: number): void {
    for (const [uid, { at }] of this.#seen) if (at < before) this.#seen.delete(uid)
  }
}
