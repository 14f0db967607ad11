// The keys of one kind's objects in the order of their pages. Sorted once, and kept up in one go by the next that asks, so that a
// page costs what is on it, and a change next to nothing.

export interface OrderedItem {
  readonly namespace: string
  readonly name: string
}
interface Entry extends OrderedItem {
  readonly key: string
}

export class Order {
  #sorted: Entry[] = []
  #added: Entry[] = []
  #changed = false

  add(key: string, { namespace = '', name }: { readonly namespace?: string; readonly name: string }): void {
    this.#added.push({ key, namespace, name })
    this.#changed = true
  }

  /** What is gone is told by `has` when it is asked for next. */
  drop(): void {
    this.#changed = true
  }

  /**
   * Keys after a place, of one namespace or of all.
   *
   * @param has whether an object of that key is there
   */
  *after(place: OrderedItem | undefined, namespace: string | undefined, has: (key: string) => boolean): Generator<string> {
    if (this.#changed) this.#settle(has)
    const sorted = this.#sorted
    for (let i = this.#firstAfter(later(place, namespace)); i < sorted.length; i++) {
      const entry = sorted[i]!
      if (namespace !== undefined && entry.namespace !== namespace) return
      yield entry.key
    }
  }

  #settle(has: (key: string) => boolean): void {
    const added = this.#added.sort(byPlace)
    const merged: Entry[] = []
    let next = 0
    const take = (entry: Entry): void => {
      // Gone and made anew: it is in both.
      if (merged.at(-1)?.key !== entry.key && has(entry.key)) merged.push(entry)
    }
    for (const entry of this.#sorted) {
      while (next < added.length && byPlace(added[next]!, entry) < 0) take(added[next++]!)
      take(entry)
    }
    while (next < added.length) take(added[next++]!)
    this.#sorted = merged
    this.#added = []
    this.#changed = false
  }

  #firstAfter(place: OrderedItem | undefined): number {
    let [from, to] = [0, place === undefined ? 0 : this.#sorted.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (byPlace(this.#sorted[middle]!, place!) <= 0) from = middle + 1
      else to = middle
    }
    return from
  }
}

/** No object has an empty name: a namespace begins after its own. */
function later(place: OrderedItem | undefined, namespace: string | undefined): OrderedItem | undefined {
  const start = namespace === undefined ? undefined : { namespace, name: '' }
  if (place === undefined || start === undefined) return place ?? start
  return byPlace(place, start) > 0 ? place : start
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byPlace = (a: OrderedItem, b: OrderedItem): number => compare(a.namespace, b.namespace) || compare(a.name, b.name)
