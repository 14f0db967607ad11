// The one scheduler of a simulation. Whatever waits (a call's answer, a timer, a watch's news, an event of the case) is a task
// with a time; the earliest runs, and then everything that became runnable by it, until nothing is: that is one step.
import { real } from './real.ts'

export interface Owner {
  readonly name: string
  readonly alive: boolean
}
interface Task {
  readonly at: number
  readonly number: number
  readonly label: string
  readonly owner: Owner | undefined
  readonly run: () => void
  cancelled: boolean
}

/** Turns of the event loop after which a request that nothing holds up is over: light-my-request takes a few. */
const ticksMax = 12

export class Scheduler {
  /** Virtual milliseconds since the beginning. */
  now = 0
  steps = 0
  readonly trace: string[] = []
  /** Requests under way inside a server that wait for no task: they need turns of the event loop. */
  busy = 0
  readonly #heap: Task[] = []
  #numbers = 0
  readonly #traces: boolean

  constructor({ traces = true }: { readonly traces?: boolean } = {}) {
    this.#traces = traces
  }

  /** Runs after so many milliseconds, unless its owner has died by then; the answer cancels. */
  after(ms: number, label: string, run: () => void, owner?: Owner): () => void {
    const task: Task = { at: this.now + Math.max(0, ms), number: ++this.#numbers, label, owner, run, cancelled: false }
    this.#push(task)
    return () => {
      task.cancelled = true
    }
  }

  /** When the next task is due; undefined when there is none. */
  get next(): number | undefined {
    this.#clean()
    return this.#heap[0]?.at
  }

  /** One step: false when nothing waits any more. */
  async step(): Promise<boolean> {
    this.#clean()
    const task = this.#pop()
    if (task === undefined) return false
    this.now = Math.max(this.now, task.at)
    this.steps++
    this.say(task.owner?.name ?? '-', task.label)
    task.run()
    await this.#drain()
    return true
  }

  /** Steps until that time; what is due then has run. */
  async until(time: number, mayGoOn: () => boolean = () => true): Promise<void> {
    for (let next = this.next; next !== undefined && next <= time && mayGoOn(); next = this.next) await this.step()
    if (mayGoOn()) this.now = Math.max(this.now, time)
  }

  /** A line of the trace. */
  say(who: string, what: string): void {
    if (this.#traces) this.trace.push(`${this.steps} ${this.now.toFixed(3)} ${who} ${what}`)
  }

  /** Promises and what they lead to; nothing of it does I/O, so a turn of the event loop is enough, save inside Fastify. */
  async #drain(): Promise<void> {
    await tick()
    for (let ticks = 1; this.busy > 0 && ticks < ticksMax; ticks++) await tick()
  }

  #clean(): void {
    for (let first = this.#heap[0]; first !== undefined && (first.cancelled || first.owner?.alive === false); first = this.#heap[0])
      this.#pop()
  }

  #push(task: Task): void {
    const heap = this.#heap
    let at = heap.push(task) - 1
    for (let up = (at - 1) >> 1; at > 0 && isBefore(task, heap[up]!); at = up, up = (at - 1) >> 1) heap[at] = heap[up]!
    heap[at] = task
  }

  #pop(): Task | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let down = 2 * at + 1
      if (down >= heap.length) break
      if (down + 1 < heap.length && isBefore(heap[down + 1]!, heap[down]!)) down++
      if (!isBefore(heap[down]!, last)) break
      heap[at] = heap[down]!
      at = down
    }
    heap[at] = last
    return first
  }
}

const isBefore = (a: Task, b: Task): boolean => a.at < b.at || (a.at === b.at && a.number < b.number)
const tick = (): Promise<void> => new Promise((done) => real.setImmediate(done))
