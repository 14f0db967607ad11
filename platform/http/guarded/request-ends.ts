// When requests under way are ended: with a signal of theirs, after a time that is the same for all of them, or all at once. One
// timer and one listener for each signal, however many there are: of their own they would cost as much as a signature does.
import type { Clock } from '../../clock.ts'

export interface EndableRequest {
  end(problem: DOMException): void
}

export class RequestEnds {
  readonly #ms: number
  /** When each is late, in milliseconds of the clock's `elapsed`; the oldest first, as their time is the same. */
  readonly #underWay = new Map<EndableRequest, number>()
  readonly #bySignal = new WeakMap<AbortSignal, Set<EndableRequest>>()
  readonly #clock: Clock
  #cancel: (() => void) | undefined

  constructor(ms: number, clock: Clock) {
    this.#ms = ms
    this.#clock = clock
  }

  /** @param signal may have fallen already */
  begin(ending: EndableRequest, signal: AbortSignal): void {
    if (signal.aborted) return ending.end(ended())
    this.#underWay.set(ending, this.#clock.elapsed() + this.#ms)
    this.#of(signal).add(ending)
    this.#cancel ??= this.#clock.after(this.#ms, () => this.#late(), { keepsAlive: true })
  }

  done(ending: EndableRequest, signal: AbortSignal): void {
    this.#underWay.delete(ending)
    this.#bySignal.get(signal)?.delete(ending)
    if (this.#underWay.size > 0) return
    this.#cancel?.()
    this.#cancel = undefined
  }

  endAll(): void {
    for (const ending of [...this.#underWay.keys()]) ending.end(ended())
  }

  /** Listened to for as long as there is the signal itself: those of shards and of processes serve many requests. */
  #of(signal: AbortSignal): Set<EndableRequest> {
    const known = this.#bySignal.get(signal)
    if (known !== undefined) return known
    const made = new Set<EndableRequest>()
    this.#bySignal.set(signal, made)
    signal.addEventListener(
      'abort',
      () => {
        for (const ending of [...made]) ending.end(ended())
      },
      { once: true },
    )
    return made
  }

  #late(): void {
    const now = this.#clock.elapsed()
    for (const [ending, at] of [...this.#underWay]) {
      // A timer may be a fraction of a millisecond early.
      if (at > now + 1) break
      this.#underWay.delete(ending)
      ending.end(new DOMException(`no whole answer within ${this.#ms} ms`, 'TimeoutError'))
    }
    const [next] = this.#underWay.values()
    this.#cancel = next === undefined ? undefined : this.#clock.after(Math.max(1, next - now), () => this.#late(), { keepsAlive: true })
  }
}

const ended = (): DOMException => new DOMException('ended', 'AbortError')
