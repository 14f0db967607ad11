// How fast one cloud is asked for each tenant: a burst of one holds no other up.
import { pause, type Clock } from '../../../platform/clock.ts'

export interface TokenBucketsOptions {
  /** Requests a second of one tenant, in the long run; and at once after a rest. */
  readonly rate: number
  readonly burst: number
  readonly clock: Clock
}

/** Tenants that are remembered: one that is forgotten has had its rest. */
const tenantsMost = 10_000

export class TokenBuckets {
  readonly #options: TokenBucketsOptions
  /** Tenant → the moment up to which its tokens are spent. */
  readonly #spent = new Map<string, number>()

  constructor(options: TokenBucketsOptions) {
    this.#options = options
  }

  /** Resolves when this request may go: first come, first served. @throws what the signal says */
  async wait(tenant: string, signal: AbortSignal): Promise<void> {
    const { rate, burst, clock } = this.#options
    const [now, eachMs] = [clock.elapsed(), 1_000 / rate]
    const spentUntil = Math.max(this.#spent.get(tenant) ?? -Infinity, now - burst * eachMs) + eachMs
    this.#spent.set(tenant, spentUntil)
    if (this.#spent.size > tenantsMost) this.#forget(now - burst * eachMs)
    if (spentUntil > now) await pause(spentUntil - now, clock, signal)
    signal.throwIfAborted()
  }

  #forget(before: number): void {
    for (const [tenant, spentUntil] of this.#spent) if (spentUntil <= before) this.#spent.delete(tenant)
  }
}
