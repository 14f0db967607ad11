// A breaker for each host and one for each URL behind it: a host that is down is found out once, and a URL that hangs takes no
// share of its neighbours'.
import type { Receipt } from '../../../core/contracts/notifier.ts'
import type { Clock } from '../../../platform/clock.ts'
import { CircuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.ts'

/** Unused ones are forgotten when there are more than so many. */
const keptMax = 4_096
/** A delivery queue that waits for room tries again by itself after so long, should it not be woken. */
const unwokenMs = 15_000
/** One that was woken may have nothing to send any more: then the next is, so soon. */
const againMs = 100
/** A delivery queue that has found no room so often gives up its place to others. */
const standsMax = 8

export interface BreakerTarget {
  readonly url: string
  /** The Subscription or namespace that connects there in a way of its own: that it is turned away says nothing about others. */
  readonly apart?: string
}

/** What asks for room: a delivery queue, by its key, and the event position of its oldest Notice. */
export interface BreakerRequest {
  readonly key: string
  readonly filed: number
}

export class CircuitBreakers {
  readonly #host: CircuitBreakerOptions
  readonly #url: CircuitBreakerOptions
  readonly #breakers = new Map<string, CircuitBreaker>()
  readonly #watched = new Map<CircuitBreaker, () => void>()
  #keptMax = keptMax
  /** A place's two, so that a URL is taken apart once. */
  readonly #pairs = new Map<string, readonly [CircuitBreaker, CircuitBreaker]>()
  readonly #wake: (key: string) => void
  readonly #clock: Clock

  constructor(retry: CircuitBreakerOptions['retry'], wake: (key: string) => void, clock: Clock) {
    this.#clock = clock
    this.#host = { most: 128, first: 8, retry }
    this.#url = { most: 32, first: 4, retry }
    this.#wake = wake
  }

  failing(to: BreakerTarget): boolean {
    const [host, own] = this.#both(to)
    return host.failing || own.failing
  }

  /** Whether there is no room, not even in line: then the key is woken when there is some, and need not ask again. */
  waits(to: BreakerTarget, { key, filed }: BreakerRequest): boolean {
    const now = this.#clock.elapsed()
    const both = this.#both(to)
    const shut = both.find((breaker) => breaker.closedForMs(now) > 0 || (breaker.full && !breaker.lineIsOpen))
    if (shut === undefined) return false
    for (const breaker of both) breaker.came(key)
    shut.wait(key, filed)
    this.#watch(shut, now)
    return true
  }

  /** Lets a key through where nothing is in its way. */
  enterNow(to: BreakerTarget, { key }: BreakerRequest): boolean {
    const now = this.#clock.elapsed()
    const both = this.#both(to)
    if (both.some((breaker) => breaker.full || breaker.closedForMs(now) > 0)) return false
    enterBoth(both, key)
    return true
  }

  /** Lets a key through to a place, or says after how long it should ask again. Where there is room in a moment, it waits here. */
  async enter(to: BreakerTarget, { key, filed }: BreakerRequest): Promise<number | undefined> {
    const both = this.#both(to)
    for (const breaker of both) breaker.came(key)
    for (let stood = 0; ; stood++) {
      const now = this.#clock.elapsed()
      const shut = both.find((breaker) => breaker.closedForMs(now) > 0 || breaker.full)
      if (shut === undefined) break
      const closedMs = Math.max(...both.map((breaker) => breaker.closedForMs(now)))
      if (closedMs > 0 || !shut.lineIsOpen || stood === standsMax) {
        shut.wait(key, filed)
        return closedMs > 0 ? closedMs : unwokenMs
      }
      await shut.stand((ms, call) => this.#clock.after(ms, call))
    }
    enterBoth(both, key)
    return undefined
  }

  /** @param random in [0, 1) */
  leave(to: BreakerTarget, receipt: Receipt | undefined, now: number, random: number): void {
    const both = this.#both(to)
    const [host, own] = both
    for (const breaker of both) breaker.leave()
    this.#judge(host, own, { receipt, now, random })
    for (const breaker of both) {
      breaker.move(now)
      for (const key of breaker.next(now)) this.#wake(key)
    }
    this.#forget()
  }

  /** Forgets who waits. */
  stop(): void {
    for (const cancel of this.#watched.values()) cancel()
    this.#watched.clear()
  }

  /** Wakes some when the breaker opens; and again, for one woken may have nothing to send any more. One timer, however many wait. */
  #watch(breaker: CircuitBreaker, now: number): void {
    if (this.#watched.has(breaker)) return
    const cancel = this.#clock.after(Math.max(breaker.closedForMs(now), againMs), () => {
      this.#watched.delete(breaker)
      const at = this.#clock.elapsed()
      breaker.callOff()
      for (const key of breaker.next(at)) this.#wake(key)
      if (breaker.waits) this.#watch(breaker, at)
    })
    this.#watched.set(breaker, cancel)
  }

  #judge(
    host: CircuitBreaker,
    own: CircuitBreaker,
    { receipt, now, random }: { readonly receipt: Receipt | undefined; readonly now: number; readonly random: number },
  ): void {
    switch (receipt?.kind) {
      case 'accepted':
      case 'refused':
        host.answered()
        own.answered()
        if (receipt.kind === 'refused') own.closeFor(receipt.retryAfterMs ?? 0, now)
        return
      case 'slow':
      // Not its host's failure: another URL of it may have another TCP port.
      case 'forbidden':
        return own.failed(now, random)
      case 'unreachable':
        return host.failed(now, random)
      default:
    }
  }

  #both({ url, apart = '' }: BreakerTarget): readonly [CircuitBreaker, CircuitBreaker] {
    const name = `${url} ${apart}`
    const known = this.#pairs.get(name)
    if (known !== undefined) return known
    const host = URL.canParse(url) ? new URL(url).origin : ''
    const made = [this.#breaker(`host ${host} ${apart}`, this.#host), this.#breaker(`url ${name}`, this.#url)] as const
    this.#pairs.set(name, made)
    return made
  }

  #breaker(name: string, options: CircuitBreakerOptions): CircuitBreaker {
    const breaker = this.#breakers.get(name) ?? new CircuitBreaker(options)
    this.#breakers.set(name, breaker)
    return breaker
  }

  #forget(): void {
    if (this.#breakers.size <= this.#keptMax) return
    for (const [name, breaker] of this.#breakers) if (breaker.idle && !breaker.failing) this.#breakers.delete(name)
    this.#pairs.clear()
    // Where most are in use, they are not gone through again for each that leaves.
    this.#keptMax = Math.max(keptMax, this.#breakers.size * 2)
  }
}

function enterBoth(both: readonly CircuitBreaker[], key: string): void {
  for (const breaker of both) {
    breaker.came(key)
    breaker.enter()
  }
}
