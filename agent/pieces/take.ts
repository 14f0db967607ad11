// What has changed of all pieces, and whatever may want the same items: whoever renders just these knows what to put and what to drop.
import { needsOf, type AnyPieceKind, type Need } from '../../core/pieces/kind.ts'
import { neededBy } from '../../core/pieces/needed.ts'
import type { PieceChange, PieceChanges, KindChanges, RenderedPiece } from '../../core/plan/node/change.ts'
import { sameJson } from '../../core/same-json.ts'
import type { Row, Rows } from './rows.ts'

interface TakenKeys {
  readonly row: Row
  readonly keys: ReadonlySet<string>
}

/** From now on it counts as applied. @param most of all kinds with very many pieces together */
export function take(rows: Rows, most: number): PieceChanges {
  rows.make()
  for (const row of rows.all) for (const need of needsOf(row.kind)) markWhere(row, need, othersThan(rows.of(need.kind), need))
  const taken = chosen(rows, most)
  const changed = taken.map(({ row, keys }): KindChanges => ({
    kind: row.kind,
    pieces: [...keys].map((key) => changedPiece(rows, row, key)),
  }))
  const names = namesOf(changed)
  const all = taken.map((each, i): KindChanges => ({
    kind: each.row.kind,
    pieces: [...changed[i]!.pieces, ...namesakes(rows, each, names)],
  }))
  for (const { row, keys } of taken) for (const key of keys) row.applied.delete(key)
  return all
}

function chosen(rows: Rows, most: number): readonly TakenKeys[] {
  let room = most
  return rows.all.map((row) => {
    if (row.kind.many === undefined) return { row, keys: new Set(row.applied.keys()) }
    const keys = new Set(row.applied.keys().take(room))
    room -= keys.size
    return { row, keys }
  })
}

/** Keys of changed pieces that are other ones as far as they matter to those that need them: not of each node that comes or goes. */
function othersThan({ applied, map }: Row, { part }: Need<unknown, unknown>): ReadonlySet<string> {
  const partOf = (piece: unknown): unknown => (piece === undefined ? undefined : part(piece))
  return new Set([...applied].filter(([key, was]) => !sameJson(partOf(was), partOf(map.get(key)))).map(([key]) => key))
}

function markWhere({ map, kind, applied }: Row, { key }: Need<unknown, unknown>, others: ReadonlySet<string>): void {
  if (others.size === 0) return
  for (const piece of map.values()) {
    const own = kind.key(piece)
    if (others.has(key(piece) ?? '') && !applied.has(own)) applied.set(own, piece)
  }
}

function changedPiece(rows: Rows, { kind, map, applied }: Row, key: string): PieceChange<RenderedPiece> {
  const [was, is] = [applied.get(key), map.get(key)]
  return {
    was: was === undefined ? undefined : { piece: was, needed: neededBy(kind, was, rows.applied) },
    is: is === undefined ? undefined : { piece: is, needed: neededBy(kind, is, rows.now) },
  }
}

/** Of all that changed, as it was and as it is. */
function namesOf(changes: readonly KindChanges[]): ReadonlySet<string> {
  const names = new Set<string>()
  const add = (kind: AnyPieceKind, of: RenderedPiece | undefined): void => {
    for (const name of of === undefined ? [] : (kind.names?.(of.piece) ?? [])) names.add(name)
  }
  for (const { kind, pieces } of changes) {
    for (const { was, is } of pieces) {
      add(kind, was)
      add(kind, is)
    }
  }
  return names
}

/** Those with one of these names that are in the data plane, and are not taken. */
function* namesakes(
  rows: Rows,
  { row: { kind, map, applied }, keys }: TakenKeys,
  names: ReadonlySet<string>,
): Generator<PieceChange<RenderedPiece>, void, undefined> {
  if (kind.names === undefined || names.size === 0) return
  const asItIs = (piece: unknown): PieceChange<RenderedPiece> => {
    const rendered = { piece, needed: neededBy(kind, piece, rows.now) }
    return { was: rendered, is: rendered }
  }
  for (const piece of map.named(names)) if (!applied.has(kind.key(piece))) yield asItIs(piece)
  // What has still to be applied of it is not part of this.
  for (const [key, was] of applied)
    if (!keys.has(key) && was !== undefined && kind.names(was).some((name) => names.has(name))) yield asItIs(was)
}
