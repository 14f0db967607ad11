// What passes under way have in hand beside their own key: objects that they make and reconcile. That such an object appears, as its maker
// has made it, is no news.
import type { Kind, Ref } from '../../core/kinds/index.ts'
import { keyOf } from '../../core/kinds/index.ts'
import type { ChangeEvent } from '../../platform/cache/cache.ts'
import type { QueueName } from '../queues.ts'

type Add = (queue: QueueName, key: string, afterMs?: number) => void
const idOf = (kind: string, key: string): string => `${kind} ${key}`

export class InHand {
  readonly #add: Add
  /** Those that are reconciled in the commit that makes them, with how they are then. */
  readonly #made = new Map<string, (event: ChangeEvent<Kind>) => boolean>()
  /** Those that are made and will be gathered, with what was not added for their own key. */
  readonly #toBeGathered = new Map<string, Parameters<Add>[]>()

  constructor(add: Add) {
    this.#add = add
  }

  /** @param isAsMade whether an event tells of nothing but what its maker has made, and reconciled for all */
  made(ref: Ref, isAsMade: (event: ChangeEvent<Kind>) => boolean): void {
    this.#made.set(idOf(ref.kind, keyOf(ref)), isAsMade)
  }

  toBeGathered(ref: Ref): void {
    this.#toBeGathered.set(idOf(ref.kind, keyOf(ref)), [])
  }

  /** Whether an event is no news to anybody. */
  isNoNews(kind: Kind, event: ChangeEvent<Kind>): boolean {
    return this.#made.size > 0 && this.#made.get(idOf(kind, event.key))?.(event) === true
  }

  /** Whether a key need not be added, since the pass that has made its object is about to gather it. */
  sees(...add: Parameters<Add>): boolean {
    const left = this.#toBeGathered.size === 0 ? undefined : this.#toBeGathered.get(idOf(add[0], add[1]))
    left?.push(add)
    return left !== undefined
  }

  /** @param isReconciled else what was not added is added now */
  release(ref: Ref, isReconciled: boolean): void {
    const id = idOf(ref.kind, keyOf(ref))
    const left = this.#toBeGathered.get(id) ?? []
    this.#toBeGathered.delete(id)
    this.#made.delete(id)
    if (!isReconciled) for (const each of left) this.#add(...each)
  }
}
