// How often an object's receiver has failed, and when it is tried again.
import { backoffMs } from '../../core/backoff.ts'
import type { Receipt } from '../../core/contracts/notifier.ts'

export interface Retry {
  readonly firstMs: number
  readonly maxMs: number
}
/** The first again after half a second, the later ones every five minutes until the horizon. */
export const defaultRetry: Retry = { firstMs: 500, maxMs: 300_000 }

export class Tries {
  readonly #retry: Retry
  readonly #random: () => number
  readonly #failed = new Map<string, { failures: number; notBefore: number }>()

  constructor(retry: Retry, random: () => number) {
    this.#retry = retry
    this.#random = random
  }

  failures(uid: string): number {
    return this.#failed.get(uid)?.failures ?? 0
  }

  /** 0: may be tried now. */
  waitMs(uid: string, now: number): number {
    return Math.max(0, (this.#failed.get(uid)?.notBefore ?? 0) - now)
  }

  /** @returns milliseconds until the next try */
  failed(uid: string, receipt: Receipt, now: number): number {
    const failures = this.failures(uid) + 1
    const asked = receipt.say === 'refused' ? (receipt.retryAfterMs ?? 0) : 0
    const waitMs = Math.max(asked, backoffMs(failures, this.#random(), this.#retry))
    this.#failed.set(uid, { failures, notBefore: now + waitMs })
    return waitMs
  }

  forget(uid: string): void {
    this.#failed.delete(uid)
  }
}
