// What is measured of workers: reconciles, what waits for them, what they call, and how far their commits bring a Port.
import type { Driver } from '../core/contracts/driver.ts'
import type { Reconcile, RunOptions, WorkQueue } from '../core/contracts/queue.ts'
import type { Write } from '../core/contracts/store.ts'
import { retryOf } from '../core/errors.ts'
import type { Resource } from '../core/kinds/index.ts'
import { firstAsksIn, type FirstAsk } from '../core/plan/cloud/first-ask.ts'
import { hopsIn, hopSeconds, type Hop } from '../core/plan/hops.ts'
import type { Clock } from '../platform/clock.ts'
import { MetricSet } from '../platform/metrics/set.ts'

/** Of events that are taken or not; and of requests that are refused as a whole. */
export type EventResult = 'looked' | 'unknown' | 'unusable' | 'invalid' | 'unauthorized' | 'forbidden' | 'limited' | 'unchecked'
export type Outcome = 'done' | 'overtaken' | 'failed'

export class WorkersMeter {
  readonly #clock: Clock
  readonly #set: MetricSet
  readonly #hops: Readonly<Record<Hop['to'], (hop: Hop, seconds: number) => void>>
  readonly #commits: (labels: { readonly locks: 'yes' | 'no'; readonly outcome: Outcome }, seconds: number) => void
  readonly #firstAsks: (labels: FirstAsk) => void

  constructor(clock: Clock, set = new MetricSet({ ofProcess: false })) {
    this.#clock = clock
    this.#set = set
    this.#commits = set.histogram('megrez_commit_seconds')
    this.#firstAsks = set.counter('megrez_cloud_ports_total')
    const validated = set.histogram('megrez_subnet_create_to_validated_seconds')
    const address = set.histogram('megrez_port_create_to_address_seconds')
    const ready = set.histogram('megrez_port_create_to_ready_seconds')
    this.#hops = {
      validated: (_, seconds) => validated({}, seconds),
      address: ({ labels: { contention, waited } }, seconds) => address({ contention, waited }, seconds),
      ready: ({ labels: { contention, waited } }, seconds) => ready({ contention, waited }, seconds),
    }
  }

  /** A reconcile that is timed. */
  reconcile(controller: string, reconcile: Reconcile): Reconcile {
    const took = this.#set.histogram('megrez_reconcile_seconds')
    return (key, signal) =>
      this.#timed(
        () => reconcile(key, signal),
        (outcome, seconds) => took({ controller, outcome }, seconds),
      )
  }

  /** How a queue is run, so that it is known how long its keys wait. */
  queue(name: string, queue: WorkQueue): Pick<RunOptions, 'onTaken'> {
    const waited = this.#set.histogramOf('megrez_queue_wait_seconds', { queue: name })
    this.#depths.push([name, queue])
    if (this.#depths.length === 1) this.#set.gauge('megrez_queue_depth', () => this.#depthsNow())
    return { onTaken: (_, waitedMs) => waited(waitedMs / 1000) }
  }

  readonly #depths: (readonly [string, WorkQueue])[] = []

  /** A queue that cannot be asked keeps nothing else from being told. */
  async #depthsNow(): Promise<(readonly [{ readonly queue: string }, number])[]> {
    const read = await Promise.all(this.#depths.map(async ([queue, of]) => [queue, await of.depth().catch(() => undefined)] as const))
    return read.flatMap(([queue, depth]) => (depth === undefined ? [] : [[{ queue }, depth] as const]))
  }

  provider<S, O, A, D extends Driver<S, O, A>>(provider: D): D {
    const took = this.#set.histogram('megrez_provider_seconds')
    return this.#driver(provider, (call, outcome, seconds) => took({ provider: provider.name, call, outcome }, seconds))
  }

  /** Whatever a Cloud is asked. */
  cloud<T>(cloud: string, run: () => Promise<T>): Promise<T> {
    const took = this.#set.histogram('megrez_cloud_seconds')
    return this.#timed(run, (outcome, seconds) => took({ cloud, outcome }, seconds))
  }

  /** Counts what a Cloud has told of its ports. */
  cloudEvents(): (cloud: string, result: EventResult, many?: number) => void {
    const count = this.#set.counter('megrez_cloud_events_total')
    return (cloud, result, many) => count({ cloud, result }, many)
  }

  /** @param read Cloud → its Ports made ahead */
  warmPorts(read: () => Iterable<readonly [cloud: string, { readonly ready: number; readonly making: number }]>): void {
    this.#set.gauge('megrez_warm_ports', () =>
      [...read()].flatMap(([cloud, { ready, making }]) => [
        [{ cloud, state: 'ready' }, ready] as const,
        [{ cloud, state: 'making' }, making] as const,
      ]),
    )
  }

  switch<S, O, A, D extends Driver<S, O, A>>(driver: D): D {
    const took = this.#set.histogram('megrez_fabric_seconds')
    return this.#driver(driver, (call, outcome, seconds) => took({ driver: driver.name, call, outcome }, seconds))
  }

  /** @param item what the writes were planned from */
  async commit(writes: readonly Write[], item: Resource | undefined, run: () => Promise<void>): Promise<void> {
    const locks = writes.some((write) => write.do === 'create' && write.draft.kind === 'IPLock') ? 'yes' : 'no'
    await this.#timed(run, (outcome, seconds) => this.#commits({ locks, outcome }, seconds))
    for (const { cloud, how } of firstAsksIn(writes, item)) this.#firstAsks({ cloud, how })
    for (const hop of hopsIn(writes, item)) {
      const seconds = hopSeconds(hop, { now: this.#clock.now() })
      if (seconds !== undefined) this.#hops[hop.to](hop, seconds)
    }
  }

  /** The same driver, its two calls timed. */
  #driver<S, O, A, D extends Driver<S, O, A>>(driver: D, take: (call: 'observe' | 'apply', outcome: Outcome, seconds: number) => void): D {
    const timed = {
      observe: (scope: S, signal: AbortSignal) =>
        this.#timed(
          () => driver.observe(scope, signal),
          (outcome, seconds) => take('observe', outcome, seconds),
        ),
      apply: (action: A, signal: AbortSignal) =>
        this.#timed(
          () => driver.apply(action, signal),
          (outcome, seconds) => take('apply', outcome, seconds),
        ),
    }
    // Everything else is the driver's own, also what its contract does not have yet.
    return new Proxy(driver, {
      get(target, name) {
        if (name === 'observe' || name === 'apply') return timed[name]
        const own = Reflect.get(target, name) as unknown
        return typeof own === 'function' ? (own.bind(target) as unknown) : own
      },
    })
  }

  async #timed<T>(run: () => Promise<T>, take: (outcome: Outcome, seconds: number) => void): Promise<T> {
    const began = this.#clock.elapsed()
    const seconds = (): number => (this.#clock.elapsed() - began) / 1000
    try {
      const answer = await run()
      take('done', seconds())
      return answer
    } catch (err) {
      take(retryOf(err) === 'now' ? 'overtaken' : 'failed', seconds())
      throw err
    }
  }
}
