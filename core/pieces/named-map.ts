// Pieces by key, and by the names that they may have in common with others.
import type { PieceMap } from './kind.ts'

export class NamedMap<P> implements PieceMap<P> {
  readonly #pieces = new Map<string, P>()
  /** Name → keys of the pieces that have it. */
  readonly #byName = new Map<string, Set<string>>()
  readonly #namesOf: (piece: P) => readonly string[]

  constructor(namesOf: (piece: P) => readonly string[]) {
    this.#namesOf = namesOf
  }

  get size(): number {
    return this.#pieces.size
  }

  get(key: string): P | undefined {
    return this.#pieces.get(key)
  }

  set(key: string, piece: P): void {
    this.#forgetNames(key)
    this.#pieces.set(key, piece)
    for (const name of this.#namesOf(piece)) {
      const keys = this.#byName.get(name)
      if (keys === undefined) this.#byName.set(name, new Set([key]))
      else keys.add(key)
    }
  }

  delete(key: string): void {
    this.#forgetNames(key)
    this.#pieces.delete(key)
  }

  keys(): Iterable<string> {
    return this.#pieces.keys()
  }

  values(): Iterable<P> {
    return this.#pieces.values()
  }

  *named(names: ReadonlySet<string>): Generator<P, void, undefined> {
    if (this.#byName.size === 0) return
    const keys = new Set<string>()
    for (const name of names) for (const key of this.#byName.get(name) ?? []) keys.add(key)
    for (const key of keys) yield this.#pieces.get(key)!
  }

  #forgetNames(key: string): void {
    const was = this.#pieces.get(key)
    if (was === undefined) return
    for (const name of this.#namesOf(was)) {
      const keys = this.#byName.get(name)
      keys?.delete(key)
      if (keys?.size === 0) this.#byName.delete(name)
    }
  }
}
