// How often a receiver has failed for one object, and when it is tried again.
import { backoffMs, type Backoff } from '../../../core/backoff.ts'
import type { Receipt } from '../../../core/contracts/notifier.ts'

/** A refusal that will not pass by itself is tried so often, and then seldom: parked. */
const refusalsMax = 5
const parkedMs = 3_600_000
/** Client errors that may well pass: timeout, too early, too many (RFC 9110 15.5.9, RFC 8470, RFC 6585). */
const passing = [408, 425, 429]

export interface RetryState {
  readonly failures: number
  readonly refusals: number
  readonly notBefore: number
}

export class DeliveryRetries {
  readonly #retry: Backoff
  readonly #random: () => number
  readonly #failed = new Map<string, RetryState>()

  constructor(retry: Backoff, random: () => number) {
    this.#retry = retry
    this.#random = random
  }

  failures(key: string): number {
    return this.#failed.get(key)?.failures ?? 0
  }

  isParked(key: string): boolean {
    return (this.#failed.get(key)?.refusals ?? 0) >= refusalsMax
  }

  /** 0: may be tried now. */
  waitMs(key: string, now: number): number {
    return Math.max(0, (this.#failed.get(key)?.notBefore ?? 0) - now)
  }

  /** @returns milliseconds until the next try */
  failed(key: string, receipt: Receipt, now: number): number {
    const before = this.#failed.get(key)
    const failures = (before?.failures ?? 0) + 1
    const refusals = isLasting(receipt) ? (before?.refusals ?? 0) + 1 : 0
    const requestedMs = receipt.kind === 'refused' ? (receipt.retryAfterMs ?? 0) : 0
    // Never all at once: half an hour to an hour.
    const parked = refusals >= refusalsMax ? (parkedMs * (1 + this.#random())) / 2 : 0
    const waitMs = Math.max(requestedMs, parked, backoffMs(failures, this.#random(), this.#retry))
    this.#failed.set(key, { failures, refusals, notBefore: now + waitMs })
    return waitMs
  }

  forget(key: string): void {
    this.#failed.delete(key)
  }
}

const isLasting = (receipt: Receipt): boolean =>
  receipt.kind === 'refused' && receipt.status >= 400 && receipt.status < 500 && !passing.includes(receipt.status)
