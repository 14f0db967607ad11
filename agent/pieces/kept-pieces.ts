// Pieces of kinds that are kept: written down as they are told, and wanted again by the next agent before anybody has told it anything.
import type { Log } from '../../platform/log.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Pieces } from './pieces.ts'
import type { PieceKeeper } from './rows.ts'

export class KeptPieces implements PieceKeeper {
  readonly #ledger: Ledger
  readonly #log: Log
  readonly #writing = new Set<Promise<void>>()

  constructor({ ledger, log }: { readonly ledger: Ledger; readonly log: Log }) {
    this.#ledger = ledger
    this.#log = log
  }

  keep(kind: string, key: string, piece: unknown): void {
    const writing = this.#ledger
      .keepPiece(kind, key, piece)
      .catch((err: unknown) => this.#log.error({ err, kind, key }, 'the ledger does not take a piece'))
    this.#writing.add(writing)
    void writing.then(() => this.#writing.delete(writing))
  }

  /** Resolves once all that was told by now is written, or was not taken; undefined: nothing is being written. */
  written(): Promise<unknown> | undefined {
    return this.#writing.size === 0 ? undefined : Promise.all(this.#writing)
  }

  recall(pieces: Pieces): void {
    for (const kind of pieces.kinds) {
      if (kind.isKept === undefined) continue
      for (const [key, piece] of [...this.#ledger.pieces(kind.name)]) {
        if (kind.isKept(piece) && kind.key(piece) === key) pieces.set(kind, key, piece)
        else this.#forget(kind.name, key)
      }
    }
  }

  /** Another version may have written it otherwise. What it came to stays in the data plane until its source has told all it knows. */
  #forget(kind: string, key: string): void {
    this.#log.warn({ kind, key }, 'a piece in the ledger cannot be read: it is waited for')
    this.keep(kind, key, undefined)
  }
}
