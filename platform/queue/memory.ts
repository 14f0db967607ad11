// The queue inside one process: for tests, and where there is no Redis. What it holds goes with the process.
import type { Reconcile, Queues, RunOptions, Runner, WorkQueue } from '../../core/contracts/queue.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { Fifo } from './fifo.ts'
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

interface Later {
  readonly dueMs: number
  readonly cancel: () => void
}

export class MemoryQueue implements WorkQueue {
  readonly #clock: Clock
  readonly #log: Log
  readonly #waiting = new Fifo()
  /** When each of them was due. */
  readonly #dueMs = new Map<string, number>()
  readonly #later = new Map<string, Later>()
  /** Keys being looked at, and whether they were added meanwhile. */
  readonly #running = new Map<string, { again: boolean }>()
  readonly #runners = new Set<MemoryRunner>()
  #starting = false

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  add(key: string, afterMs = 0): Promise<void> {
    this.#put(key, afterMs)
    return Promise.resolve()
  }

  depth(): Promise<number> {
    return Promise.resolve(this.#waiting.size + this.#running.size)
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

  /** Forgets what is due later, so that no timer outlives the queue. */
  close(): void {
    for (const { cancel } of this.#later.values()) cancel()
    this.#later.clear()
    this.#runners.clear()
  }

  #put(key: string, afterMs: number): void {
    if (this.#waiting.has(key)) return
    if (afterMs > 0) return this.#putLater(key, afterMs)
    this.#later.get(key)?.cancel()
    this.#later.delete(key)
    const running = this.#running.get(key)
    if (running !== undefined) running.again = true
    else {
      this.#waiting.push(key)
      this.#dueMs.set(key, this.#clock.elapsed())
      this.#start()
    }
  }

  #putLater(key: string, afterMs: number): void {
    const dueMs = this.#clock.elapsed() + afterMs
    const existing = this.#later.get(key)
    if (this.#running.get(key)?.again === true || (existing !== undefined && existing.dueMs <= dueMs)) return
    existing?.cancel()
    this.#later.set(key, { dueMs, cancel: this.#clock.after(afterMs, () => this.#put(key, 0)) })
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
    const running = { again: false }
    this.#running.set(key, running)
    runner.running += 1
    const now = this.#clock.elapsed()
    runner.onTaken?.(key, now - (this.#dueMs.get(key) ?? now))
    this.#dueMs.delete(key)
    // Nobody can take a key from this process: its signal never falls.
    const again = await runner.reconcile(key, new AbortController().signal)
    this.#running.delete(key)
    if (running.again) this.#put(key, 0)
    else if (again !== undefined) this.#put(key, again)
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
