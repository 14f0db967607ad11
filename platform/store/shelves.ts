// All objects in memory, each in a slot of its own, where one look finds all that is known of it: what everybody sees, what a group
// of commits on its way to the disk makes of it, and where the disk has it.
import type { Kind, Resource } from '../../core/kinds/index.ts'
import type { Place } from './journal.ts'

/** Made nothing of: deleted by a commit under way. */
export const gone = Symbol('gone')

export interface Slot extends Place {
  readonly kind: Kind
  readonly key: string
  /** As everybody sees it; undefined while it is only on its way. */
  item: Resource | undefined
  /** What the commits under way make of it so far. */
  staged: Resource | typeof gone | undefined
  /** The step of the commit that is being staged. */
  step: Step | undefined
}
/** What one commit makes of one object. */
export interface Step {
  readonly slot: Slot
  version: number
  after: Resource | undefined
}

export class Shelves {
  #kinds = new Map<Kind, Map<string, Slot>>()

  get(kind: Kind, key: string): Resource | undefined {
    return this.#of(kind).get(key)?.item
  }

  /** As a commit finds it: after those before it. */
  staged(kind: Kind, key: string): Resource | undefined {
    const slot = this.#of(kind).get(key)
    if (slot?.staged === undefined) return slot?.item
    return slot.staged === gone ? undefined : slot.staged
  }

  /** In no order. */
  all(kind: Kind, test: (item: Resource) => boolean): Resource[] {
    const found: Resource[] = []
    for (const { item } of this.#of(kind).values()) if (item !== undefined && test(item)) found.push(item)
    return found
  }

  /** The slot of that key, made where there is none. */
  slot(kind: Kind, key: string): Slot {
    const of = this.#of(kind)
    let slot = of.get(key)
    if (slot === undefined) of.set(key, (slot = { kind, key, item: undefined, staged: undefined, step: undefined, row: undefined }))
    return slot
  }

  /** Nothing is under way for it any more. */
  settle(slot: Slot): void {
    slot.staged = undefined
    if (slot.item === undefined) this.#of(slot.kind).delete(slot.key)
  }

  #of(kind: Kind): Map<string, Slot> {
    const known = this.#kinds.get(kind)
    if (known !== undefined) return known
    const made = new Map<string, Slot>()
    this.#kinds.set(kind, made)
    return made
  }
}
