// One pass over one key, piece by piece; reconcile.ts says in which order.
import type { Driver } from '../../core/contracts/driver.ts'
import type { Write } from '../../core/contracts/store.ts'
import { MegrezError, NotFound } from '../../core/errors.ts'
import { keyOf } from '../../core/kinds/index.ts'
import { traceOf } from '../../core/kinds/trace.ts'
import type { Plan, Step } from '../../core/plan/plan.ts'
import { Batch } from './write-batch.ts'
import type { Env } from '../controller-env.ts'
import { planBasisOf, learnFrom, changeCountsOf, type PlanBasis } from './live-reads.ts'
import type { QueueName } from '../queues.ts'
import { isAskedFirst, whoAsks, type Ask } from '../notify/read-subscriptions-first.ts'
import type { AnyController } from './controller.ts'
import { idOf, isNotifiedAlready, mustBeCurrent, mustBeCurrentToo, Outdated, type Decided, type ReadLive } from './plan-is-current.ts'
import type { Create, Maker, Making } from './make-next-objects.ts'
import { makesFirst } from './make-then-reconcile.ts'
import { makesTogether } from './make-in-one-commit.ts'
import { guardOf, reportOf, type Reports } from './status-reports.ts'

export interface Loop {
  readonly env: Env
  readonly controllers: ReadonlyMap<QueueName, AnyController>
}
export interface Of {
  readonly queue: QueueName
  readonly key: string
  readonly signal: AbortSignal
  /** The plan before was not of what is: that was read. */
  readonly read?: ReadLive
  /** Called once the caches have been asked. */
  readonly gathered?: () => void
}
type Reconcile = (of: Of) => Promise<number | undefined>
interface TakenStep {
  readonly action: unknown
  /** Undefined: it is taken outside the store. */
  readonly writes: readonly Write[] | undefined
}

/** Remembered of the time before a key was gathered. */
interface Before {
  readonly mark: number
  readonly elapsedMs: number
  readonly changeCounts: Decided['changeCounts']
}

export class Pass {
  readonly #of: Of
  readonly #env: Env
  readonly #controller: AnyController
  readonly #before: Before
  readonly #basis: PlanBasis
  readonly #batch: Batch
  readonly #ask: Ask
  readonly #making: Making
  readonly #driver: Driver<unknown, unknown, unknown>
  #desired: unknown
  #observed: unknown
  #taken: readonly TakenStep[] = []
  #maker: Maker | undefined

  /** @returns undefined where there is nothing of that key to look after */
  static async over(of: Of, loop: Loop, reconcile: Reconcile): Promise<Pass | undefined> {
    const { env, controllers } = loop
    const controller = controllers.get(of.queue)!
    // Nobody asks for them where nothing needs all of a kind.
    const before = {
      mark: env.waiting.mark(),
      elapsedMs: env.clock.elapsed(),
      changeCounts: controller.needsLive === undefined ? new Map<string, number>() : changeCountsOf(env),
    }
    const desired = await controller.gather(of.key)
    of.gathered?.()
    return desired === undefined ? undefined : new Pass(of, loop, { controller, before, desired, reconcile })
  }

