// When requests under way are ended: with a signal of theirs, after a time that is the same for all of them, or all at once. One
// timer and one listener for each signal, however many there are: of their own they would cost as much as a signature does.

export interface Ending {
  end(problem: DOMException): void
}

export class Ends {
  readonly #ms: number
  /** When each is late, in milliseconds of performance.now(); the oldest first, as their time is the same. */
  readonly #underWay = new Map<Ending, number>()
  readonly #bySignal = new WeakMap<AbortSignal, Set<Ending>>()
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number) {
    this.#ms = ms
  }

  /** @param signal may have fallen already */
  begin(ending: Ending, signal: AbortSignal): void {
    if (signal.aborted) return ending.end(ended())
    this.#underWay.set(ending, performance.now() + this.#ms)
    this.#of(signal).add(ending)
    this.#timer ??= setTimeout(() => this.#late(), this.#ms)
  }

  done(ending: Ending, signal: AbortSignal): void {
    this.#underWay.delete(ending)
    this.#bySignal.get(signal)?.delete(ending)
    if (this.#underWay.size > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  endAll(): void {
    for (const ending of [...this.#underWay.keys()]) ending.end(ended())
  }

  /** Listened to for as long as there is the signal itself: those of shards and of processes serve many requests. */
  #of(signal: AbortSignal): Set<Ending> {
    const known = this.#bySignal.get(signal)
    if (known !== undefined) return known
    const made = new Set<Ending>()
    this.#bySignal.set(signal, made)
    signal.addEventListener('abort', () => {
      for (const ending of [...made]) ending.end(ended())
    }, { once: true })
    return made
  }

  #late(): void {
    const now = performance.now()
    for (const [ending, at] of [...this.#underWay]) {
      // A timer may be a fraction of a millisecond early.
      if (at > now + 1) break
      this.#underWay.delete(ending)
      ending.end(new DOMException(`no whole answer within ${this.#ms} ms`, 'TimeoutError'))
    }
    const [next] = this.#underWay.values()
    this.#timer = next === undefined ? undefined : setTimeout(() => this.#late(), Math.max(1, next - now))
  }
}

const ended = (): DOMException => new DOMException('ended', 'AbortError')
