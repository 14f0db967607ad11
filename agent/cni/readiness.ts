// Whether calls of the runtime can be worked at yet: those that can wait a moment do.
import type { AgentEnv } from '../agent-env.ts'

export class Readiness {
  readonly #env: AgentEnv
  #open = false
  readonly #waiting = new Set<() => void>()

  constructor(env: AgentEnv) {
    this.#env = env
  }

  get isOpen(): boolean {
    return this.#open
  }
  get env(): AgentEnv {
    return this.#env
  }

  open(): void {
    this.#open = true
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  /** Resolves to whether it is ready, within so many milliseconds. */
  within(ms: number): Promise<boolean> {
    if (this.#open || ms === 0) return Promise.resolve(this.#open)
    return new Promise((resolve) => {
      const done = (): void => {
        cancel()
        this.#waiting.delete(done)
        resolve(this.#open)
      }
      const cancel = this.#env.clock.after(ms, done)
      this.#waiting.add(done)
    })
  }
}
