// One runner over Redis: a BullMQ worker, and what it takes to trust it.
import { setTimeout as wait } from 'node:timers/promises'
import { DelayedError, Worker } from 'bullmq'
import type { Job } from 'bullmq'
import type { Runner } from '../../core/contracts/queue.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { ReconcileOnce } from './reconcile-once.ts'
import type { Client } from './redis.ts'

/** A reconcile under way in this process. */
export interface Reconciling {
  /** Added meanwhile: reconcile again. Kept here and not in Redis, whose stalled check brings the key back should this process die. */
  again: boolean
  /** Redis has a job for later that an add for now must replace. */
  laterInRedis: boolean
  ended: (() => void)[] | undefined
}

export interface RedisRunnerOptions {
  readonly name: string
  readonly prefix: string
  readonly client: Client
  readonly clock: Clock
  readonly log: Log
  readonly concurrency: number
  readonly reconcile: ReconcileOnce
  readonly onTaken?: (job: Job<string>) => void
  /** The queue's reconciles under way, of all its runners in this process. */
  readonly under: Map<string, Reconciling>
  /** Adds while the key is still being reconciled, and waits for Redis if it must. */
  readonly addAgain: (key: string, afterMs: number) => Promise<unknown>
  /** How many keys wait or are due, in Redis. */
  readonly waiting: () => Promise<number>
}

// A worker that was killed gives its keys back after the lock has run out and the next check has seen it twice: 5 to 11 seconds.
const lockMs = 5_000
const renewMs = 2_000
const stalledCheckMs = 3_000
const watchdogMs = 15_000
const watchEveryMs = 2_500
const closeMs = 2_000
// A key that is added all the time must not keep its place for ever while others wait.
const reconcilesInPlace = 8

/** With a way to stop it where BullMQ's own close waits for a Redis that is away: it renews no more locks, and keeps no process alive. */
class KeyWorker extends Worker<string> {
  abandon(): void {
    void this.lockManager.close()
  }
}

export class RedisRunner implements Runner {
  readonly #options: RedisRunnerOptions
  #worker: KeyWorker
  #running = 0
  #tookAtMs: number
  #redisGoneSinceMs: number | undefined
  #closing = false
  #ended: () => void = () => undefined
  #cancelWatch: () => void = () => undefined

  constructor(options: RedisRunnerOptions) {
    this.#options = options
    this.#tookAtMs = options.clock.elapsed()
    this.#worker = this.#start()
    this.#watchLater()
  }

  /** BullMQ's side, for tests that break it. */
  get worker(): Worker<string> {
    return this.#worker
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#cancelWatch()
    const closed = this.#worker.close()
    closed.catch(() => undefined)
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#ended = resolve))
    // Without Redis the worker cannot say goodbye; its keys come back when their locks have run out.
    const late = new AbortController()
    await Promise.race([closed, wait(closeMs, undefined, { signal: late.signal }).catch(() => undefined)])
    late.abort()
    this.#worker.abandon()
  }

  #start(): KeyWorker {
    const { name, prefix, client, concurrency, log } = this.#options
    const worker = new KeyWorker(name, (job, _, signal) => this.#take(job, signal!), {
      prefix,
      connection: client,
      concurrency,
      lockDuration: lockMs,
      lockRenewTime: renewMs,
      stalledInterval: stalledCheckMs,
      // A key is dropped by nobody: what kills its worker ten times will be listed again anyway.
      maxStalledCount: 1_000_000,
      runRetryDelay: 1_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    })
    // Lost locks and a Redis that is away: other runners take the keys, and the watchdog reports it.
    worker.on('error', (err) => log.debug({ err: err }, 'worker complains'))
    worker.on('lockRenewalFailed', (ids) => ids.forEach((id) => worker.cancelJob(id, 'the lock is lost')))
    return worker
  }

  async #take(job: Job<string>, signal: AbortSignal): Promise<void> {
    const key = job.data
    const { under, log } = this.#options
    this.#tookAtMs = this.#options.clock.elapsed()
    this.#options.onTaken?.(job)
    try {
      // Ours, from before our event loop was held up so long that the key was thought lost.
      for (let before = under.get(key); before !== undefined; before = under.get(key)) await endOf(before)
      await this.#reconcile(key, signal)
    } catch (err) {
      log.warn({ key, err: err }, 'a reconcile could not be ended')
      // Leaves the job as it is; without a lock it is taken again in a few seconds.
      throw new DelayedError()
    }
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { reconcile, under, addAgain } = this.#options
    const running: Reconciling = { again: false, laterInRedis: false, ended: undefined }
    under.set(key, running)
    this.#running += 1
    let againMs: number | undefined
    try {
      for (let reconciles = 1; ; reconciles++) {
        running.again = false
        againMs = await reconcile(key, signal)
        if (!running.again || reconciles === reconcilesInPlace || this.#mustLeave(signal)) break
      }
    } finally {
      // Together with reading `again`, so that the next add finds either this reconcile or Redis.
      under.delete(key)
      running.ended?.forEach((call) => call())
      this.#running -= 1
      if (this.#closing && this.#running === 0) this.#ended()
    }
    if (running.again) await addAgain(key, 0)
    else if (againMs !== undefined) await addAgain(key, againMs)
  }

  #mustLeave(signal: AbortSignal): boolean {
    return this.#closing || signal.aborted
  }

  #watchLater(): void {
    this.#cancelWatch = this.#options.clock.after(watchEveryMs, () => {
      void this.#watch().finally(() => {
        if (!this.#closing) this.#watchLater()
      })
    })
  }

  async #watch(): Promise<void> {
    const { client, clock, log, concurrency, waiting } = this.#options
    const now = clock.elapsed()
    this.#redisGoneSinceMs = client.status === 'ready' ? undefined : (this.#redisGoneSinceMs ?? now)
    if (this.#redisGoneSinceMs !== undefined) {
      // Locks run out in Redis whether we see it or not.
      if (now - this.#redisGoneSinceMs >= lockMs) this.#worker.cancelAllJobs('Redis is away for longer than locks last')
      this.#tookAtMs = now
      return
    }
    if (this.#running >= concurrency || now - this.#tookAtMs < watchdogMs || (await waiting().catch(() => 0)) === 0) return
    if (this.#closing || now < this.#tookAtMs + watchdogMs) return
    log.warn({ idleMs: now - this.#tookAtMs }, 'worker takes nothing although keys wait: making a new one')
    this.#tookAtMs = now
    void this.#worker.close(true).catch(() => undefined)
    this.#worker = this.#start()
  }
}

function endOf(running: Reconciling): Promise<void> {
  return new Promise((resolve) => {
    running.ended = [...(running.ended ?? []), resolve]
  })
}
