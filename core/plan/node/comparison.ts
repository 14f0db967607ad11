// All that a node should have against all that it has, of which neither is ever in memory whole.
import type { NodeChange } from '../../contracts/dataplane.ts'
import { Fingerprints } from '../../fingerprints.ts'
import type { Ref } from '../../kinds/index.ts'
import type { Item } from '../../node/item.ts'

export interface ComparisonOptions<Value> {
  readonly itemOf: (key: string, text: string) => Item<Value>
  /** What the whole change is done for, where no item says it. */
  readonly of: Ref
  /** false: what nobody wants is left there, and what is otherwise left as it is, as long as not every source has told all it knows. */
  readonly whole: boolean
  /** Keys of what a change was to take away or replace, and may not have: they are judged all the same. */
  readonly owed?: ReadonlySet<string>
}

/**
 * First everything wanted is said (`want`), then everything that is there (`see`); then `changes` tells what has to change, from what
 * is wanted by then. What has come to be wanted meanwhile is left to whoever wants it: it was not said.
 */
export class NodeComparison<Value> {
  readonly #judging: ComparisonOptions<Value>
  readonly #wanted = new Fingerprints()
  /** Text of each thing that is there and otherwise. */
  readonly #wrong = new Map<string, string>()
  /** What nobody wants. */
  readonly #strange: Item<Value>[] = []
  #right = 0

  constructor(judging: ComparisonOptions<Value>) {
    this.#judging = judging
  }

  want({ key, text }: Item<Value>): void {
    this.#wanted.add(key, text)
  }

  see(key: string, text: string): void {
    const { itemOf } = this.#judging
    const whole = this.#isJudged(key)
    const before = this.#wanted.standingOf(key)
    const stands = this.#wanted.see(key, text)
    if (stands === undefined) {
      if (whole) this.#strange.push(itemOf(key, text))
      return
    }
    if (stands === 'wrong' && whole) this.#wrong.set(key, text)
    else if (stands === 'wrong') this.#wanted.settle(key)
    if (before === 'awaited' && (stands === 'right' || !whole)) this.#right++
  }

  #isJudged(key: string): boolean {
    return this.#judging.whole || this.#judging.owed?.has(key) === true
  }

  /** In pieces of about so many items each. @param wanted all of it once more; asked for only where something is missing or wrong */
  *changes(wanted: () => Iterable<Item<Value>>, size: number): Generator<NodeChange<Value>, void, undefined> {
    let change: { readonly put: Item<Value>[]; readonly drop: Item<Value>[] } = { put: [], drop: [] }
    for (const { put, drop } of this.#steps(wanted)) {
      if (drop !== undefined) change.drop.push(drop)
      if (put !== undefined) change.put.push(put)
      if (change.put.length + change.drop.length < size) continue
      yield change
      change = { put: [], drop: [] }
    }
    if (change.put.length + change.drop.length > 0) yield change
  }

  *#steps(wanted: () => Iterable<Item<Value>>): Generator<{ readonly put?: Item<Value>; readonly drop?: Item<Value> }, void, undefined> {
    if (this.#right < this.#wanted.size) {
      for (const put of wanted()) {
        const stands = this.#wanted.standingOf(put.key)
        if (stands === undefined || stands === 'right') continue
        this.#wanted.settle(put.key)
        const there = this.#wrong.get(put.key)
        yield there === undefined ? { put } : { put, drop: this.#judging.itemOf(put.key, there) }
      }
    }
    for (const drop of this.#strange) yield { drop }
  }
}
