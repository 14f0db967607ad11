// The one loop: gather what is wanted, observe what is, plan, take the steps, report.
import type { Driver } from '../core/contracts/driver.ts'
import type { Reconcile } from '../core/contracts/queue.ts'
import type { Write } from '../core/contracts/store.ts'
import { MegrezError, NotFound } from '../core/errors.ts'
import { refOf, type Kind, type Ref, type Resource } from '../core/kinds/index.ts'
import { noticeFinalizer } from '../core/kinds/annotations.ts'
import { isSubscribedTo } from '../core/plan/notify/notices.ts'
import type { Phase } from '../core/kinds/meta.ts'
import type { Plan } from '../core/plan/plan.ts'
import { Batch } from './commit.ts'
import { reporting, type Env } from './env.ts'
import type { QueueName } from './queues.ts'
import { drawsOrLetsGo, groundOf, learnFrom, readAllLive, readLive, seenAs, toReadFirst, turnsOf, type PlanBasis } from './live.ts'
import { isAskedFirst, whoAsks } from './who-asks.ts'

/** What happens to the keys of one kind. */
export interface Controller<Desired, Scope, State, Action, P extends Plan<Action>> {
  /** Undefined: there is nothing of that key to look after. */
  gather(key: string): Promise<Desired | undefined> | Desired | undefined
  driver(desired: Desired): Driver<Scope, State, Action>
  scope(desired: Desired): Scope
  /** The object of the key, as it was gathered. */
  item(desired: Desired): Resource | undefined
  /** What else the plan decides by, as it was gathered, or by its name: read live before it draws or lets go, and after a rival was faster. */
  basis?(desired: Desired): readonly (Ref | Resource)[]
  plan(desired: Desired, observed: State, now: number): P
  /** Where the plan does or tells something beside the store that others go by, what it is decided by is read live first: its basis, and all of these kinds. */
  needsLive?(desired: Desired, plan: P): readonly Kind[] | undefined
  /** What was looked at beside the store before that is looked at anew, where `needsLive` says so: others may have changed it. @returns whether there was any */
  forget?(desired: Desired, sinceMs: number): boolean
  /** What tells of the plan; it stands behind the steps in the same commit. */
  report(desired: Desired, plan: P, now: number): readonly Write[]
  /** The finalizers that the object must have before anything is done for it. */
  guard?(desired: Desired): Guard | undefined
  /** The pass is over: what was set aside for it is used or given back. */
  settle?(desired: Desired, tried: readonly Write[], err: unknown): void
  /** What is reported where the store will not take what was planned, and would not another time. */
  refusal?(message: string): P
}
export interface Guard {
  readonly item: Resource
  readonly finalizers: readonly string[]
}

/** Looks at a key: one pass, and one commit unless a step has to be taken outside the store. */
export function lookOf<D, S, O, A, P extends Plan<A>>(queue: QueueName, c: Controller<D, S, O, A, P>, env: Env): Reconcile {
  return async (key, signal) => {
    const again = await pass(c, { queue, key, signal, isLive: false }, env)
    const waitMs = again === outdated ? await pass(c, { queue, key, signal, isLive: true }, env) : again
    return waitMs === outdated ? undefined : waitMs
  }
}

/** A plan to draw or to let go, by what is no longer so. */
const outdated = Symbol('outdated')

interface Pass {
  readonly queue: QueueName
  readonly key: string
  readonly signal: AbortSignal
  /** What is decided by has just been read. */
  readonly isLive: boolean
}

async function pass<D, S, O, A, P extends Plan<A>>(c: Controller<D, S, O, A, P>, { queue, key, signal, isLive }: Pass, env: Env): Promise<number | undefined | typeof outdated> {
  const mark = env.waiting.mark()
  const began = env.clock.elapsed()
  const turns = turnsFor(c, env)
  const desired = await c.gather(key)
  if (desired === undefined) return undefined
  const ground = standingOn(c, desired, env)
  const settle = (tried: readonly Write[], err: unknown): void => c.settle?.(desired, tried, err)
  const batch = new Batch(env, signal, ground.item)
  const ask = whoAsks(ground.item, env)
  try {
    await ask(isAskedFirst(ground.item))
    await batch.commit(missing(c.guard?.(desired), env))
    const driver = c.driver(desired)
    const observed = await driver.observe(c.scope(desired), signal)
    const plan = c.plan(desired, observed, env.clock.now())
    const steps = plan.steps.map(({ action }) => ({ action, writes: driver.asWrites?.(action) }))
    if (!isLive && (await isOutdated({ steps, phase: plan.phase, needsLive: needsOf(c, desired, plan), turns, forget: () => c.forget?.(desired, began) === true }, ground, env))) {
      settle([], outdated)
      return outdated
    }
    await take(steps, (action) => driver.apply(action, signal), batch)
    const reportNow = (): readonly Write[] => c.report(desired, plan, env.clock.now())
    const first = reportNow()
    const report = (await ask(first.length > 0)) ? reportNow() : first
    if (!isLive && (await isToldAlready(report, ground, env))) {
      settle(batch.tried, outdated)
      return outdated
    }
    await batch.commit(report)
    settle(batch.tried, undefined)
    told(plan, { queue, key, mark }, env)
    return plan.requeueAfterMs
  } catch (err) {
    settle(batch.tried, err)
    if (isRefusal(err)) {
      await ask(true)
      await new Batch(env, signal, ground.item).commit(refusalOf(c, desired, err, env))
    }
    await learnFrom(err, ground, env)
    throw err
  }
}

