import type { Reconcile, RunOptions } from '../../core/contracts/queue.ts'
import { messageOf, retryOf } from '../../core/errors.ts'
import type { Log } from '../log.ts'
import { Failures } from './failures.ts'

const overtakenTries = 5

/** Reconciles a key once, and says after how many milliseconds it is to be reconciled again, if it is. Never rejects. */
export type ReconcileOnce = (key: string, signal: AbortSignal) => Promise<number | undefined>

/** A reconcile whose failures are logged, counted, and answered with the time until the next try. */
export function reconcileOnce(reconcile: Reconcile, { retryAfterMs, onProblem }: RunOptions, log: Log): ReconcileOnce {
  const failures = new Failures()
  return async (key, signal) => {
    try {
      const again = await reconcile(key, signal)
      failures.forget(key)
      return again
    } catch (err) {
      const attempt = failures.count(key)
      const retryMs = retryAfterMs(err, attempt)
      // That a rival was faster is how things go; only one that never gets through is worth a person's look.
      if (retryOf(err) === 'now' && attempt <= overtakenTries)
        log.debug({ key, attempt, retryMs, reason: messageOf(err) }, 'look overtaken')
      else log.warn({ key, attempt, retryMs, err: err }, 'look failed')
      onProblem?.(key, err, attempt)
      return retryMs
    }
  }
}
