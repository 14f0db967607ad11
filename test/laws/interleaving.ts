// Ways to a world that are cut off, or shared by rivals in an order drawn from a seed.
import { seeded } from '../workers/test-cluster.ts'

/** Throws at the k-th step of the way and at every one after it, as if the process were no more. */
export class Cut {
  #left: number
  #cut = new Error('cut off')

  constructor(k: number) {
    this.#left = k
  }

  readonly way = (): Promise<void> => {
    if (this.#left === 0) return Promise.reject(this.#cut)
    this.#left--
    return Promise.resolve()
  }

  is(err: unknown): boolean {
    // A driver may say that nobody answers, and why.
    if (err !== this.#cut && (err as Error).cause !== this.#cut) throw err
    return true
  }
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Runs tasks that stop at each step of their way; one that has stopped is drawn to go on, so all orders come up. */
export class Interleaving {
  #stopped: (() => void)[] = []
  #random: () => number

  constructor(seed: number) {
    this.#random = seeded(seed)
  }

  async run(tasks: readonly ((through: { readonly way: () => Promise<void> }) => Promise<void>)[]): Promise<void> {
    let left = tasks.length
    const way = (): Promise<void> => new Promise((resolve) => this.#stopped.push(resolve))
    const done = tasks.map(async (task) => {
      try {
        await task({ way })
      } finally {
        left--
      }
    })
    while (left > 0) {
      // A store's commit takes a turn of the event loop.
      for (let ticks = 0; ticks < 2; ticks++) await tick()
      this.#stopped.splice(Math.floor(this.#random() * this.#stopped.length), 1)[0]?.()
    }
    await Promise.all(done)
  }
}
