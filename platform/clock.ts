// Time as something handed in, so that tests turn it.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back once after so many milliseconds, never at once; the answer cancels. Keeps no process alive. */
  after(ms: number, call: () => void): () => void
}

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    // A timer of Node.js waits for one millisecond at the least.
    if (ms <= 0) return inTheNextTurn(call)
    const timer = setTimeout(call, Math.min(ms, 2 ** 31 - 1))
    timer.unref()
    return () => clearTimeout(timer)
  },
}

function inTheNextTurn(call: () => void): () => void {
  const immediate = setImmediate(call)
  immediate.unref()
  return () => clearImmediate(immediate)
}

/** A clock that stands until it is turned. */
export class TurnedClock implements Clock {
  #now: number
  #waiting: { at: number; call: () => void }[] = []

  constructor(now = Date.parse('2026-01-01T00:00:00Z')) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  after(ms: number, call: () => void): () => void {
    const entry = { at: this.#now + ms, call }
    this.#waiting.push(entry)
    return () => {
      this.#waiting = this.#waiting.filter((each) => each !== entry)
    }
  }

  /** Turns forward, calling what falls due, in order of time. */
  turn(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const next = this.#waiting.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#waiting = this.#waiting.filter((entry) => entry !== next)
      this.#now = Math.max(this.#now, next.at)
      next.call()
    }
    this.#now = end
  }
}
