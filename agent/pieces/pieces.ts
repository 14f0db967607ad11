// What this node should carry, piece by piece, and which pieces have changed since they were last applied. A piece is small
// and shared with nobody; what it is rendered to is never kept: of a hundred thousand endpoints only this is in memory.
import { pieceKinds } from '../../core/pieces/index.ts'
import type { PieceKind, PieceKinds, PieceMap } from '../../core/pieces/kind.ts'
import { neededBy } from '../../core/pieces/needed.ts'
import type { NodePieces } from '../../core/pieces/piece-set.ts'
import type { PieceChanges } from '../../core/plan/node/change.ts'
import { sameJson } from '../../core/same-json.ts'
import { Rows, type PieceKeeper } from './rows.ts'
import { take } from './take.ts'

export interface PiecesOptions {
  /** Called at each change: it asks for an apply soon. */
  readonly changed: () => void
  /** Absent: all that there are. */
  readonly kinds?: PieceKinds
  /** Absent: nothing is written down. */
  readonly keeper?: PieceKeeper
}

export class Pieces {
  readonly kinds: PieceKinds
  readonly #rows: Rows
  readonly #changed: () => void
  #learned = false

  constructor({ changed, kinds = pieceKinds, keeper }: PiecesOptions) {
    this.kinds = kinds
    this.#rows = new Rows(kinds, keeper)
    this.#changed = changed
  }

  /** Those of one kind: looked at, not changed. */
  of<P, N extends object, M extends PieceMap<P>>(kind: PieceKind<P, N, M>): Omit<M, 'set' | 'delete'> {
    this.#rows.make()
    return this.#rows.of(kind).map as unknown as M
  }

  has<P, N extends object, M extends PieceMap<P>>(kind: PieceKind<P, N, M>, key: string): boolean {
    return this.#rows.now.get(kind, key) !== undefined
  }

  /** Whether the data plane may have it: it is wanted, or was and has not been taken away yet. */
  stands<P, N extends object, M extends PieceMap<P>>(kind: PieceKind<P, N, M>, key: string): boolean {
    return this.has(kind, key) || this.#rows.applied.get(kind, key) !== undefined
  }

  /** Whether anything has changed since it was last taken. */
  get isChanged(): boolean {
    return this.#rows.all.some(({ applied, shares }) => applied.size > 0 || shares?.isDue === true)
  }

  /** Whether the data plane lacks anything that is known here by now. */
  get isAhead(): boolean {
    return this.isChanged || this.#learned
  }

  /** Another number whenever what `wanted` tells has changed. */
  get version(): number {
    this.#rows.make()
    return this.#rows.version
  }

  /** @param piece undefined: it is there no more */
  set<P, N extends object, M extends PieceMap<P>>(kind: PieceKind<P, N, M>, key: string, piece: P | undefined): void {
    const row = this.#rows.of(kind)
    const was = row.map.get(key)
    if (sameJson(was, piece)) return
    this.#rows.put(row, key, { was, is: piece })
    this.#changed()
  }

  /** As `set`, of very many, after which everything is compared: no change is made of each. */
  learn<P, N extends object, M extends PieceMap<P>>(kind: PieceKind<P, N, M>, piece: P): void {
    const row = this.#rows.of(kind)
    const key = kind.key(piece)
    this.#rows.keep(row, key, { was: row.map.get(key), is: piece })
    this.#learned = true
  }

  /** All that a source knows of a kind: whatever else was told of it before is there no more. */
  setAll<P, N extends object, M extends PieceMap<P>>(kind: PieceKind<P, N, M>, pieces: readonly P[]): void {
    const all = new Map(pieces.map((piece) => [kind.key(piece), piece]))
    for (const key of [...this.#rows.of(kind).map.keys()]) if (!all.has(key)) this.set(kind, key, undefined)
    for (const [key, piece] of all) this.set(kind, key, piece)
  }

  /** What a piece is rendered with. */
  neededBy<P, N extends object>(kind: PieceKind<P, N>, piece: P): N {
    return neededBy(kind, piece, this.#rows.now)
  }

  /** All of it, as one node. Pieces are looked through, not copied. */
  wanted(): NodePieces {
    this.#rows.make()
    return { get: (kind, key) => this.#rows.now.get(kind, key), values: (kind) => this.#rows.of(kind).map.values() }
  }

  /** What has changed counts as applied. */
  forget(): void {
    for (const { applied } of this.#rows.all) applied.clear()
    this.#learned = false
  }

  /**
   * What has changed since this was asked last; from now on it counts as applied. With it comes whoever has a name in common with
   * it, as it is there: what has still to be applied of that is not part of this.
   *
   * @param most of all kinds with very many pieces together
   */
  take(most: number): PieceChanges {
    return take(this.#rows, most)
  }
}
