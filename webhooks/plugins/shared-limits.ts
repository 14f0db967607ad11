// The same limits over all processes: each takes tokens from one bucket in Redis, some at a time, so that few requests wait for it.
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Buckets } from '../../platform/redis-buckets.ts'
import { Limits, type Limiting } from '../../platform/http/limits.ts'

/** So many seconds' worth are taken at once. */
const batchSeconds = 0.05
/** What was taken and not used is not kept for longer: it would be missing elsewhere. */
const keptMs = 1_000
/** So long Redis is not asked again where it did not answer. */
const awayMs = 1_000
const knownMax = 10_000

interface Credit {
  left: number
  readonly until: number
}

export class SharedLimits implements Limiting {
  readonly perSecond: number
  #buckets: Buckets
  #own: Limits
  #clock: Clock
  #log: Log
  /** Nothing left: it was empty, until then. */
  #credits = new Map<string, Credit>()
  #pending = new Map<string, Promise<Credit | undefined>>()
  #awayUntil = 0
  #isAway = false

  constructor(perSecond: number, buckets: Buckets, { clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.perSecond = perSecond
    this.#buckets = buckets
    this.#own = new Limits(perSecond, clock)
    this.#clock = clock
    this.#log = log
  }

  take(who: string): boolean | Promise<boolean> {
    const credit = this.#credits.get(who)
    if (credit === undefined || credit.until <= this.#clock.elapsed()) return this.#away() ? this.#own.take(who) : this.#takeAnew(who)
    if (credit.left > 0) return this.#spend(credit)
    return credit.left === 0 ? this.#takeAnew(who) : false
  }

  async #takeAnew(who: string): Promise<boolean> {
    let pending = this.#pending.get(who)
    if (pending === undefined) this.#pending.set(who, (pending = this.#ask(who).finally(() => this.#pending.delete(who))))
    const credit = await pending
    if (credit === undefined) return this.#own.take(who)
    if (credit.left > 0) return this.#spend(credit)
    // Others who waited with us have used it up.
    return credit.left === 0 ? this.take(who) : false
  }

  #spend(credit: Credit): boolean {
    credit.left -= 1
    return true
  }

  /** Undefined: nobody answers, and this process counts by itself. */
  async #ask(who: string): Promise<Credit | undefined> {
    const granted = await this.#buckets.take(who, Math.max(1, Math.ceil(this.perSecond * batchSeconds)))
    this.#noted(granted !== undefined)
    if (granted === undefined) return undefined
    const now = this.#clock.elapsed()
    // An empty bucket has a token again after so long: until then nobody needs to look.
    const credit =
      granted === 0 ? { left: -1, until: now + Math.min(keptMs, 1_000 / this.perSecond) } : { left: granted, until: now + keptMs }
    this.#credits.delete(who)
    if (this.#credits.size >= knownMax) this.#credits.delete(this.#credits.keys().next().value ?? '')
    this.#credits.set(who, credit)
    return credit
  }

  #away = (): boolean => this.#clock.elapsed() < this.#awayUntil

  /** Said once, and once that it is over. */
  #noted(answers: boolean): void {
    if (!answers) this.#awayUntil = this.#clock.elapsed() + awayMs
    if (answers === !this.#isAway) return
    this.#isAway = !answers
    if (answers) this.#log.info({}, 'Redis answers again: the rates of callers are counted over all processes')
    else this.#log.warn({}, 'Redis does not answer: the rates of callers are counted by this process alone')
  }
}
