import { Queue } from 'bullmq'
import type { JobsOptions } from 'bullmq'
import type { Reconcile, RunOptions, Runner, WorkQueue } from '../../core/contracts/queue.ts'
import { QueueUnavailable, messageOf } from '../../core/errors.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { encodeKey } from './encode.ts'
import { reconcileOnce } from './reconcile-once.ts'
import { RedisRunner } from './redis-runner.ts'
import type { Reconciling } from './redis-runner.ts'
import type { Client } from './redis.ts'

export interface RedisQueueOptions {
  readonly name: string
  readonly prefix: string
  /** Fails at once while Redis is away. */
  readonly adds: Client
  /** Waits until Redis is back. */
  readonly workers: Client
  /** Resolves when `adds` has connected for the first time, or has had its time for it. */
  readonly begun: Promise<void>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Keys in BullMQ. A job carries its key and nothing else; deduplication makes of many adds one job while it waits, and one
 * more when it is active. What is added for later is a delayed job, which any earlier add replaces.
 */
export class RedisQueue implements WorkQueue {
  readonly #options: RedisQueueOptions
  readonly #queue: Queue<string>
  readonly #again: Queue<string>
  readonly #under = new Map<string, Reconciling>()
  readonly #runners = new Set<RedisRunner>()
  /**
   * Adds that were asked for together. They reach Redis after all of them were asked for, so one of each key is enough. A pipeline
   * of them, or waiting for a whole turn of the event loop, was measured to be slower (2026-11).
   */
  #batch = new Map<string, PromiseWithResolvers<void>>()

  constructor(options: RedisQueueOptions) {
    this.#options = options
    const { name, prefix, adds, workers, log } = options
    // Nobody reads BullMQ's stream of events.
    this.#queue = new Queue<string>(name, { prefix, connection: adds, streams: { events: { maxLen: 100 } } })
    this.#again = new Queue<string>(name, { prefix, connection: workers, skipMetasUpdate: true })
    for (const each of [this.#queue, this.#again]) each.on('error', (err) => log.debug({ err: err }, 'queue complains'))
  }

  add(key: string, afterMs = 0): Promise<void> {
    const reconciling = this.#under.get(key)
    if (afterMs > 0) {
      if (reconciling?.again === true) return Promise.resolve()
      if (reconciling !== undefined) reconciling.laterInRedis = true
      return this.#send(key, afterMs)
    }
    if (reconciling !== undefined && !reconciling.laterInRedis) {
      reconciling.again = true
      return Promise.resolve()
    }
    return this.#addToBatch(key)
  }

  async depth(): Promise<number> {
    const [waiting, active] = await Promise.all([this.#waiting(), this.#options.adds.llen(this.#queue.toKey('active'))]).catch(unavailable)
    return waiting + active
  }

  run(reconcile: Reconcile, options: RunOptions): Promise<Runner> {
    const { name, prefix, workers, clock, log } = this.#options
    const runner = new RedisRunner({
      name,
      prefix,
      client: workers,
      clock,
      log,
      concurrency: options.concurrency,
      reconcile: reconcileOnce(reconcile, options, log),
      // BullMQ's times are times of day, of whoever added; a job's own `delay` is set to 0 once it is due.
      onTaken: ({ data, timestamp, opts: { delay = 0 } }) => options.onTaken?.(data, Math.max(0, clock.now() - timestamp - delay)),
      under: this.#under,
      addAgain: (key, afterMs) => this.#again.add('look', key, jobOptions(key, afterMs)),
      waiting: () => this.#waiting(),
    })
    this.#runners.add(runner)
    return Promise.resolve({
      close: async () => {
        await runner.close()
        this.#runners.delete(runner)
      },
    })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#runners].map((runner) => runner.close()))
    await Promise.allSettled([this.#queue.close(), this.#again.close()])
  }

  #addToBatch(key: string): Promise<void> {
    const same = this.#batch.get(key)
    if (same !== undefined) return same.promise
    if (this.#batch.size === 0) process.nextTick(() => this.#endBatch())
    const added = Promise.withResolvers<void>()
    this.#batch.set(key, added)
    return added.promise
  }

  #endBatch(): void {
    const batch = this.#batch
    this.#batch = new Map()
    for (const [key, added] of batch) this.#send(key, 0).then(added.resolve, added.reject)
  }

  async #send(key: string, afterMs: number): Promise<void> {
    if (this.#options.adds.status !== 'ready') await this.#options.begun
    // BullMQ would wait for the connection.
    if (this.#options.adds.status !== 'ready') throw new QueueUnavailable({ reason: 'Redis is away' })
    await this.#queue.add('look', key, jobOptions(key, afterMs)).catch(unavailable)
  }

  /** Those that wait for now, or for a time that has come. */
  async #waiting(): Promise<number> {
    const { adds, clock } = this.#options
    const [waiting, due] = await Promise.all([
      adds.llen(this.#queue.toKey('wait')),
      // BullMQ's scores are times in milliseconds, times 4096.
      adds.zcount(this.#queue.toKey('delayed'), 0, clock.now() * 0x1000),
    ])
    return waiting + due
  }
}

function unavailable(cause: unknown): never {
  throw new QueueUnavailable({ reason: messageOf(cause), cause })
}

function jobOptions(key: string, afterMs: number): JobsOptions {
  const deduplication = { id: encodeKey(key), keepLastIfActive: true, replace: true }
  // BullMQ counts in whole milliseconds.
  return { deduplication, ...(afterMs > 0 ? { delay: Math.ceil(afterMs) } : {}) }
}
