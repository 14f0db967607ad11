// A row of the table of who is reconciled: what wakes its keys, and what reconciles one of them.
import type { Plan } from '../../core/plan/plan.ts'
import type { Env } from '../controller-env.ts'
import type { QueueName } from '../queues.ts'
import { watchFor, type Watch, type WatchFor } from '../watch/watch.ts'
import type { AnyController, Controller } from './controller.ts'

export interface Row<N extends QueueName = QueueName> {
  /** Its queue has the name of its kind. */
  readonly queue: N
  readonly watches: readonly Watch<N>[]
  /** Times the usual number of keys at once: what waits together for a switch goes into one transaction. */
  readonly wider?: number
  /** A key that a clock wakes, not a change: for the first time so long after the start. */
  readonly everyMs?: { readonly key: string; readonly ms: number }
  /** What gathers, plans and drives, of one process. */
  readonly open: (env: Env) => AnyController
}
type More = Pick<Row, 'wider' | 'everyMs'>

export const row = <const N extends QueueName, D, S, O, A, P extends Plan<A>>(
  queue: N,
  watches: (on: WatchFor<N>) => readonly Watch<N>[],
  open: (env: Env) => Controller<D, S, O, A, P>,
  more: More = {},
): Row<N> => ({ queue, watches: watches(watchFor(queue)), open, ...more })
