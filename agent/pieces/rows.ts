// The pieces of a node in memory, kind by kind, and which of them the data plane does not have as they are.
import { type AnyPieceKind, type PieceKinds, type PieceMap } from '../../core/pieces/kind.ts'
import { NamedMap } from '../../core/pieces/named-map.ts'
import type { PieceLookup } from '../../core/pieces/needed.ts'
import { Shares } from '../../core/pieces/shares.ts'
import { checkTable } from '../../core/pieces/table.ts'
import type { PieceChange } from '../../core/plan/node/change.ts'
import { sameJson } from '../../core/same-json.ts'

/** Where pieces of kinds that are kept are written down. */
export interface PieceKeeper {
  /** @param piece undefined: it is there no more */
  keep(kind: string, key: string, piece: unknown): void
}

/** The pieces of one kind. */
export interface Row {
  readonly kind: AnyPieceKind
  readonly map: PieceMap<unknown>
  /** Key → the piece as it is in the data plane, of those that are otherwise by now. */
  readonly applied: Map<string, unknown>
  /** Of a kind that is made of others. */
  readonly shares: Shares<unknown> | undefined
}

export class Rows {
  readonly all: readonly Row[]
  readonly #byName: ReadonlyMap<string, Row>
  readonly #keeper: PieceKeeper | undefined
  #changes = 0

  constructor(kinds: PieceKinds, keeper: PieceKeeper | undefined) {
    checkTable(kinds)
    this.all = kinds.map(rowOf)
    this.#byName = new Map(this.all.map((row) => [row.kind.name, row]))
    this.#keeper = keeper
  }

  /** Another number whenever any piece has changed. */
  get version(): number {
    return this.#changes
  }

  /** As they are. */
  readonly now: PieceLookup = { get: (kind, key) => this.of(kind).map.get(key) }

  /** As the data plane has them. */
  readonly applied: PieceLookup = {
    get: (kind, key) => {
      const { applied, map } = this.of(kind)
      return applied.has(key) ? applied.get(key) : map.get(key)
    },
  }

  of({ name }: Pick<AnyPieceKind, 'name'>): Row {
    const row = this.#byName.get(name)
    if (row === undefined) throw new RangeError(`no kind of pieces is called ${name}`)
    return row
  }

  put(row: Row, key: string, change: PieceChange<unknown>): void {
    if (!row.applied.has(key)) row.applied.set(key, change.was)
    this.keep(row, key, change)
  }

  /** As `put`; the data plane is to be compared anyway. */
  keep({ kind, map }: Row, key: string, { was, is }: PieceChange<unknown>): void {
    this.#changes++
    if (is === undefined) map.delete(key)
    else map.set(key, is)
    if (kind.isKept !== undefined) this.#keeper?.keep(kind.name, key, is)
    for (const { kind: other, shares } of this.all) {
      for (const contribution of other.made?.from ?? [])
        if (contribution.of.name === kind.name) shares!.change(`${kind.name}/${key}`, contribution, { was, is })
    }
  }

  /** Pieces that are made of others follow them, before anybody looks at them. */
  make(): void {
    for (const row of this.all) {
      for (const [key, piece] of row.shares?.takeDue() ?? []) {
        const was = row.map.get(key)
        if (!sameJson(was, piece)) this.put(row, key, { was, is: piece })
      }
    }
  }
}

function rowOf(kind: AnyPieceKind): Row {
  const map: PieceMap<unknown> = kind.many?.() ?? new NamedMap((piece: unknown) => kind.names?.(piece) ?? [])
  return { kind, map, applied: new Map(), shares: kind.made && new Shares(kind.made) }
}
