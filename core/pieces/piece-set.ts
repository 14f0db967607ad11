// All pieces of a node at once, with those that are made of them, as the rows say it and from nothing: what agents turn one by one.
import { pieceKinds } from './index.ts'
import type { AnyPieceKind, DerivedPiece, PieceKinds } from './kind.ts'
import type { PieceLookup } from './needed.ts'

/** All pieces of a node, whichever way they are kept. */
export interface NodePieces extends PieceLookup {
  values(kind: AnyPieceKind): Iterable<unknown>
}

/** Pieces that are told, by kind. */
export type ReportedPieces = readonly (readonly [kind: AnyPieceKind, pieces: Iterable<unknown>])[]

export function pieceSet(reported: ReportedPieces, kinds: PieceKinds = pieceKinds): NodePieces {
  const all = new Map<string, ReadonlyMap<string, unknown>>(
    reported.map(([kind, pieces]) => [kind.name, new Map([...pieces].map((piece) => [kind.key(piece), piece]))]),
  )
  for (const { name, made } of kinds) if (made !== undefined) all.set(name, madeOf(made, all))
  return { get: ({ name }, key) => all.get(name)?.get(key), values: ({ name }) => all.get(name)?.values() ?? [] }
}

function madeOf(
  { from, make }: DerivedPiece<unknown>,
  all: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
): ReadonlyMap<string, unknown> {
  const given = from.flatMap(({ of, shares }) =>
    [...(all.get(of.name) ?? [])].flatMap(([key, piece]) =>
      shares(piece).map(([into, share]) => ({ giver: `${of.name}/${key}`, into, share })),
    ),
  )
  const inOrder = given.sort((a, b) => (a.giver < b.giver ? -1 : a.giver > b.giver ? 1 : 0))
  return new Map(
    [...Map.groupBy(inOrder, ({ into }) => into)].map(([into, shares]) => [
      into,
      make(
        into,
        shares.map(({ share }) => share),
      ),
    ]),
  )
}
