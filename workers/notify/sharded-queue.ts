// Which lanes want a look. The queue carries only shards of them: whoever holds a shard looks after all its lanes, each by itself.
// What is due in a shard is known to every process by its own watch, so a shard may be anybody's, and one look at the queue serves
// many notices. A lane is never looked at twice at once, as its shard is held by one process.
import type { Reconcile, Runner, WorkQueue } from '../../core/contracts/queue.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { reconcileOnce, type ReconcileOnce } from '../../platform/queue/reconcile-once.ts'

export interface ShardedQueueOptions {
  readonly queue: WorkQueue
  readonly clock: Clock
  readonly log: Log
  /** Lanes that are looked at at once, over all shards. */
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
  /** Lanes being looked at, and whether they were woken meanwhile. */
  readonly running: Map<string, { again: boolean }>
  /** When the first of those is. */
  next: number
  /** While we hold it. */
  hold: Hold | undefined
  askedAt: number
}

/**
 * As many as processes may share the work, many times over. The same in every process, for ever: it is how they keep out of each other's
 * way.
 */
const shards = 64
/** Whom we asked the queue to call may have been another, who has ended before he knew of what we know. */
const askAgainMs = 1_000
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
    askedAt: Number.NEGATIVE_INFINITY,
  }))
  readonly #byKey = new Map(this.#shards.map((shard) => [shard.key, shard]))
  /** Lanes of shards that we hold, in the order in which they became due. */
  #ready: { readonly lane: string; readonly shard: Shard }[] = []
  #first = 0
  #underWay = 0
  #look: ReconcileOnce | undefined
  #stopping = false
  #cancelAsking: () => void = () => undefined

  constructor(options: ShardedQueueOptions) {
    this.#options = options
  }

  /** A lane wants a look now. */
  wake(lane: string): void {
    const shard = this.#shards[shardOf(lane)]!
    const running = shard.running.get(lane)
    if (running !== undefined) running.again = true
    else this.#due(shard, lane)
  }

  /** The queue may have lost what it held. */
  wakeAll(): void {
    for (const shard of this.#shards) {
      shard.askedAt = Number.NEGATIVE_INFINITY
      this.#ask(shard)
    }
  }

  /** There is nothing left in it. */
  forget(lane: string): void {
    const shard = this.#shards[shardOf(lane)]!
    shard.due.delete(lane)
    shard.later.delete(lane)
    this.#letGoWhenIdle(shard)
  }

  async run(look: Reconcile): Promise<Runner> {
    const { queue, log, retryAfterMs } = this.#options
    this.#look = reconcileOnce(look, { concurrency: 1, retryAfterMs }, log)
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

  #due(shard: Shard, lane: string): void {
    shard.later.delete(lane)
    if (shard.due.has(lane)) return
    shard.due.add(lane)
    if (shard.hold === undefined) return this.#ask(shard)
    this.#ready.push({ lane, shard })
    this.#pump()
  }

  #ask(shard: Shard): void {
    const { queue, clock, log } = this.#options
    const now = clock.elapsed()
    if (this.#stopping || shard.hold !== undefined || now - shard.askedAt < askAgainMs) return
    shard.askedAt = now
    queue.add(shard.key).catch((err: unknown) => log.debug({ shard: shard.key, err: err }, 'notices not queued yet'))
  }

  #askAgainLater(): void {
    this.#cancelAsking = this.#options.clock.after(askAgainMs, () => {
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
    shard.askedAt = Number.NEGATIVE_INFINITY
    shard.hold = { signal, idle: resolve, cancel: () => undefined, cancelEnd: undefined }
    const lost = (): void => this.#letGoWhenIdle(shard)
    signal.addEventListener('abort', lost)
    for (const lane of shard.due) this.#ready.push({ lane, shard })
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
    for (const [lane, at] of shard.later) {
      if (at <= now) this.#due(shard, lane)
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
      if (hold !== undefined && !this.#mustEnd(hold) && next.shard.due.delete(next.lane)) void this.#run(next.lane, next.shard, hold.signal)
    }
    if (this.#first === this.#ready.length || this.#first > 1_024) {
      this.#ready = this.#ready.slice(this.#first)
      this.#first = 0
    }
  }

  async #run(lane: string, shard: Shard, signal: AbortSignal): Promise<void> {
    const running = { again: false }
    shard.running.set(lane, running)
    this.#underWay += 1
    const againMs = await this.#look!(lane, signal)
    this.#underWay -= 1
    shard.running.delete(lane)
    // A look that was cut off has settled nothing, and whoever holds the shard now may have been cut off too.
    if (running.again || againMs === 0 || signal.aborted) this.#due(shard, lane)
    else if (againMs !== undefined) this.#later(shard, lane, againMs)
    this.#pump()
    this.#letGoWhenIdle(shard)
  }

  #later(shard: Shard, lane: string, afterMs: number): void {
    const at = this.#options.clock.elapsed() + afterMs
    shard.later.set(lane, at)
    if (at < shard.next) this.#takeLater(shard)
  }
}

const isIdle = ({ running, due }: Shard): boolean => running.size === 0 && due.size === 0

/** Lanes of one object are in one shard. */
function shardOf(lane: string): number {
  let sum = 0
  for (let i = 0; i < 36 && i < lane.length && lane[i] !== '.'; i++) sum = (sum * 31 + lane.charCodeAt(i)) >>> 0
  return sum % shards
}
