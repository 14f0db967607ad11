// The weakest queue that the laws of queues allow, shared by the processes of one role: it delivers late, out of order and twice,
// takes keys from runners it thinks dead, and loses all it has.
import type { Reconcile, Queues, RunOptions, Runner, WorkQueue } from '../../core/contracts/queue.ts'
import type { Log } from '../../platform/log.ts'
import { reconcileOnce, type ReconcileOnce } from '../../platform/queue/reconcile-once.ts'
import { Dice } from './dice.ts'
import type { Process } from './process.ts'
import type { Scheduler } from './scheduler.ts'

interface SimulatedRunner {
  readonly process: Process
  readonly reconcile: ReconcileOnce
  readonly onTaken: RunOptions['onTaken']
  readonly concurrency: number
  looking: number
  closed: boolean
  /** Called when its last look has ended after it was closed. */
  idle: () => void
}
interface Running {
  readonly runner: SimulatedRunner
  readonly lost: AbortController
  again: boolean
}
interface Named {
  readonly name: string
  /** Since when each waits. */
  readonly waiting: Map<string, number>
  readonly later: Map<string, { readonly at: number; readonly cancel: () => void }>
  readonly running: Map<string, Running>
  readonly runners: Set<SimulatedRunner>
}

/** How long a key of a runner that has died is not given to another, at most. */
const stalledMs = 15_000
const lossNoticedMs = 5_000

export class Broker {
  readonly #scheduler: Scheduler
  readonly #dice: Dice
  readonly #queues = new Map<string, Named>()
  readonly #onLoss = new Map<Process, (() => void)[]>()
  /** So many of the next keys are looked at by a second runner, as if the first were thought dead. */
  doubled = 0

  constructor(scheduler: Scheduler, dice: Dice) {
    this.#scheduler = scheduler
    this.#dice = dice
  }

  queuesOf(process: Process, log: Log): Queues {
    return {
      name: 'simulated',
      open: (name) => this.#openFor(process, name, log),
      problem: () => undefined,
      onLoss: (listener) => void this.#onLoss.set(process, [...(this.#onLoss.get(process) ?? []), listener]),
      close: () => Promise.resolve(),
    }
  }

  /** Names of queues to which keys were added and which nobody has ever run. */
  get unrun(): readonly string[] {
    return [...this.#queues.values()].filter(({ runners, waiting }) => runners.size === 0 && waiting.size > 0).map(({ name }) => name)
  }

  /** Everything that waits is lost; processes notice by and by. */
  flush(): void {
    for (const { waiting, later } of this.#queues.values()) {
      waiting.clear()
      for (const { cancel } of later.values()) cancel()
      later.clear()
    }
    for (const [process, listeners] of this.#onLoss)
      this.#scheduler.after(this.#dice.next() * lossNoticedMs, 'queue lost', () => listeners.forEach((listener) => listener()), process)
  }

  #openFor(process: Process, name: string, log: Log): WorkQueue {
    const queue = this.#queues.get(name) ?? { name, waiting: new Map(), later: new Map(), running: new Map(), runners: new Set() }
    this.#queues.set(name, queue)
    return {
      // It gets there although whoever sent it dies meanwhile.
      add: (key, afterMs = 0) =>
        new Promise((done) => {
          this.#scheduler.after(process.way(), `add ${name} ${key}`, () => {
            this.#put(queue, key, afterMs)
            if (process.alive) done()
          })
        }),
      depth: () => Promise.resolve(queue.waiting.size + queue.running.size),
      run: (reconcile, options) => Promise.resolve(this.#run(queue, process, { reconcile, options, log })),
    }
  }

