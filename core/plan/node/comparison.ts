// All that a node should have against all that it has, of which neither is ever in memory whole.
import type { NodeChange } from '../../contracts/dataplane.ts'
import type { Ref } from '../../kinds/index.ts'
import type { Item } from '../../node/item.ts'
import type { ItemOrder } from './order.ts'
import { WantedItems } from './wanted-items.ts'

export interface ComparisonOptions<Value> {
  readonly itemOf: (key: string, text: string) => Item<Value>
  /** What the whole change is done for, where no item says it. */
  readonly of: Ref
  /** false: what nobody wants is left there, and what is otherwise left as it is, as long as not every source has told all it knows. */
  readonly whole: boolean
  /** Of kinds that fail closed: what closes is put before all else, and dropped after it. */
  readonly order?: ItemOrder
  /** What is wanted, where that is known already. Absent: `want` says it. */
  readonly wanted?: WantedItems | undefined
  /** Keys of what a change was to take away or replace, and may not have: they are compared too. */
  readonly owed?: ReadonlySet<string>
  /**
   * Whether an item that differs is corrected even while some source has not listed everything yet: what it should be is in this node's
   * ledger.
   */
  readonly isOwn?: ((key: string) => boolean) | undefined
}

/**
 * First everything wanted is said (`want`), then everything that is there (`see`); then `changes` tells what has to change, from what
 * is wanted by then. What has come to be wanted meanwhile is left to whoever wants it: it was not said.
 */
export class NodeComparison<Value> {
  readonly #judging: ComparisonOptions<Value>
  readonly #wanted: WantedItems
  /** Text of each thing that is there and otherwise. */
  readonly #wrong = new Map<string, string>()
  /** What nobody wants. */
  readonly #strange: Item<Value>[] = []
  #right = 0

  constructor(judging: ComparisonOptions<Value>) {
    this.#judging = judging
    this.#wanted = judging.wanted ?? new WantedItems(judging.order)
  }

  want(item: Item<Value>): void {
    this.#wanted.add(item)
  }

  /** Of what was seen nothing has to change. */
  get isInPlace(): boolean {
    return this.#isRight && this.#strange.length === 0
  }

  get #isRight(): boolean {
    return this.#right >= this.#wanted.table.size
  }

  see(key: string, text: string): void {
    const { itemOf } = this.#judging
    const whole = this.#isJudged(key)
    const seen = this.#wanted.table.see(key, text)
    if (seen === undefined) {
      if (whole) this.#strange.push(itemOf(key, text))
      return
    }
    const { before, state } = seen
    const corrects = whole || this.#isOwn(key)
    if (state === 'wrong' && corrects) this.#wrong.set(key, text)
    else if (state === 'wrong') this.#wanted.table.settle(key)
    if (before === 'awaited' && (state === 'right' || !corrects)) this.#right++
  }

  #isJudged(key: string): boolean {
    return this.#judging.whole || this.#judging.owed?.has(key) === true
  }

  #isOwn(key: string): boolean {
    return this.#judging.isOwn?.(key) === true
  }

  /** In parts of about so many items each. @param wanted all of it once more; asked for only where something is missing or wrong */
  *changes(wanted: () => Iterable<Item<Value>>, size: number): Generator<NodeChange<Value>, void, undefined> {
    for (const stage of this.#stages(wanted)) yield* inParts(stage, size)
  }

  /** All of a stage comes before all of the next. */
  *#stages(wanted: () => Iterable<Item<Value>>): Generator<Iterable<Step<Value>>, void, undefined> {
    const { order } = this.#judging
    if (order !== undefined && this.#wanted.isClosing)
      yield this.#puts(wanted, (item) => order.closes(item) || (order.carries(item.key) && !this.#wrong.has(item.key)))
    yield this.#others(wanted)
    yield this.#strange.filter((item) => order?.closes(item) === true).map((drop) => ({ drop }))
  }

  *#others(wanted: () => Iterable<Item<Value>>): Generator<Step<Value>, void, undefined> {
    yield* this.#puts(wanted, () => true)
    for (const drop of this.#strange) if (this.#judging.order?.closes(drop) !== true) yield { drop }
  }

  *#puts(wanted: () => Iterable<Item<Value>>, isOne: (item: Item<Value>) => boolean): Generator<Step<Value>, void, undefined> {
    if (this.#isRight) return
    for (const put of wanted()) {
      const stands = this.#wanted.table.stateOf(put.key)
      if (stands === undefined || stands === 'right' || !isOne(put)) continue
      this.#wanted.table.settle(put.key)
      const there = this.#wrong.get(put.key)
      yield there === undefined ? { put } : { put, drop: this.#judging.itemOf(put.key, there) }
    }
  }
}

interface Step<Value> {
  readonly put?: Item<Value>
  readonly drop?: Item<Value>
}

function* inParts<Value>(steps: Iterable<Step<Value>>, size: number): Generator<NodeChange<Value>, void, undefined> {
  let change: { readonly put: Item<Value>[]; readonly drop: Item<Value>[] } = { put: [], drop: [] }
  for (const { put, drop } of steps) {
    if (drop !== undefined) change.drop.push(drop)
    if (put !== undefined) change.put.push(put)
    if (change.put.length + change.drop.length < size) continue
    yield change
    change = { put: [], drop: [] }
  }
  if (change.put.length + change.drop.length > 0) yield change
}
