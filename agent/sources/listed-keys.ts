// What the list under way has told of each VNI: what was known before and is not among it has gone meanwhile.
export class ListedKeys {
  readonly #keys = new Map<number, Set<string>>()

  begin(vni: number): void {
    this.#keys.set(vni, new Set())
  }

  add(vni: number, key: string): void {
    this.#keys.get(vni)?.add(key)
  }

  /** @returns those of what was known that the list has not told of; it is over */
  missing(vni: number, known: Iterable<string>): readonly string[] {
    const listed = this.#keys.get(vni)
    this.#keys.delete(vni)
    return [...known].filter((key) => listed?.has(key) !== true)
  }

  drop(vni: number): void {
    this.#keys.delete(vni)
  }
}
