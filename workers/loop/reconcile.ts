// The one loop: gather what is wanted, observe what is, plan, take the steps, reconcile what they have made, report.
import type { Reconcile } from '../../core/contracts/queue.ts'
import { joinRead, Outdated } from './plan-is-current.ts'
import { Pass, type Loop, type Of } from './pass.ts'
import type { QueueName } from '../queues.ts'

/** Reconciles a key of a queue: in one commit, unless a step has to be taken outside the store. */
export const reconcilerOf =
  (queue: QueueName, loop: Loop): Reconcile =>
  (key, signal) =>
    reconcile({ queue, key, signal }, loop)

/**
 * Once; and where the plan was made from what is no longer so, once more, from what has been read live. That plan may be decided by kinds
 * and objects that the first was not: they are read too. It ends, as each time there are fewer that have not been read.
 */
async function reconcile(of: Of, loop: Loop): Promise<number | undefined> {
  try {
    return await once(of, loop)
  } catch (err) {
    if (!(err instanceof Outdated)) throw err
    return await reconcile({ ...of, read: joinRead(of.read, err.read) }, loop)
  }
}

async function once(of: Of, loop: Loop): Promise<number | undefined> {
  const pass = await Pass.over(of, loop, (next) => reconcile(next, loop))
  if (pass === undefined) return undefined
  try {
    await pass.guard()
    const plan = await pass.plan()
    await pass.mustBeCurrent(plan)
    await pass.take(plan)
    const reported = await pass.reconcileNext(plan)
    await pass.report(reported)
    return await pass.end(reported)
  } catch (err) {
    await pass.fail(err)
    throw err
  }
}