const standingOn = <D, S, O, A, P extends Plan<A>>(c: Controller<D, S, O, A, P>, desired: D, env: Env): PlanBasis => groundOf(c.item(desired), c.basis?.(desired) ?? [], env)

const needsOf = <D, S, O, A, P extends Plan<A>>(c: Controller<D, S, O, A, P>, desired: D, plan: P): readonly Kind[] | undefined => c.needsLive?.(desired, plan)

interface Taken<A> {
  readonly action: A
  /** Absent: it is taken outside the store. */
  readonly writes: readonly Write[] | undefined
}

interface Decided {
  readonly steps: readonly Taken<unknown>[]
  readonly phase: Phase
  readonly needsLive: readonly Kind[] | undefined
  /** Of the caches, before anything was gathered. */
  readonly turns: ReadonlyMap<string, number>
  readonly forget: () => boolean
}
/** Nobody asks for them where nothing needs all of a kind. */
const turnsFor = <D, S, O, A, P extends Plan<A>>(c: Controller<D, S, O, A, P>, env: Env): Decided['turns'] => (c.needsLive === undefined ? new Map() : turnsOf(env))

/** Before a number is drawn, something let go, done on a switch or promised, what decides it is read live; before an end is told, that it has not been told already. */
async function isOutdated({ steps, phase, needsLive, turns, forget }: Decided, ground: PlanBasis, env: Env): Promise<boolean> {
  const { item } = ground
  const ends = phase === 'deleted' && item?.metadata.finalizers?.includes(noticeFinalizer) === true
  const decides = needsLive !== undefined || drawsOrLetsGo(steps.flatMap(({ writes = [] }) => writes)) ? toReadFirst(ground) : []
  const seen = ends ? [seenAs(item), ...decides.filter(({ ref: { kind, name } }) => kind !== item.kind || name !== item.metadata.name)] : decides
  const read = await Promise.all([readLive(seen, env), ...(needsLive ?? []).map((kind) => readAllLive(kind, turns, env))])
  const isOld = needsLive !== undefined && forget()
  return isOld || read.includes(true)
}

/**
 * Where a commit goes write by write, a Notice stands although its report falls: before one is made the object is read, so that nobody is
 * told of a change that was told long ago and has been forgotten.
 */
async function isToldAlready(report: readonly Write[], { item }: PlanBasis, env: Env): Promise<boolean> {
  const tells = env.store.identify === undefined && report.some((write) => write.do === 'create' && write.draft.kind === 'Notice')
  return tells && item !== undefined && (await readLive([seenAs(item)], env))
}

async function take<A>(steps: readonly Taken<A>[], apply: (action: A) => Promise<void>, batch: Batch): Promise<void> {
  for (const { action, writes } of steps) {
    if (writes === undefined) await batch.commit().then(() => apply(action))
    else batch.add(writes)
  }
}

/** An object that went away meanwhile is no refusal: there is nobody left to be told. */
const isRefusal = (err: unknown): err is MegrezError => err instanceof MegrezError && err.policy.retry === 'never' && !(err instanceof NotFound)

function refusalOf<D, S, O, A, P extends Plan<A>>(c: Controller<D, S, O, A, P>, desired: D, { message }: MegrezError, env: Env): readonly Write[] {
  const plan = c.refusal?.(message)
  return plan === undefined ? [] : c.report(desired, plan, env.clock.now())
}

/** Tells what was done, and what is waited for. */
function told(plan: Plan<unknown>, { queue, key, mark }: { readonly queue: QueueName; readonly key: string; readonly mark: number }, env: Env): void {
  if (plan.steps.length > 0) env.log.info({ queue, key, phase: plan.phase, steps: plan.steps.map(({ action, because }) => `${doing(action)}: ${because.rule}`) }, 'steps applied')
  if (plan.waitsFor !== undefined) env.waiting.wait(plan.waitsFor, [queue, key], mark)
}

/** Whoever is subscribed to has a finalizer of ours too, so that its end can be told. */
function missing(guard: Guard | undefined, env: Env): readonly Write[] {
  if (guard === undefined || guard.item.metadata.deletionTimestamp !== undefined) return []
  const { item } = guard
  const finalizers = new Set([...guard.finalizers, ...(isSubscribedTo(item, reporting(env, 0)) ? [noticeFinalizer] : [])])
  const there = item.metadata.finalizers ?? []
  return [...finalizers].filter((finalizer) => !there.includes(finalizer)).map((finalizer) => ({ do: 'addFinalizer', ref: refOf(item), uid: item.metadata.uid, finalizer }))
}

const doing = (action: unknown): string => (typeof action === 'object' && action !== null && 'do' in action ? String(action.do) : 'apply')
