// What a stream has still to tell its reader: so much and no more. Watches are never held up by a reader.
import type { WatchEvent } from '../../../core/contracts/store.ts'
import type { Kind } from '../../../core/kinds/index.ts'

/** Why a stream of many kinds ends, as its last event says it. */
export const endReasons = {
  behind: 'this reader took too little: begin anew',
  rights: 'what this caller may see has changed: begin anew',
  token: 'the token, or the session, has ended',
  stopping: 'this server stops: come back and go on',
  fault: 'a fault of this server: come back and go on',
} as const
export type EndReason = keyof typeof endReasons

export interface PartChange {
  /** Of which part of the stream. */
  readonly part: number
  readonly change: WatchEvent<Kind>
}

/** Changes that wait for one reader at most; all there is counts as one. */
export const backlogMax = 4_096

export class Backlog {
  readonly #max: number
  #waiting: PartChange[] = []
  #ended: EndReason | undefined
  #wake: (() => void) | undefined

  constructor(max = backlogMax) {
    this.#max = max
  }

  put(change: PartChange): void {
    if (this.#ended !== undefined) return
    if (this.#waiting.length < this.#max) this.#waiting.push(change)
    else this.end('behind')
    this.#wake?.()
  }

  /** The first reason stands; what was waiting is not told any more where the reader begins anew. */
  end(reason: EndReason): void {
    if (this.#ended !== undefined) return
    this.#ended = reason
    if (reason !== 'stopping' && reason !== 'fault') this.#waiting = []
    this.#wake?.()
  }

  /** All that waits, in order; the reason once there is nothing more. */
  async next(): Promise<readonly PartChange[] | EndReason> {
    if (this.#waiting.length === 0 && this.#ended === undefined) await new Promise<void>((resolve) => (this.#wake = resolve))
    this.#wake = undefined
    const taken = this.#waiting
    this.#waiting = []
    return taken.length > 0 || this.#ended === undefined ? taken : this.#ended
  }

  /** Changes that wait now. */
  get length(): number {
    return this.#waiting.length
  }

  get ended(): EndReason | undefined {
    return this.#ended
  }
}
