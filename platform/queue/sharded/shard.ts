import type { Clock } from '../../clock.ts'
import { PendingKeys } from '../pending-keys.ts'

/** A runner that may hold shards. */
export interface Holder {
  /** It begins nothing more. */
  readonly closing: boolean
  /** A key of a shard that it holds begins to wait. */
  offer(key: string): void
}

interface Hold {
  readonly holder: Holder
  readonly signal: AbortSignal
  readonly idle: () => void
  cancelEnd: (() => void) | undefined
}

export interface TakenKey {
  readonly signal: AbortSignal
  readonly waitedMs: number
}

/**
 * A shard in which nothing is due is kept for so long: what has found no room is often due again in a moment, and each time that a shard
 * is let go costs the queue that carries it as much as two deliveries of notices.
 */
export const lingerMs = 100

/** Some of the keys of a sharded queue: one runner at a time, of all processes, reconciles them. */
export class Shard {
  readonly name: string
  readonly keys: PendingKeys
  readonly #clock: Clock
  #hold: Hold | undefined
  /** When it was last asked for, since it was last held. */
  askedAt = Number.NEGATIVE_INFINITY

  /** @param wanted called when a key begins to wait that nobody of this process may take */
  constructor(name: string, clock: Clock, wanted: (shard: Shard) => void) {
    this.name = name
    this.#clock = clock
    this.keys = new PendingKeys(clock, (key) => {
      if (this.#hold === undefined) wanted(this)
      else this.#hold.holder.offer(key)
    })
  }

  get isHeld(): boolean {
    return this.#hold !== undefined
  }

  /** The holder's from now on, until nothing in it is due. As Reconcile: 0 where something still is. */
  async hold(holder: Holder, signal: AbortSignal): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<void>()
    // Given to us once more before we have heard that the first time is over.
    if (this.#hold !== undefined) this.#letGo()
    this.askedAt = Number.NEGATIVE_INFINITY
    this.#hold = { holder, signal, idle: resolve, cancelEnd: undefined }
    const lost = (): void => this.letGoWhenIdle()
    signal.addEventListener('abort', lost)
    for (const key of [...this.keys.waiting]) holder.offer(key)
    // Where nothing is due here it may be with somebody else.
    if (this.keys.depth === 0) this.#letGo()
    else this.letGoWhenIdle()
    await promise
    signal.removeEventListener('abort', lost)
    return this.keys.areWaiting ? 0 : undefined
  }

  /** @returns undefined where it is not for this runner to reconcile the key */
  take(key: string, holder: Holder): TakenKey | undefined {
    const hold = this.#hold
    if (hold?.holder !== holder || mustEnd(hold)) return undefined
    const waitedMs = this.keys.take(key)
    return waitedMs === undefined ? undefined : { signal: hold.signal, waitedMs }
  }

  letGoWhenIdle(): void {
    const hold = this.#hold
    if (hold === undefined || this.keys.areRunning) return
    if (mustEnd(hold)) return this.#letGo()
    if (this.keys.areWaiting) return
    hold.cancelEnd ??= this.#clock.after(lingerMs, () => {
      hold.cancelEnd = undefined
      if (this.keys.depth === 0) this.#letGo()
    })
  }

  /** From this very moment on: what begins to wait before the queue hears of it asks for the shard anew. */
  #letGo(): void {
    const hold = this.#hold
    this.#hold = undefined
    hold?.cancelEnd?.()
    hold?.idle()
  }
}

const mustEnd = ({ holder, signal }: Hold): boolean => holder.closing || signal.aborted
