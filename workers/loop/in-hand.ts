// What passes under way have in hand beside their own key: objects that they make and reconcile. That such an object appears, as its maker
// has made it, is no news to whoever its maker has reconciled it for.
import type { Kind, Ref } from '../../core/kinds/index.ts'
import { keyOf } from '../../core/kinds/index.ts'
import type { ChangeEvent } from '../../platform/cache/cache.ts'
import type { QueueName } from '../queues.ts'

type Add = (queue: QueueName, key: string, afterMs?: number) => void
interface Held {
  /** Whom an event of it concerns no more, as `queue key`. */
  readonly covers: ReadonlySet<string>
  /** Whether an event tells of nothing but what its maker has made. */
  readonly isAsMade: (event: ChangeEvent<Kind>) => boolean
  /** What was not added. */
  readonly left: Parameters<Add>[]
}
const idOf = (kind: string, key: string): string => `${kind} ${key}`

export class InHand {
  readonly #add: Add
  readonly #held = new Map<string, Held>()

  constructor(add: Add) {
    this.#add = add
  }

  hold(ref: Ref, { covers, isAsMade }: { readonly covers: readonly Ref[]; readonly isAsMade: Held['isAsMade'] }): void {
    this.#held.set(idOf(ref.kind, keyOf(ref)), { covers: new Set(covers.map((each) => idOf(each.kind, keyOf(each)))), isAsMade, left: [] })
  }

  /** Whether somebody need not be woken by an event, since the pass that has made its object sees to it. */
  sees(kind: Kind, event: ChangeEvent<Kind>, [queue, key, afterMs]: Parameters<Add>): boolean {
    const held = this.#held.size === 0 ? undefined : this.#held.get(idOf(kind, event.key))
    if (held === undefined || !held.covers.has(idOf(queue, key)) || !held.isAsMade(event)) return false
    held.left.push([queue, key, afterMs])
    return true
  }

  /** @param isReconciled else whoever was not woken is woken now */
  release(ref: Ref, isReconciled: boolean): void {
    const id = idOf(ref.kind, keyOf(ref))
    const { left } = this.#held.get(id) ?? { left: [] }
    this.#held.delete(id)
    if (!isReconciled) for (const each of left) this.#add(...each)
  }
}
