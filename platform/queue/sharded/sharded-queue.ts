// A queue of very many keys on top of another, which carries only shards of them: the process that holds a shard reconciles all of its
// keys, each by itself. Keys stay in the process that has added them, so every process adds all that it hears of: then any of them can
// hold the shard, and one job of the other queue serves many keys. A key is never reconciled twice at once, as one runner holds its shard.
// What one process alone has added waits until the other queue gives the shard to that process.
import type { Reconcile, Queues, RunOptions, Runner, WorkQueue } from '../../../core/contracts/queue.ts'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import { reconcileOnce } from '../reconcile-once.ts'
import { Shard } from './shard.ts'
import { ShardedRunner } from './sharded-runner.ts'

export interface ShardedQueuesOptions {
  readonly clock: Clock
  readonly log: Log
  /** Keys of one group are in one shard; each key is a group of its own unless given. The same in every process, for ever. */
  readonly groupOf?: (key: string) => string
}

/**
 * As many as processes may share the work, many times over. The same in every process, for ever: it is how they keep out of each other's
 * way.
 */
const shards = 64
/**
 * The other queue may have given the shard to another process, which does not know of what we know, or has ended: so it is asked again
 * after so long.
 */
const askAgainMs = 1_000

export class ShardedQueue implements WorkQueue {
  readonly #carrier: WorkQueue
  readonly #options: ShardedQueuesOptions
  readonly #shards: readonly Shard[]
  readonly #byName: ReadonlyMap<string, Shard>
  readonly #runners = new Set<ShardedRunner>()
  #cancelAsking: () => void = () => undefined

  /** @param carrier carries the shards, and nothing else */
  constructor(carrier: WorkQueue, options: ShardedQueuesOptions) {
    this.#carrier = carrier
    this.#options = options
    this.#shards = Array.from({ length: shards }, (_, i) => new Shard(`shard-${i}`, options.clock, (shard) => this.#ask(shard)))
    this.#byName = new Map(this.#shards.map((shard) => [shard.name, shard]))
  }

  /** Never fails: a carrier that is away is asked again. */
  add(key: string, afterMs = 0): Promise<void> {
    this.#shardOf(key).keys.add(key, afterMs)
    return Promise.resolve()
  }

  /** There is nothing left to do for it, say others: it no longer waits in this process. */
  forget(key: string): void {
    const shard = this.#shardOf(key)
    shard.keys.forget(key)
    shard.letGoWhenIdle()
  }

  depth(): Promise<number> {
    return Promise.resolve(this.#shards.reduce((sum, { keys }) => sum + keys.depth, 0))
  }

  async run(reconcile: Reconcile, options: RunOptions): Promise<Runner> {
    const { concurrency, retryAfterMs, onTaken } = options
    const runner = new ShardedRunner({
      reconcile: reconcileOnce(reconcile, options, this.#options.log),
      concurrency,
      onTaken,
      shardOf: (key) => this.#shardOf(key),
    })
    this.#runners.add(runner)
    const carried = await this.#carrier.run(
      // Another release's shards are none of ours.
      (name, signal) => this.#byName.get(name)?.hold(runner, signal) ?? Promise.resolve(undefined),
      { concurrency: shards, retryAfterMs },
    )
    this.#cancelAsking()
    this.#askAgainLater()
    this.#askForAll()
    return {
      close: async () => {
        runner.closing = true
        this.#runners.delete(runner)
        if (this.#runners.size === 0) this.#cancelAsking()
        for (const shard of this.#shards) shard.letGoWhenIdle()
        await carried.close()
      },
    }
  }

  /** The carrier may have lost the shards that it was asked for. */
  carrierLost(): void {
    for (const shard of this.#shards) shard.askedAt = Number.NEGATIVE_INFINITY
    this.#askForAll()
  }

  close(): void {
    for (const { keys } of this.#shards) keys.close()
    this.#cancelAsking()
    this.#runners.clear()
  }

  #shardOf(key: string): Shard {
    return this.#shards[hash(this.#options.groupOf?.(key) ?? key) % shards]!
  }

  #askForAll(): void {
    for (const shard of this.#shards) if (shard.keys.areWaiting) this.#ask(shard)
  }

  /** Where nobody runs in this process, the next one who does asks. */
  #ask(shard: Shard): void {
    const { clock, log } = this.#options
    const now = clock.elapsed()
    if (this.#runners.size === 0 || shard.isHeld || now - shard.askedAt < askAgainMs) return
    shard.askedAt = now
    this.#carrier.add(shard.name).catch((err: unknown) => log.debug({ shard: shard.name, err: err }, 'shard not queued yet'))
  }

  #askAgainLater(): void {
    this.#cancelAsking = this.#options.clock.after(askAgainMs, () => {
      this.#askAgainLater()
      this.#askForAll()
    })
  }
}

export interface ShardedQueues extends Queues {
  open(name: string): ShardedQueue
}

/** Sharded queues of this process on top of others, which whoever opened them closes. */
export function shardedQueues(carriers: Queues, options: ShardedQueuesOptions): ShardedQueues {
  const queues = new Map<string, ShardedQueue>()
  carriers.onLoss(() => queues.forEach((queue) => queue.carrierLost()))
  return {
    name: carriers.name,
    open(name) {
      const queue = queues.get(name) ?? new ShardedQueue(carriers.open(name), { ...options, log: options.log.child({ queue: name }) })
      queues.set(name, queue)
      return queue
    },
    problem: () => carriers.problem(),
    // What they hold goes with the process.
    onLoss: () => undefined,
    close() {
      for (const queue of queues.values()) queue.close()
      return Promise.resolve()
    },
  }
}

function hash(group: string): number {
  let sum = 0
  for (let i = 0; i < group.length; i++) sum = (sum * 31 + group.charCodeAt(i)) >>> 0
  return sum
}
