// Whether others have changed our bridges or ports: their rows are compared with what they were when we last looked or changed them.
import type { Clock } from '../../../platform/clock.ts'
import type { Ovsdb } from '../../../platform/ovsdb/database.ts'
import { everythingSeen } from './qos-rows.ts'

/** The switch writes into our rows too: what it does comes in pieces. */
const settleMs = 20

export class RowDrift {
  readonly #db: Ovsdb
  readonly #clock: Clock
  readonly #wake: () => void
  readonly #off: () => void
  #expected: ReadonlyMap<string, string> | undefined
  #changing = 0
  #cancel: (() => void) | undefined

  constructor(db: Ovsdb, clock: Clock, wake: () => void) {
    this.#db = db
    this.#clock = clock
    this.#wake = wake
    this.#off = db.on((change) => {
      if (change === 'all') wake()
      else if (change.some(({ table }) => table !== 'Open_vSwitch' && table !== 'Datapath')) this.#soon()
    })
  }

  /** Somebody looks at what is there now: from here on it is compared with that. */
  seen(): void {
    this.#expected = everythingSeen(this.#db)
  }

  /** What this changes is ours. */
  async ourOwn(change: () => Promise<void>): Promise<void> {
    this.#changing++
    try {
      await change()
    } finally {
      if (--this.#changing === 0) this.seen()
    }
  }

  close(): void {
    this.#off()
    this.#cancel?.()
  }

  #soon(): void {
    this.#cancel ??= this.#clock.after(settleMs, () => {
      this.#cancel = undefined
      if (this.#changing > 0 || this.#expected === undefined || this.#db.problem() !== undefined) return
      const now = everythingSeen(this.#db)
      if (isSame(this.#expected, now)) return
      this.#expected = now
      this.#wake()
    })
  }
}

const isSame = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([key, text]) => b.get(key) === text)
