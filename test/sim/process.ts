// A process of the simulation: a name, its own clock, chance and connection, and an end at which nothing of it goes on.
import type { Clock } from '../../platform/clock.ts'
import type { Kind } from '../../core/kinds/index.ts'
import { Dice } from './dice.ts'
import type { Scheduler } from './scheduler.ts'

/** When the simulated time begins. */
export const epochMs = Date.parse('2026-01-01T00:00:00Z')

/** What happens to the next call of a process to the store. */
export type CallFault = 'conflict' | 'late' | 'lost-answer' | 'lost-request'

/** A fault that waits for a call that it can befall: where it names a kind, for a write of that. */
export interface Laid {
  readonly fault: CallFault
  readonly of?: Kind
}

export interface Stall {
  /** Nothing of this watch is told before this time. */
  readonly until: number
  /** It comes back as a list of what there is, and what was in between was never seen. */
  readonly relists: boolean
}

export class Process {
  alive = true
  readonly name: string
  readonly dice: Dice
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** Faults that wait for the next calls, in order. */
  readonly faults: Laid[] = []
  readonly stalls = new Map<Kind, Stall>()
  /** So many versions old is what its first list of each kind says. */
  behind = 0
  readonly #listed = new Set<Kind>()
  /** No call of its gets to the store until then, and no news comes. */
  cutUntil = 0
  #untroubledSince: number
  #suffering = 0
  /** Ends it as a signal does, where it can be told so. */
  gently: (() => Promise<void>) | undefined
  readonly #ends: (() => void)[] = []

  constructor(
    name: string,
    { scheduler, dice, skewMs = 0 }: { readonly scheduler: Scheduler; readonly dice: Dice; readonly skewMs?: number },
  ) {
    this.name = name
    this.scheduler = scheduler
    this.dice = dice
    this.clock = clockOf(this, scheduler, skewMs)
    this.#untroubledSince = scheduler.now
  }

  /** How many versions old its next list of a kind is. */
  pastOf(kind: Kind): number {
    const isFirst = !this.#listed.has(kind)
    this.#listed.add(kind)
    return isFirst ? this.behind : 0
  }

  /** As `pass`, of time that a fault takes. */
  async suffer(ms: number, label: string): Promise<void> {
    this.#suffering++
    await this.pass(ms, label)
    this.#suffering--
    this.trouble()
  }

  /** Something goes wrong for it now, or has just ended to; or does so until then. */
  trouble(until = this.scheduler.now): void {
    this.#untroubledSince = Math.max(this.#untroubledSince, until)
  }

  get isCut(): boolean {
    return this.cutUntil > this.scheduler.now
  }

  /** Resolves at once where it is not cut off. */
  async connected(label: string): Promise<void> {
    while (this.isCut) await this.pass(this.cutUntil - this.scheduler.now, `${label} is cut off`)
  }

  /** Virtual milliseconds since anything was wrong for it that it could notice. */
  get untroubledMs(): number {
    return this.stalls.size + this.faults.length + this.#suffering > 0 ? 0 : Math.max(0, this.scheduler.now - this.#untroubledSince)
  }

  /** Nothing of it runs any more: what it waited for never comes. */
  kill(): void {
    this.alive = false
    for (const end of this.#ends) end()
  }

  /** Called when it is killed: what the outside notices of it. */
  onEnd(call: () => void): void {
    this.#ends.push(call)
  }

  /** Resolves after so many milliseconds of virtual time; never, once it is dead. */
  pass(ms: number, label: string): Promise<void> {
    return new Promise((resolve) => void this.scheduler.after(ms, label, resolve, this))
  }

  /** How long the way to somebody and back takes. */
  way(): number {
    return 0.2 + this.dice.next() * 3
  }
}

function clockOf(process: Process, scheduler: Scheduler, skewMs: number): Clock {
  return {
    now: () => Math.floor(epochMs + scheduler.now + skewMs),
    elapsed: () => scheduler.now,
    after: (ms, call) => scheduler.after(Math.max(ms, 0.001), 'timer', call, process),
    soon: (call) => void scheduler.after(0, 'soon', call, process),
  }
}
