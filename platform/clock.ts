// Time as something handed in, so that tests can set it forward.

export interface Clock {
  /** Milliseconds since 1970: the time of day, which may be set back. */
  now(): number
  /** Milliseconds since a moment of this clock's own, with fractions, never back: for how long something takes. */
  elapsed(): number
  /** Calls back once after so many milliseconds, never at once; the answer cancels. Keeps no process alive, unless it is told to. */
  after(ms: number, call: () => void, how?: { readonly keepsAlive?: boolean }): () => void
  /** Calls back in a turn of the event loop of its own, once I/O that is ready has been heard. Keeps the process alive until then. */
  soon(call: () => void): void
}

export const realClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, call, { keepsAlive = false } = {}) {
    // A timer of Node.js waits for one millisecond at the least.
    if (ms <= 0 && !keepsAlive) return inTheNextTick(call)
    const timer = setTimeout(call, Math.min(ms, 2 ** 31 - 1))
    if (!keepsAlive) timer.unref()
    return () => clearTimeout(timer)
  },
  soon: (call) => void setImmediate(call),
}

/** Resolves after so many milliseconds, or as soon as `signal` falls. Where nobody can end it, it keeps the process alive. */
export function pause(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const done = (): void => {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(ms, done, { keepsAlive: signal === undefined })
    signal?.addEventListener('abort', done)
  })
}

/**
 * Falls after so many milliseconds, with the reason that AbortSignal.timeout gives. Its timer stays until then: what is done often is
 * `limited`.
 */
export function timeLimit(ms: number, clock: Clock): AbortSignal {
  return timed(ms, clock).controller.signal
}

/**
 * What `call` answers, whose signal falls after so many milliseconds, and nothing of the limit stays behind. The signal falls as
 * well where `call` fails: what it has left running ends.
 */
export async function limited<T>(ms: number, clock: Clock, call: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const { controller, cancel } = timed(ms, clock)
  try {
    return await call(controller.signal)
  } catch (err) {
    controller.abort(err)
    throw err
  } finally {
    cancel()
  }
}

function timed(ms: number, clock: Clock): { readonly controller: AbortController; readonly cancel: () => void } {
  const controller = new AbortController()
  return {
    controller,
    cancel: clock.after(ms, () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))),
  }
}

/** In a turn of the event loop of its own: whoever has much to do lets others in between. */
export const breath = (clock: Clock): Promise<void> => new Promise((resolve) => clock.soon(resolve))

function inTheNextTick(call: () => void): () => void {
  const immediate = setImmediate(call)
  immediate.unref()
  return () => clearImmediate(immediate)
}

/** A clock that stands until it is turned. */
export class TurnedClock implements Clock {
  readonly #began: number
  #now: number
  #waiting: { at: number; call: () => void }[] = []

  constructor(now = Date.parse('2026-01-01T00:00:00Z')) {
    this.#began = this.#now = now
  }

  now(): number {
    return this.#now
  }

  elapsed(): number {
    return this.#now - this.#began
  }

  soon(call: () => void): void {
    setImmediate(call)
  }

  after(ms: number, call: () => void): () => void {
    const entry = { at: this.#now + ms, call }
    this.#waiting.push(entry)
    return () => {
      this.#waiting = this.#waiting.filter((each) => each !== entry)
    }
  }

  /** Sets the time forward, calling what falls due, in order of time. */
  advance(ms: number): void {
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
