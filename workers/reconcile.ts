// The one loop: gather what is wanted, observe what is, plan, take the steps, report.
import type { Driver } from '../core/contracts/driver.ts'
import type { Look } from '../core/contracts/queue.ts'
import type { Write } from '../core/contracts/store.ts'
import { refOf, type Resource } from '../core/kinds/index.ts'
import type { Plan } from '../core/plan/plan.ts'
import type { Env } from './env.ts'
import { commit } from './commit.ts'

/** What happens to the keys of one kind. */
export interface Controller<Desired, Scope, State, Action, P extends Plan<Action>> {
  /** Names its queue. */
  readonly name: string
  /** Undefined: there is nothing of that key to look after. */
  gather(key: string): Promise<Desired | undefined> | Desired | undefined
  driver(desired: Desired): Driver<Scope, State, Action>
  scope(desired: Desired): Scope
  plan(desired: Desired, observed: State, now: number): P
  /** The finalizers that the object must have before anything is done for it. */
  guard?(desired: Desired): { readonly item: Resource; readonly finalizers: readonly string[] }
  /** What tells of the plan; it stands behind the steps in the same commit. */
  report(desired: Desired, plan: P, now: number): readonly Write[]
  /** The pass is over: what was set aside for it is used or given back. */
  settle?(desired: Desired, writes: readonly Write[], problem: unknown): void
  /** What the plan is waiting for, so that its coming wakes the key. */
  awaits?(desired: Desired, plan: P): string | undefined
}

/** Looks at a key: one pass, and one commit unless a step has to be taken outside the store. */
export function lookOf<D, S, O, A, P extends Plan<A>>(c: Controller<D, S, O, A, P>, env: Env): Look {
  return async (key, signal) => {
    const desired = await c.gather(key)
    if (desired === undefined) return undefined
    const together: Write[] = []
    try {
      await commit(env.store, missingGuards(c.guard?.(desired)), signal)
      const driver = c.driver(desired)
      const observed = await driver.observe(c.scope(desired), signal)
      const plan = c.plan(desired, observed, env.clock.now())
      let written: readonly Write[] = []
      for (const { action } of plan.steps) {
        const writes = driver.asWrites?.(action)
        if (writes !== undefined) together.push(...writes)
        else {
          written = [...written, ...(await commit(env.store, together.splice(0), signal))]
          await driver.apply(action, signal)
        }
      }
      together.push(...c.report(desired, plan, env.clock.now()))
      await commit(env.store, together, signal)
      if (plan.steps.length > 0) env.log.info({ key, driver: driver.name, steps: plan.steps.map(({ action, because }) => `${doing(action)}: ${because.rule}`), phase: plan.phase }, 'pass applied')
      c.settle?.(desired, [...written, ...together], undefined)
      const awaited = c.awaits?.(desired, plan)
      if (awaited !== undefined) env.waiting.wait(awaited, c.name, key)
      return plan.lookAgainInMs
    } catch (problem) {
      c.settle?.(desired, together, problem)
      throw problem
    }
  }
}

function missingGuards(guard: { readonly item: Resource; readonly finalizers: readonly string[] } | undefined): readonly Write[] {
  if (guard === undefined || guard.item.metadata.deletionTimestamp !== undefined) return []
  const { item, finalizers } = guard
  return finalizers.filter((finalizer) => item.metadata.finalizers?.includes(finalizer) !== true).map((finalizer) => ({ do: 'addFinalizer', ref: refOf(item), uid: item.metadata.uid, finalizer }))
}

const doing = (action: unknown): string => (typeof action === 'object' && action !== null && 'do' in action ? String(action.do) : 'apply')
