// Keys that want looking at. Disposable: a relist fills it again.

export interface WorkQueue {
  /**
   * Says that a key wants a look. Keys only, never what happened.
   * - waiting already: one look;
   * - being looked at now: looked at once more afterwards;
   * - waiting for a later time (`afterMs`): an earlier add wins.
   */
  add(key: string, afterMs?: number): Promise<void>
  /** Waiting and running keys, as far as known: for readiness and tests. Those that are due later do not count. */
  depth(): Promise<number>
  /**
   * Starts looking. A key is never looked at twice at once by runners that are alive; a runner that is thought dead may
   * still be at it, so every effect must be fenced by itself. What `look` throws is logged and retried by `retryAfterMs`.
   */
  run(look: Reconcile, options: RunOptions): Promise<Runner>
}

/** Looks at one key; a number asks for another look after so many milliseconds. `signal` falls when the lock is lost. */
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
  /** Waits for the looks under way. */
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
