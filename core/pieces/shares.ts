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
    const grouped = (piece: unknown) => Map.groupBy(piece === undefined ? [] : shares(piece), ([into]) => into)
    const [before, after] = [grouped(was), grouped(is)]
    for (const into of new Set([...before.keys(), ...after.keys()])) {
      if (sameJson(before.get(into), after.get(into))) continue
      this.#give(
        into,
        giver,
        after.get(into)?.map(([, share]) => share),
      )
      this.#due.add(into)
    }
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
  }

  #make(key: string): P | undefined {
    const givers = this.#given.get(key)
    if (givers === undefined) return undefined
    const shares = [...givers].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, given]) => given)
    return this.#made.make(key, shares)
  }
}
