// What pieces of other kinds have given to the pieces of one kind that is made of them.
import { sameJson } from '../same-json.ts'
import type { Contribution, DerivedPiece } from './kind.ts'

export class Shares<P> {
  readonly #made: DerivedPiece<P>
  /** Key of a piece that is made → who gives to it → what. */
  readonly #given = new Map<string, Map<string, readonly unknown[]>>()
  /** Keys of pieces that have to be made anew. */
  readonly #due = new Set<string>()

  constructor(made: DerivedPiece<P>) {
    this.#made = made
  }

  get isDue(): boolean {
    return this.#due.size > 0
  }

  /** @param giver kind and key of the piece that was and is */
  change(giver: string, { shares }: Contribution<unknown>, { was, is }: { readonly was: unknown; readonly is: unknown }): void {
    const grouped = (piece: unknown) => sharesByKey(piece === undefined ? [] : shares(piece))
    const [before, after] = [grouped(was), grouped(is)]
    for (const [into, given] of after) if (!sameJson(before.get(into), given)) this.#give(into, giver, given)
    for (const into of before.keys()) if (!after.has(into)) this.#give(into, giver, undefined)
  }

  /** Those whose shares have changed since this was asked last. */
  *takeDue(): Generator<readonly [key: string, piece: P | undefined], void, undefined> {
    const keys = [...this.#due]
    this.#due.clear()
    for (const key of keys) yield [key, this.#make(key)]
  }

  #give(into: string, giver: string, shares: readonly unknown[] | undefined): void {
    const givers = this.#given.get(into) ?? new Map<string, readonly unknown[]>()
    if (shares === undefined) givers.delete(giver)
    else givers.set(giver, shares)
    if (givers.size === 0) this.#given.delete(into)
    else this.#given.set(into, givers)
    this.#due.add(into)
  }

  #make(key: string): P | undefined {
    const givers = this.#given.get(key)
    if (givers === undefined) return undefined
    const shares = [...givers].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, given]) => given)
    return this.#made.make(key, shares)
  }
}

function sharesByKey(all: readonly (readonly [into: string, share: unknown])[]): ReadonlyMap<string, readonly unknown[]> {
  const byKey = new Map<string, unknown[]>()
  for (const [into, share] of all) {
    const given = byKey.get(into)
    if (given === undefined) byKey.set(into, [share])
    else given.push(share)
  }
  return byKey
}
