// Watches over Redis: is it there, is it safe to use, and has it lost what we put there?
import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Client } from './redis.ts'

const everyMs = 1_000
/** A server's settings can be changed while it runs. */
const serverEveryMs = 30_000
/**
 * A master that a cluster has replaced takes what comes over old connections until it hears of it: within cluster-node-timeout, 15 s unless
 * set.
 */
const replacedMs = 30_000

/** Asked of whichever node has the key's slot: a cluster's nodes take turns in answering what names no key. */
const whoHas = "return redis.call('INFO', 'server')"
const runIdIn = (about: string): string | undefined => /^run_id:(\w+)/m.exec(about)?.[1]

export interface RedisWatchdogOptions {
  readonly client: Client
  readonly clock: Clock
  readonly log: Log
  readonly lost: () => void
}

/**
 * Each queue keeps a mark of random value beside its jobs. A mark that is gone or another means that the jobs are gone too
 * (FLUSHALL). A server with another run id was restarted or has taken over from a failed one: its last second of adds may be
 * missing, although the mark is there. In a cluster each queue has a server of its own.
 */
export class RedisWatchdog {
  readonly #options: RedisWatchdogOptions
  readonly #marks = new Map<string, string>()
  /** In a cluster: the run id of whoever has the mark. */
  readonly #masters = new Map<string, string>()
  #cancelReplaced: () => void = () => undefined
  #stopped = false
  #runId: string | undefined
  #problem: string | undefined = 'Redis has not answered yet'
  #wrongPolicy: string | undefined
  #askServerAtMs = 0
  #wake: () => void = () => undefined
  /** Why the last connection was none: what a command says of it is only that there is none. */
  #broken: string | undefined
  readonly #reconnected = () => {
    this.#broken = undefined
    this.#askServerAtMs = 0
    this.#wake()
  }
  readonly #refused = (err: Error) => {
    this.#broken = err.message
  }

  constructor(options: RedisWatchdogOptions) {
    this.#options = options
    options.client.on('ready', this.#reconnected).on('error', this.#refused)
    void this.#watch()
  }

  get problem(): string | undefined {
    return this.#problem
  }

  /** @param key where in Redis the mark is kept; in a cluster it must share the queue's slot */
  guard(key: string): void {
    if (this.#marks.has(key)) return
    this.#marks.set(key, '')
    if (this.#options.client.status === 'ready') this.#wake()
  }

  close(): void {
    this.#stopped = true
    this.#cancelReplaced()
    this.#options.client.off('ready', this.#reconnected).off('error', this.#refused)
    this.#wake()
  }

  async #watch(): Promise<void> {
    // The connection is being made: asking it now would only tell of a problem that is none.
    if (this.#options.client.status !== 'ready') await this.#pause()
    while (!this.#stopped) {
      await this.#check()
      await this.#pause()
    }
  }

  #pause(): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(everyMs, resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
  }

  async #check(): Promise<void> {
    const { client } = this.#options
    const before = this.#problem
    try {
      await this.#askServer(client)
      const lost = await Promise.all([...this.#marks.keys()].map((key) => this.#markLost(client, key)))
      this.#problem = this.#wrongPolicy
      if (lost.includes(true)) this.#lost('the marks of queues are gone from Redis')
      if (client.isCluster) await this.#askMasters(client)
    } catch (err) {
      this.#problem = `Redis does not answer: ${this.#broken ?? (err as Error).message}`
    }
    this.#notify(before)
  }

  #notify(before: string | undefined): void {
    if (this.#stopped || before === this.#problem) return
    if (this.#problem === undefined) this.#options.log.info('the queue is well')
    else this.#options.log.warn({ problem: this.#problem }, 'the queue is not well')
  }

  #lost(why: string): void {
    this.#options.log.warn({ why }, 'queued keys may be lost')
    this.#options.lost()
  }

  async #askServer(client: Client): Promise<void> {
    if (this.#options.clock.elapsed() < this.#askServerAtMs) return
    const about = await client.info()
    const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(about)?.[1]
    // A cluster's nodes take turns in answering; each has a run id of its own.
    const runId = client.isCluster ? undefined : field('run_id')
    const other = this.#runId !== undefined && runId !== this.#runId
    this.#runId = runId
    const policy = field('maxmemory_policy')
    const safe = policy === undefined || policy === 'noeviction'
    this.#wrongPolicy = safe
      ? undefined
      : `Redis may drop queued keys when its memory is full: its maxmemory-policy is ${policy} and must be noeviction`
    this.#askServerAtMs = this.#options.clock.elapsed() + serverEveryMs
    if (other) this.#lost('Redis is another process than before')
  }

  async #askMasters(client: Client): Promise<void> {
    const replaced = await Promise.all([...this.#marks.keys()].map((key) => this.#isReplaced(client, key)))
    if (!replaced.includes(true)) return
    const why = 'another server of the cluster has queues than before'
    this.#lost(why)
    this.#cancelReplaced()
    this.#cancelReplaced = this.#options.clock.after(replacedMs, () => this.#lost(why))
  }

  async #isReplaced(client: Client, key: string): Promise<boolean> {
    const about = String(await client.eval(whoHas, 1, key))
    const [before, now] = [this.#masters.get(key), runIdIn(about)]
    if (now !== undefined) this.#masters.set(key, now)
    return before !== undefined && now !== before
  }

  async #markLost(client: Client, key: string): Promise<boolean> {
    const known = this.#marks.get(key)
    let mark = await client.get(key)
    if (mark === null) {
      await client.setnx(key, randomUUID())
      mark = await client.get(key)
    }
    this.#marks.set(key, mark ?? '')
    // An empty one was never read: this process has only begun, and lists everything anyway.
    return known !== '' && known !== mark
  }
}
