// The queue inside one process: for tests, and where there is no Redis. What it holds goes with the process.
import type { Reconcile, Queues, RunOptions, Runner, WorkQueue } from '../../core/contracts/queue.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { Fifo } from './fifo.ts'
import { PendingKeys } from './pending-keys.ts'
import { reconcileOnce } from './reconcile-once.ts'
import type { ReconcileOnce } from './reconcile-once.ts'

interface MemoryRunner {
  readonly reconcile: ReconcileOnce
  readonly concurrency: number
  readonly onTaken: RunOptions['onTaken']
  running: number
  closed: boolean
  /** Called when its last reconcile has ended after it was closed. */
  idle: () => void
}

export class MemoryQueue implements WorkQueue {
  readonly #clock: Clock
  readonly #log: Log
  readonly #keys: PendingKeys
  /** Those that wait: the first is taken in constant time. */
  readonly #waiting = new Fifo()
  readonly #runners = new Set<MemoryRunner>()
  #starting = false

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
    this.#keys = new PendingKeys(clock, (key) => {
      this.#waiting.push(key)
      this.#start()
    })
  }

  add(key: string, afterMs = 0): Promise<void> {
    this.#keys.add(key, afterMs)
    return Promise.resolve()
  }

  depth(): Promise<number> {
    return Promise.resolve(this.#keys.depth)
  }

  run(reconcile: Reconcile, options: RunOptions): Promise<Runner> {
    const runner: MemoryRunner = {
      reconcile: reconcileOnce(reconcile, options, this.#log),
      concurrency: options.concurrency,
      onTaken: options.onTaken,
      running: 0,
      closed: false,
      idle: () => undefined,
    }
    this.#runners.add(runner)
    this.#start()
    return Promise.resolve({
      close: async () => {
        runner.closed = true
        this.#runners.delete(runner)
        if (runner.running > 0) await new Promise<void>((resolve) => (runner.idle = resolve))
      },
    })
  }

  close(): void {
    this.#keys.close()
    this.#runners.clear()
  }

  /** In a turn of the event loop of its own, so that reconciles which never wait for anything do not shut out I/O. */
  #start(): void {
    if (this.#starting) return
    this.#starting = true
    this.#clock.soon(() => {
      this.#starting = false
      for (const runner of this.#runners) {
        while (runner.running < runner.concurrency && this.#waiting.size > 0) void this.#run(runner, this.#waiting.shift()!)
      }
    })
  }

  async #run(runner: MemoryRunner, key: string): Promise<void> {
    runner.running += 1
    const waitedMs = this.#keys.take(key) ?? 0
    runner.onTaken?.(key, waitedMs)
    // Nobody can take a key from this process: its signal never falls.
    this.#keys.end(key, await runner.reconcile(key, new AbortController().signal))
    this.#release(runner)
  }

  #release(runner: MemoryRunner): void {
    runner.running -= 1
    if (!runner.closed) this.#start()
    else if (runner.running === 0) runner.idle()
  }
}

export function memoryQueues({ log, clock }: { readonly log: Log; readonly clock: Clock }): Queues {
  const queues = new Map<string, MemoryQueue>()
  return {
    name: 'memory',
    open(name) {
      const queue = queues.get(name) ?? new MemoryQueue(clock, log.child({ queue: name }))
      queues.set(name, queue)
      return queue
    },
    problem: () => undefined,
    // What it holds goes with the process, which relists when it starts.
    onLoss: () => undefined,
    close() {
      for (const queue of queues.values()) queue.close()
      return Promise.resolve()
    },
  }
}
