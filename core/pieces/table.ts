// What a table of kinds has to be like.
import { needsOf, type PieceKinds } from './kind.ts'

/**
 * A kind that others are made of stands before them, so that they are made once. A kind that others need is taken whole: they are
 * rendered with it as it is applied.
 *
 * @throws RangeError for another table: a fault of the program
 */
export function checkTable(kinds: PieceKinds): void {
  if (new Set(kinds.map(({ name }) => name)).size < kinds.length) throw new RangeError('two kinds of pieces have one name')
  for (const [at, kind] of kinds.entries()) {
    for (const { of } of kind.made?.from ?? [])
      if (!kinds.slice(0, at).includes(of)) throw new RangeError(`${kind.name} is made of ${of.name}, which has to stand before it`)
    for (const { kind: other } of needsOf(kind))
      if (!kinds.includes(other) || other.many !== undefined)
        throw new RangeError(`${kind.name} needs ${other.name}, which has to be in the table, and none of the kinds with very many pieces`)
  }
}
