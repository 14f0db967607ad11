// The one loop: gather what is wanted, observe what is, plan, take the steps, report.
import type { Driver } from '../core/contracts/driver.ts'
import type { Look } from '../core/contracts/queue.ts'
import type { Write } from '../core/contracts/store.ts'
import { MegrezError, NotFound } from '../core/errors.ts'
import { refOf, type Resource } from '../core/kinds/index.ts'
import { noticeFinalizer } from '../core/kinds/annotations.ts'
import { isAskedAbout } from '../core/plan/notices.ts'
import type { Plan } from '../core/plan/plan.ts'
import { Batch } from './commit.ts'
import { reporting, type Env } from './env.ts'

/** What happens to the keys of one kind. */
export interface Controller<Desired, Scope, State, Action, P extends Plan<Action>> {
  /** Names its queue. */
  readonly name: string
  /** Undefined: there is nothing of that key to look after. */
  gather(key: string): Promise<Desired | undefined> | Desired | undefined
  driver(desired: Desired): Driver<Scope, State, Action>
  scope(desired: Desired): Scope
  plan(desired: Desired, observed: State, now: number): P
  /** What tells of the plan; it stands behind the steps in the same commit. */
  report(desired: Desired, plan: P, now: number): readonly Write[]
  /** The finalizers that the object must have before anything is done for it. */
  guard?(desired: Desired): Guard | undefined
  /** The pass is over: what was set aside for it is used or given back. */
  settle?(desired: Desired, tried: readonly Write[], problem: unknown): void
  /** What is reported where the store will not take what was planned, and would not another time. */
  refusal?(message: string): P
  /** What the plan is waiting for, so that its coming wakes the key. */
  awaits?(desired: Desired, plan: P): string | undefined
}
export interface Guard {
  readonly item: Resource
  readonly finalizers: readonly string[]
}

/** Looks at a key: one pass, and one commit unless a step has to be taken outside the store. */
export function lookOf<D, S, O, A, P extends Plan<A>>(c: Controller<D, S, O, A, P>, env: Env): Look {
  return async (key, signal) => {
    const mark = env.waiting.mark()
    const desired = await c.gather(key)
    if (desired === undefined) return undefined
    const batch = new Batch(env.store, signal)
    try {
      await batch.commit(missing(c.guard?.(desired), env))
      const driver = c.driver(desired)
      const observed = await driver.observe(c.scope(desired), signal)
      const plan = c.plan(desired, observed, env.clock.now())
      for (const { action } of plan.steps) {
        const writes = driver.asWrites?.(action)
        if (writes === undefined) await batch.commit().then(() => driver.apply(action, signal))
        else batch.add(writes)
      }
      await batch.commit(c.report(desired, plan, env.clock.now()))
      c.settle?.(desired, batch.tried, undefined)
      told(c, { key, desired, plan, mark }, env)
      return plan.lookAgainInMs
    } catch (problem) {
      c.settle?.(desired, batch.tried, problem)
      if (isRefusal(problem)) await new Batch(env.store, signal).commit(refusalOf(c, desired, problem, env))
      throw problem
    }
  }
}

/** An object that went away meanwhile is no refusal: there is nobody left to be told. */
const isRefusal = (problem: unknown): problem is MegrezError => problem instanceof MegrezError && problem.policy.retry === 'never' && !(problem instanceof NotFound)

function refusalOf<D, S, O, A, P extends Plan<A>>(c: Controller<D, S, O, A, P>, desired: D, { message }: MegrezError, env: Env): readonly Write[] {
  const plan = c.refusal?.(message)
  return plan === undefined ? [] : c.report(desired, plan, env.clock.now())
}

/** Tells what was done, and what is waited for. */
function told<D, S, O, A, P extends Plan<A>>(c: Controller<D, S, O, A, P>, { key, desired, plan, mark }: { key: string; desired: D; plan: P; mark: number }, env: Env): void {
  if (plan.steps.length > 0) env.log.info({ [c.name]: key, phase: plan.phase, steps: plan.steps.map(({ action, because }) => `${doing(action)}: ${because.rule}`) }, 'steps applied')
  const topic = c.awaits?.(desired, plan)
  if (topic !== undefined) env.waiting.wait(topic, [c.name, key], mark)
}

/** Whoever is subscribed to has a finalizer of ours too, so that its end can be told. */
function missing(guard: Guard | undefined, env: Env): readonly Write[] {
  if (guard === undefined || guard.item.metadata.deletionTimestamp !== undefined) return []
  const { item } = guard
  const finalizers = new Set([...guard.finalizers, ...(isAskedAbout(item, reporting(env, 0)) ? [noticeFinalizer] : [])])
  const there = item.metadata.finalizers ?? []
  return [...finalizers].filter((finalizer) => !there.includes(finalizer)).map((finalizer) => ({ do: 'addFinalizer', ref: refOf(item), uid: item.metadata.uid, finalizer }))
}

const doing = (action: unknown): string => (typeof action === 'object' && action !== null && 'do' in action ? String(action.do) : 'apply')
