// Which delivery queues are to be reconciled. The work queue carries only shards of them: the process that holds a shard reconciles all
// of its delivery queues, each by itself. What is due in a shard every process knows from its own watch, so any process can hold it, and
// one job of the work queue serves many Notices. A delivery queue is never reconciled twice at once, as one process holds its shard.
import type { Reconcile, Runner, WorkQueue } from '../../core/contracts/queue.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { reconcileOnce, type ReconcileOnce } from '../../platform/queue/reconcile-once.ts'

export interface ShardedQueueOptions {
  readonly queue: WorkQueue
  readonly clock: Clock
  readonly log: Log
  /** Delivery queues that are reconciled at once, over all shards. */
  readonly concurrency: number
  /** As RunOptions has it. */
  readonly retryAfterMs: (err: unknown, attempt: number) => number
}

interface Hold {
  readonly signal: AbortSignal
  readonly idle: () => void
  cancel: () => void
  cancelEnd: (() => void) | undefined
}

interface Shard {
  readonly key: string
  readonly due: Set<string>
  /** When each is due, in milliseconds since 1970. */
  readonly later: Map<string, number>
  /** Delivery queues being reconciled, and whether they were woken meanwhile. */
  readonly running: Map<string, { again: boolean }>
  /** When the first in `later` is due. */
  next: number
  /** While we hold it. */
  hold: Hold | undefined
  addedAt: number
}

/**
 * As many as processes may share the work, many times over. The same in every process, for ever: it is how they keep out of each other's
 * way.
 */
const shards = 64
/**
 * The work queue may have given the shard to another process, which has ended before it knew of what we know: so it is asked again after
 * so long.
 */
const retryMs = 1_000
/**
 * A shard in which nothing is due is kept for so long: what waits for room at a receiver is due again in a moment, and each time that a
 * shard is let go costs the queue as much as two deliveries.
 */
export const lingerMs = 100
const never = Number.POSITIVE_INFINITY

