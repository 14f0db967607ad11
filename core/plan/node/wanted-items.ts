// All that a node should have, as a table that has none of it in memory whole. It may serve for another comparison where nothing that is
// wanted has changed in between: to render a hundred thousand items costs more than to compare them.
import { Fingerprints } from '../../fingerprints.ts'
import type { ItemOrder, KeyAndText } from './order.ts'

export class WantedItems {
  readonly table = new Fingerprints()
  readonly #order: ItemOrder | undefined
  #isClosing = false

  /** @param order of kinds that fail closed */
  constructor(order?: ItemOrder) {
    this.#order = order
  }

  /** Whether anything of it closes. */
  get isClosing(): boolean {
    return this.#isClosing
  }

  add(item: KeyAndText): void {
    this.table.add(item.key, item.text)
    this.#isClosing ||= this.#order?.closes(item) === true
  }

  /** As before anything was seen. */
  anew(): this {
    this.table.awaitAll()
    return this
  }
}
