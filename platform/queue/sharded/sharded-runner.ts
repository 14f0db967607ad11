import type { RunOptions } from '../../../core/contracts/queue.ts'
import { Fifo } from '../fifo.ts'
import type { ReconcileOnce } from '../reconcile-once.ts'
import type { Holder, Shard, TakenKey } from './shard.ts'

export interface ShardedRunnerOptions {
  readonly concurrency: number
  readonly onTaken: RunOptions['onTaken']
  readonly reconcile: ReconcileOnce
  readonly shardOf: (key: string) => Shard
}

/** One runner of a sharded queue: keys of all shards that it holds, in the order in which they became due. */
export class ShardedRunner implements Holder {
  readonly #options: ShardedRunnerOptions
  /** Those that have been taken by another since, or forgotten, are passed over. */
  readonly #due = new Fifo()
  #underWay = 0
  closing = false

  constructor(options: ShardedRunnerOptions) {
    this.#options = options
  }

  offer(key: string): void {
    this.#due.push(key)
    this.#pump()
  }

  #pump(): void {
    while (this.#underWay < this.#options.concurrency) {
      const key = this.#due.shift()
      if (key === undefined) return
      const shard = this.#options.shardOf(key)
      const taken = shard.take(key, this)
      if (taken !== undefined) void this.#run(key, shard, taken)
    }
  }

  async #run(key: string, shard: Shard, { signal, waitedMs }: TakenKey): Promise<void> {
    this.#underWay += 1
    this.#options.onTaken?.(key, waitedMs)
    const againMs = await this.#options.reconcile(key, signal)
    this.#underWay -= 1
    // A reconcile that was cut off has settled nothing, and the process that holds the shard now may have been cut off too.
    shard.keys.end(key, signal.aborted ? 0 : againMs)
    this.#pump()
    shard.letGoWhenIdle()
  }
}
