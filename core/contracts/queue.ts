// Keys that are to be reconciled. A queue may be lost: a relist fills it again.

export interface WorkQueue {
  /**
   * Adds a key that is to be reconciled: the key alone, never what happened.
   * - it waits already: it is reconciled once;
   * - it is being reconciled now: it is reconciled once more afterwards;
   * - it waits for a later time (`afterMs`): the earlier of both times wins.
   */
  add(key: string, afterMs?: number): Promise<void>
  /** Waiting and running keys, as far as known: for readiness and tests. Those that are due later do not count. */
  depth(): Promise<number>
  /**
   * Starts reconciling. Runners that are alive never reconcile a key twice at once; a runner that is thought dead may still be at
   * it, so every effect must be fenced by itself. What `reconcile` throws is logged, and the key is tried again after `retryAfterMs`.
   */
  run(reconcile: Reconcile, options: RunOptions): Promise<Runner>
}

/** Reconciles one key; a number asks for it once more after so many milliseconds. `signal` is aborted when the lock is lost. */
export type Reconcile = (key: string, signal: AbortSignal) => Promise<number | undefined>

export interface RunOptions {
  readonly concurrency: number
  /** How long to wait before the next try of a key that has failed `attempt` times (1 is the first). */
  readonly retryAfterMs: (err: unknown, attempt: number) => number
  readonly onProblem?: (key: string, err: unknown, attempt: number) => void
  /** Told as a key is taken, with the milliseconds since it was due. */
  readonly onTaken?: (key: string, waitedMs: number) => void
}

export interface Runner {
  /** Waits for the reconciles under way. */
  close(): Promise<void>
}

export interface Queues {
  /** `memory` or `bullmq`. */
  readonly name: string
  open(name: string): WorkQueue
  /** Undefined while well, else what is wrong: for /readyz. */
  problem(): string | undefined
  /** Falls each time the queue's content may have been lost (Redis flushed or restarted): relist and add everything again. */
  onLoss(listener: () => void): void
  close(): Promise<void>
}