  private constructor(
    of: Of,
    { env, controllers }: Loop,
    {
      controller,
      before,
      desired,
      reconcile,
    }: { readonly controller: AnyController; readonly before: Before; readonly desired: unknown; readonly reconcile: Reconcile },
  ) {
    this.#of = of
    this.#env = env
    this.#controller = controller
    this.#before = before
    this.#desired = desired
    this.#basis = planBasisOf(controller.item(desired), controller.basis?.(desired) ?? [], env)
    this.#batch = new Batch(env, of.signal, this.#basis.item)
    this.#ask = whoAsks(this.#basis.item, env)
    this.#driver = controller.driver(desired)
    this.#making = {
      env,
      controllers,
      batch: this.#batch,
      signal: of.signal,
      ask: this.#ask,
      reconcile: (ref, gathered) => reconcile({ queue: ref.kind as QueueName, key: keyOf(ref), signal: of.signal, gathered }),
    }
  }

  get #reports(): Reports {
    return { queue: this.#of.queue, controller: this.#controller, desired: this.#desired }
  }

  /** Nothing is done for an object that could go before what it holds is given back, or its end is told. */
  async guard(): Promise<void> {
    await this.#ask(isAskedFirst(this.#basis.item))
    await this.#batch.commit(guardOf(this.#reports, this.#env))
  }

  async plan(): Promise<Plan<unknown>> {
    this.#observed = await this.#driver.observe(this.#controller.scope(this.#desired), this.#of.signal)
    const plan = this.#controller.plan(this.#desired, this.#observed, this.#env.clock.now())
    this.#taken = plan.steps.map(({ action }: Step<unknown>) => ({ action, writes: this.#driver.asWrites?.(action) }))
    return plan
  }

  /** @throws Outdated */
  async mustBeCurrent(plan: Plan<unknown>): Promise<void> {
    const { changeCounts } = this.#before
    const needsLive = this.#controller.needsLive?.(this.#desired, plan)
    const writes = this.#taken.flatMap(({ writes = [] }) => writes)
    if (this.#of.read !== undefined) return mustBeCurrentToo({ writes, needsLive, changeCounts }, this.#basis, this.#of.read, this.#env)
    await mustBeCurrent(
      {
        writes,
        phase: plan.phase,
        needsLive,
        changeCounts,
        forget: () => this.#controller.forget?.(this.#desired, this.#before.elapsedMs) === true,
      },
      this.#basis,
      this.#env,
    )
  }

  /** Whatever becomes of the steps, the key of what is there already and named `next` is added. */
  async take({ next = [] }: Plan<unknown>): Promise<void> {
    const made = next.length === 0 ? nobody : this.#makes(new Set(next.map(idOf)))
    try {
      for (const taken of this.#taken) await this.#step(taken, made)
    } finally {
      for (const ref of next) if (!made.has(idOf(ref))) this.#env.add(ref.kind as QueueName, keyOf(ref))
    }
  }

  /** Of what is next what the steps make; then there is somebody to make it. */
  #makes(next: ReadonlySet<string>): ReadonlySet<string> {
    const made = this.#taken.flatMap(({ writes = [] }) =>
      writes.flatMap((write) => (write.do === 'create' && next.has(idOfDraft(write)) ? [idOfDraft(write)] : [])),
    )
    if (made.length > 0) this.#maker = this.#env.store.identify === undefined ? makesFirst(this.#making) : makesTogether(this.#making)
    return new Set(made)
  }

  /** What is nothing but writes waits for the commit; what is made and named `next` is its maker's. */
  async #step({ action, writes }: TakenStep, made: ReadonlySet<string>): Promise<void> {
    if (writes === undefined) return await this.#batch.commit().then(() => this.#driver.apply(action, this.#of.signal))
    for (const write of writes) {
      if (write.do === 'create' && made.has(idOfDraft(write))) await this.#maker!.make(write.draft)
      else this.#batch.add([write])
    }
  }

  /** What the plan has made. @returns the plan that is reported */
  async reconcileNext(plan: Plan<unknown>): Promise<Plan<unknown>> {
    const toBe = await this.#maker?.reconcile()
    if (toBe === undefined || toBe.size === 0 || this.#controller.withMade === undefined) return plan
    this.#desired = this.#controller.withMade(this.#desired, toBe)
    return { ...this.#controller.plan(this.#desired, this.#observed, this.#env.clock.now()), steps: plan.steps }
  }

  /** In one commit with the steps that wait for it. @throws Outdated */
  async report(plan: Plan<unknown>): Promise<void> {
    const reportNow = (): readonly Write[] => reportOf(this.#reports, plan, this.#env)
    const first = reportNow()
    const report = (await this.#ask(first.length > 0)) ? reportNow() : first
    if (this.#of.read === undefined && (await isNotifiedAlready(report, this.#basis, this.#env, this.#batch.tried))) throw new Outdated()
    await this.#batch.commit(report)
  }

  /** @returns milliseconds until the key is reconciled again, where the plan asks for that */
  async end({ steps, phase, waitsFor, requeueAfterMs }: Plan<unknown>): Promise<number | undefined> {
    const { queue, key } = this.#of
    await this.#settle(undefined)
    if (steps.length > 0)
      this.#env.log.info(
        {
          queue,
          key,
          trace: traceOf(this.#basis.item ?? {}),
          phase,
          steps: steps.map(({ action, because }) => `${doing(action)}: ${because.rule}`),
        },
        'steps applied',
      )
    if (waitsFor !== undefined) this.#env.waiting.wait(waitsFor, [queue, key], this.#before.mark)
    return requeueAfterMs
  }

  /** What a refusal for good is told as is reported; what a rival has written is read. */
  async fail(err: unknown): Promise<void> {
    await this.#settle(err)
    if (err instanceof Outdated) return
    const plan = isRefusal(err)
      ? this.#controller.refusal?.(err.message)
      : this.#controller.setback?.(this.#desired, err, this.#env.clock.now())
    if (plan !== undefined) {
      await this.#ask(true)
      const report = reportOf(this.#reports, plan, this.#env)
      if (!(await isNotifiedAlready(report, this.#basis, this.#env, this.#batch.tried)))
        await new Batch(this.#env, this.#of.signal, this.#basis.item).commit(report)
    }
    await learnFrom(err, this.#basis, this.#env)
  }

  async #settle(err: unknown): Promise<void> {
    this.#controller.settle?.(this.#desired, this.#batch.tried, err)
    await this.#maker?.end(err)
  }
}

const nobody: ReadonlySet<string> = new Set()
const idOfDraft = ({ draft: { kind, metadata } }: Create): string => idOf({ kind, name: metadata.name, namespace: metadata.namespace })

/** An object that went away meanwhile is no refusal: there is nobody left to be told. */
const isRefusal = (err: unknown): err is MegrezError =>
  err instanceof MegrezError && err.policy.retry === 'never' && !(err instanceof NotFound)

const doing = (action: unknown): string => (typeof action === 'object' && action !== null && 'do' in action ? String(action.do) : 'apply')