export class ShardedQueue {
  readonly #options: ShardedQueueOptions
  readonly #shards: readonly Shard[] = Array.from({ length: shards }, (_, i) => ({
    key: `shard-${i}`,
    due: new Set(),
    later: new Map(),
    next: never,
    running: new Map(),
    hold: undefined,
    addedAt: Number.NEGATIVE_INFINITY,
  }))
  readonly #byKey = new Map(this.#shards.map((shard) => [shard.key, shard]))
  /** Delivery queues of shards that we hold, in the order in which they became due. */
  #ready: { readonly key: string; readonly shard: Shard }[] = []
  #first = 0
  #underWay = 0
  #reconcile: ReconcileOnce | undefined
  #stopping = false
  #cancelAsking: () => void = () => undefined

  constructor(options: ShardedQueueOptions) {
    this.#options = options
  }

  /** A delivery queue is to be reconciled now. */
  wake(key: string): void {
    const shard = this.#shards[shardOf(key)]!
    const running = shard.running.get(key)
    if (running !== undefined) running.again = true
    else this.#due(shard, key)
  }

  /** The queue may have lost what it held. */
  wakeAll(): void {
    for (const shard of this.#shards) {
      shard.addedAt = Number.NEGATIVE_INFINITY
      this.#ask(shard)
    }
  }

  /** There is nothing left in it. */
  forget(key: string): void {
    const shard = this.#shards[shardOf(key)]!
    shard.due.delete(key)
    shard.later.delete(key)
    this.#letGoWhenIdle(shard)
  }

  async run(reconcile: Reconcile): Promise<Runner> {
    const { queue, log, retryAfterMs } = this.#options
    this.#reconcile = reconcileOnce(reconcile, { concurrency: 1, retryAfterMs }, log)
    const runner = await queue.run((key, signal) => this.#hold(this.#byKey.get(key), signal), { concurrency: shards, retryAfterMs })
    this.#askAgainLater()
    return {
      close: async () => {
        this.#stopping = true
        this.#cancelAsking()
        for (const shard of this.#shards) this.#letGoWhenIdle(shard)
        await runner.close()
      },
    }
  }

  #due(shard: Shard, key: string): void {
    shard.later.delete(key)
    if (shard.due.has(key)) return
    shard.due.add(key)
    if (shard.hold === undefined) return this.#ask(shard)
    this.#ready.push({ key, shard })
    this.#pump()
  }

  #ask(shard: Shard): void {
    const { queue, clock, log } = this.#options
    const now = clock.elapsed()
    if (this.#stopping || shard.hold !== undefined || now - shard.addedAt < retryMs) return
    shard.addedAt = now
    queue.add(shard.key).catch((err: unknown) => log.debug({ shard: shard.key, err: err }, 'notices not queued yet'))
  }

  #askAgainLater(): void {
    this.#cancelAsking = this.#options.clock.after(retryMs, () => {
      const now = this.#options.clock.elapsed()
      for (const shard of this.#shards) if (shard.due.size > 0 || shard.next <= now) this.#ask(shard)
      if (!this.#stopping) this.#askAgainLater()
    })
  }

  /** Ours from now on, until nothing in it is due; says after how long something will be. */
  async #hold(shard: Shard | undefined, signal: AbortSignal): Promise<number | undefined> {
    if (shard === undefined) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    // Given to us once more before we have heard that the first time is over.
    if (shard.hold !== undefined) this.#letGo(shard)
    shard.addedAt = Number.NEGATIVE_INFINITY
    shard.hold = { signal, idle: resolve, cancel: () => undefined, cancelEnd: undefined }
    const lost = (): void => this.#letGoWhenIdle(shard)
    signal.addEventListener('abort', lost)
    for (const key of shard.due) this.#ready.push({ key, shard })
    this.#takeLater(shard)
    this.#pump()
    // Where nothing is due here it may be with somebody else.
    if (isIdle(shard)) this.#letGo(shard)
    else this.#letGoWhenIdle(shard)
    await promise
    signal.removeEventListener('abort', lost)
    if (shard.due.size > 0) return 0
    return shard.next === never ? undefined : Math.max(1, shard.next - this.#options.clock.elapsed())
  }

  /** What has become due by now; and again when the next will be. */
  #takeLater(shard: Shard): void {
    const { clock } = this.#options
    if (shard.hold === undefined) return
    shard.hold.cancel()
    const now = clock.elapsed()
    shard.next = never
    for (const [key, at] of shard.later) {
      if (at <= now) this.#due(shard, key)
      else if (at < shard.next) shard.next = at
    }
    if (shard.next < never) shard.hold.cancel = clock.after(shard.next - now, () => this.#takeLater(shard))
  }

  #letGoWhenIdle(shard: Shard): void {
    const { hold } = shard
    if (hold === undefined || shard.running.size > 0) return
    if (this.#mustEnd(hold)) return this.#letGo(shard)
    if (!isIdle(shard)) return
    hold.cancelEnd ??= this.#options.clock.after(lingerMs, () => {
      hold.cancelEnd = undefined
      if (isIdle(shard)) this.#letGo(shard)
    })
  }

  /** From this very moment on: who is woken before the queue hears of it asks for the shard anew. */
  #letGo(shard: Shard): void {
    const { hold } = shard
    shard.hold = undefined
    hold?.cancel()
    hold?.cancelEnd?.()
    hold?.idle()
  }

  #mustEnd({ signal }: { readonly signal: AbortSignal }): boolean {
    return this.#stopping || signal.aborted
  }

  #pump(): void {
    while (this.#underWay < this.#options.concurrency) {
      const next = this.#ready[this.#first]
      if (next === undefined) break
      this.#first += 1
      const { hold } = next.shard
      if (hold !== undefined && !this.#mustEnd(hold) && next.shard.due.delete(next.key)) void this.#run(next.key, next.shard, hold.signal)
    }
    if (this.#first === this.#ready.length || this.#first > 1_024) {
      this.#ready = this.#ready.slice(this.#first)
      this.#first = 0
    }
  }

  async #run(key: string, shard: Shard, signal: AbortSignal): Promise<void> {
    const running = { again: false }
    shard.running.set(key, running)
    this.#underWay += 1
    const againMs = await this.#reconcile!(key, signal)
    this.#underWay -= 1
    shard.running.delete(key)
    // A reconcile that was cut off has settled nothing, and the process that holds the shard now may have been cut off too.
    if (running.again || againMs === 0 || signal.aborted) this.#due(shard, key)
    else if (againMs !== undefined) this.#later(shard, key, againMs)
    this.#pump()
    this.#letGoWhenIdle(shard)
  }

  #later(shard: Shard, key: string, afterMs: number): void {
    const at = this.#options.clock.elapsed() + afterMs
    shard.later.set(key, at)
    if (at < shard.next) this.#takeLater(shard)
  }
}

const isIdle = ({ running, due }: Shard): boolean => running.size === 0 && due.size === 0

/** Delivery queues of one object are in one shard. */
function shardOf(key: string): number {
  let sum = 0
  for (let i = 0; i < 36 && i < key.length && key[i] !== '.'; i++) sum = (sum * 31 + key.charCodeAt(i)) >>> 0
  return sum % shards
}
