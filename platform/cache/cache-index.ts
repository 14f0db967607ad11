// Objects found by a value of theirs: kept up with every step of the cache.
import { keyOfItem, type Kind, type Resource } from '../../core/kinds/index.ts'

/** The values that an object is found by; several, one or none. */
export type IndexOf<K extends Kind> = (item: Resource<K>) => readonly string[]

const none: readonly never[] = []

export class CacheIndex<K extends Kind> {
  #of: IndexOf<K>
  /** One item by itself, since most values are one item's; several by their keys. */
  #found = new Map<string, Resource<K> | Map<string, Resource<K>>>()

  constructor(of: IndexOf<K>) {
    this.#of = of
  }

  by(value: string): Iterable<Resource<K>> {
    const filed = this.#found.get(value)
    if (filed === undefined) return none
    return filed instanceof Map ? filed.values() : [filed]
  }

  /** @param before what was filed under the same key */
  put(before: Resource<K> | undefined, after: Resource<K>, key: string): void {
    const values = this.#of(after)
    if (before !== undefined) {
      for (const value of this.#of(before)) if (!values.includes(value)) this.#unfile(value, key)
    }
    for (const value of values) this.#file(value, key, after)
  }

  drop(before: Resource<K>, key: string): void {
    for (const value of this.#of(before)) this.#unfile(value, key)
  }

  #file(value: string, key: string, item: Resource<K>): void {
    const filed = this.#found.get(value)
    if (filed instanceof Map) filed.set(key, item)
    else if (filed === undefined || keyOfItem(filed) === key) this.#found.set(value, item)
    else
      this.#found.set(
        value,
        new Map([
          [keyOfItem(filed), filed],
          [key, item],
        ]),
      )
  }

  #unfile(value: string, key: string): void {
    const filed = this.#found.get(value)
    if (!(filed instanceof Map)) {
      if (filed !== undefined && keyOfItem(filed) === key) this.#found.delete(value)
      return
    }
    filed.delete(key)
    if (filed.size === 0) this.#found.delete(value)
  }
}
