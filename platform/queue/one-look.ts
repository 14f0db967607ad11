import type { Look, RunOptions } from '../../core/contracts/queue.ts'
import type { Log } from '../log.ts'
import { Failures } from './failures.ts'

/** Looks at a key once, and says after how many milliseconds it wants another look, if it does. Never rejects. */
export type OneLook = (key: string, signal: AbortSignal) => Promise<number | undefined>

/** A look whose failures are logged, counted, and answered by the time of the next try. */
export function oneLook(look: Look, { retryAfterMs, onProblem }: RunOptions, log: Log): OneLook {
  const failures = new Failures()
  return async (key, signal) => {
    try {
      const again = await look(key, signal)
      failures.forget(key)
      return again
    } catch (problem) {
      const attempt = failures.count(key)
      const retryMs = retryAfterMs(problem, attempt)
      log.warn({ key, attempt, retryMs, err: problem }, 'look failed')
      onProblem?.(key, problem, attempt)
      return retryMs
    }
  }
}
