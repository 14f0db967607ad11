// The pieces that one is rendered with.
import type { AnyPieceKind, Need, PieceKind } from './kind.ts'

export interface PieceLookup {
  get(kind: AnyPieceKind, key: string): unknown
}

/** As much as matters of each piece that this one needs, those that are there. */
export function neededBy<P, N extends object>({ needs }: PieceKind<P, N>, piece: P, pieces: PieceLookup): N {
  if (needs === undefined) return none as N
  const parts = Object.entries<Need<P, unknown>>(needs).map(([name, { kind, key, part }]) => {
    const of = key(piece)
    const other = of === undefined ? undefined : pieces.get(kind, of)
    return [name, other === undefined ? undefined : part(other)] as const
  })
  return Object.fromEntries(parts) as N
}

const none = {}