  #run(
    queue: Named,
    process: Process,
    { reconcile, options, log }: { readonly reconcile: Reconcile; readonly options: RunOptions; readonly log: Log },
  ): Runner {
    const runner: SimulatedRunner = {
      process,
      reconcile: reconcileOnce(reconcile, options, log),
      onTaken: options.onTaken,
      concurrency: options.concurrency,
      looking: 0,
      closed: false,
      idle: () => undefined,
    }
    queue.runners.add(runner)
    process.onEnd(() => this.#ended(queue, runner))
    this.#offer(queue)
    return {
      close: async () => {
        runner.closed = true
        queue.runners.delete(runner)
        if (runner.looking > 0) await new Promise<void>((idle) => (runner.idle = idle))
      },
    }
  }

  /** What it was looking at is given to another after a while. */
  #ended(queue: Named, runner: SimulatedRunner): void {
    queue.runners.delete(runner)
    for (const [key, running] of queue.running) {
      if (running.runner !== runner) continue
      this.#scheduler.after(this.#dice.next() * stalledMs, `stalled ${queue.name} ${key}`, () => {
        if (queue.running.get(key) !== running) return
        queue.running.delete(key)
        this.#put(queue, key, 0)
      })
    }
  }

  #put(queue: Named, key: string, afterMs: number): void {
    if (queue.waiting.has(key)) return
    if (afterMs > 0) return this.#putLater(queue, key, afterMs)
    queue.later.get(key)?.cancel()
    queue.later.delete(key)
    const running = queue.running.get(key)
    if (running !== undefined) running.again = true
    else {
      queue.waiting.set(key, this.#scheduler.now)
      this.#offer(queue)
    }
  }

  #putLater(queue: Named, key: string, afterMs: number): void {
    const at = this.#scheduler.now + afterMs
    const existing = queue.later.get(key)
    if (queue.running.get(key)?.again === true || (existing !== undefined && existing.at <= at)) return
    existing?.cancel()
    const cancel = this.#scheduler.after(afterMs, `due ${queue.name} ${key}`, () => {
      queue.later.delete(key)
      this.#put(queue, key, 0)
    })
    queue.later.set(key, { at, cancel })
  }

  #offer(queue: Named): void {
    if (queue.waiting.size === 0 || queue.runners.size === 0) return
    this.#scheduler.after(this.#dice.next() * 2, `offer ${queue.name}`, () => this.#deliver(queue))
  }

  /** A key that waits, not always the oldest, to a runner that has room. */
  #deliver(queue: Named): void {
    const free = [...queue.runners].filter((runner) => runner.looking < runner.concurrency && !runner.closed)
    if (free.length === 0 || queue.waiting.size === 0) return
    const key = this.#dice.pick([...queue.waiting.keys()].slice(0, 4))
    const since = queue.waiting.get(key)!
    queue.waiting.delete(key)
    const runner = this.#dice.pick(free)
    runner.onTaken?.(key, this.#scheduler.now - since)
    const running: Running = { runner, lost: new AbortController(), again: false }
    queue.running.set(key, running)
    void this.#reconcile(queue, key, running)
    if (this.doubled > 0 && free.length > 1) this.#double(queue, key, running, free)
    this.#offer(queue)
  }

  /** The first is thought dead and goes on for a while: its signal falls late. */
  #double(queue: Named, key: string, running: Running, free: readonly SimulatedRunner[]): void {
    this.doubled--
    const other = this.#dice.pick(free.filter((each) => each !== running.runner))
    const second: Running = { runner: other, lost: new AbortController(), again: running.again }
    queue.running.set(key, second)
    this.#scheduler.say(other.process.name, `delivered twice ${queue.name} ${key}`)
    this.#scheduler.after(this.#dice.next() * 5_000, `lock lost ${queue.name} ${key}`, () => running.lost.abort(), running.runner.process)
    void this.#reconcile(queue, key, second)
  }

  async #reconcile(queue: Named, key: string, running: Running): Promise<void> {
    const { runner, lost } = running
    runner.looking++
    this.#scheduler.say(runner.process.name, `look ${queue.name} ${key}`)
    const again = await runner.reconcile(key, lost.signal)
    runner.looking--
    if (runner.closed && runner.looking === 0) runner.idle()
    if (queue.running.get(key) === running) {
      queue.running.delete(key)
      if (running.again) this.#put(queue, key, 0)
      else if (again !== undefined) this.#put(queue, key, again)
    }
    this.#offer(queue)
  }
}
