// Queues that others take the place of, where those that were there first have gone for good: whoever runs goes on there. What the
// first held is lost, and said to be.
import type { Reconcile, Queues, RunOptions, Runner, WorkQueue } from '../../core/contracts/queue.ts'

export interface Replaceable extends Queues {
  /** Once: the others are asked from now on, and everything is to be added again. Resolves when their runners look. */
  takeOver(): Promise<void>
}

interface Running {
  readonly reconcile: Reconcile
  readonly options: RunOptions
  /** Is aborted when the first queues are left: their reconciles under way end. */
  readonly leaving: AbortController
  readonly under: Set<Promise<unknown>>
  runner: Runner
  closed: boolean
}

/** @param others made when they are needed */
export function replaceable(first: Queues, others: () => Queues): Replaceable {
  let now = first
  const running = new Map<string, Set<Running>>()
  const listeners = new Set<() => void>()
  const notify = (): void => listeners.forEach((listener) => listener())
  first.onLoss(notify)
  return {
    get name() {
      return now.name
    },
    open: (name) => replaceableQueue(() => now.open(name), runningIn(name)),
    problem: () => now.problem(),
    onLoss: (listener) => void listeners.add(listener),
    close: () => now.close(),
    async takeOver() {
      if (now !== first) return
      now = others()
      now.onLoss(notify)
      await Promise.all([...running].flatMap(([name, runners]) => [...runners].map((each) => moved(each, now.open(name)))))
      // They wait for what has gone: nobody waits for them.
      void first.close().catch(() => undefined)
      notify()
    },
  }

  function runningIn(name: string): Set<Running> {
    const known = running.get(name) ?? new Set()
    running.set(name, known)
    return known
  }
}

function replaceableQueue(queue: () => WorkQueue, runners: Set<Running>): WorkQueue {
  return {
    add: (key, afterMs) => queue().add(key, afterMs),
    depth: () => queue().depth(),
    async run(reconcile, options) {
      const leaving = new AbortController()
      const under = new Set<Promise<unknown>>()
      const until: Reconcile = (key, signal) => {
        const reconciling = reconcile(key, AbortSignal.any([signal, leaving.signal]))
        under.add(reconciling)
        const done = (): void => void under.delete(reconciling)
        reconciling.then(done, done)
        return reconciling
      }
      const running: Running = { reconcile, options, leaving, under, runner: await queue().run(until, options), closed: false }
      runners.add(running)
      return {
        async close() {
          running.closed = true
          runners.delete(running)
          await running.runner.close()
        },
      }
    },
  }
}

/** One of them at a time reconciles a key: the reconciles of the first are over before those of the other begin. */
async function moved(running: Running, to: WorkQueue): Promise<void> {
  running.leaving.abort(new DOMException('its queue has gone', 'AbortError'))
  void running.runner.close().catch(() => undefined)
  await Promise.allSettled(running.under)
  if (!running.closed) running.runner = await to.run(running.reconcile, running.options)
}
