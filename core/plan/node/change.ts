// What the change of some pieces means for a node's items: only they are rendered, as they were and as they are.
import type { NodeChange, Renderer } from '../../contracts/dataplane.ts'
import type { Item } from '../../node/item.ts'
import type { AnyPieceKind } from '../../pieces/kind.ts'

/** A piece as it was when it was last applied, and as it is now; absent: not there. */
export interface PieceChange<Piece> {
  readonly was: Piece | undefined
  readonly is: Piece | undefined
}
/** With what it is rendered with. */
export interface RenderedPiece {
  readonly piece: unknown
  readonly needed: object
}
/** Of one kind: what has changed, and whatever has a name in common with what has changed of any kind, as it was and is too. */
export interface KindChanges {
  readonly kind: AnyPieceKind
  readonly pieces: readonly PieceChange<RenderedPiece>[]
}
/** In the order of the table of kinds. */
export type PieceChanges = readonly KindChanges[]

/** Of what several pieces want the first counts, in the order of the table of kinds, as it does in a comparison. */
export function changeOf<Value>(renderer: Renderer<Value>, changes: PieceChanges): NodeChange<Value> {
  const difference = new Difference<Value>()
  for (const { kind, pieces } of changes) difference.add(pieces, ({ piece, needed }) => renderer.render(kind, piece, needed))
  return difference.change()
}

class Difference<Value> {
  readonly #was = new Map<string, Item<Value>>()
  readonly #is = new Map<string, Item<Value>>()

  add<Piece>(pieces: readonly PieceChange<Piece>[], render: (piece: Piece) => readonly Item<Value>[]): void {
    for (const { was, is } of pieces) {
      const before = was === undefined ? [] : render(was)
      keep(this.#was, before)
      keep(this.#is, is === was ? before : is === undefined ? [] : render(is))
    }
  }

  change(): NodeChange<Value> {
    const isSame = (key: string): boolean => this.#was.get(key)?.text === this.#is.get(key)?.text
    const changed = new Set([...new Set([...this.#was.keys(), ...this.#is.keys()])].filter((key) => !isSame(key)))
    const among = (all: ReadonlyMap<string, Item<Value>>): readonly Item<Value>[] =>
      [...all].flatMap(([key, item]) => (changed.has(key) ? [item] : []))
    return { drop: among(this.#was), put: among(this.#is) }
  }
}

/** The first of a key counts. */
function keep<Value>(all: Map<string, Item<Value>>, items: readonly Item<Value>[]): void {
  for (const item of items) {
    const { key } = item
    if (!all.has(key)) all.set(key, item)
  }
}
