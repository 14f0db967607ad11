// A list of the kernel's, changed by what it tells of it.
import type { NetlinkEvent } from '../../core/wire/netlink/netlink.ts'
import type { TableRoute } from '../../core/wire/netlink/route.ts'
import { sameJson } from '../../core/same-json.ts'

export interface ListRows<T> {
  /** All of it, as it was listed. */
  set(all: readonly T[]): void
  /** @returns false: how the list is now cannot be told from that */
  take(event: NetlinkEvent): boolean
  all(): Iterable<T>
}

/** Of things that have a key of their own. */
export class RowsByKey<T> implements ListRows<T> {
  readonly #of: (event: NetlinkEvent) => T | undefined
  readonly #keyOf: (row: T) => string
  readonly #rows = new Map<string, T>()

  constructor(of: (event: NetlinkEvent) => T | undefined, keyOf: (row: T) => string) {
    this.#of = of
    this.#keyOf = keyOf
  }

  set(all: readonly T[]): void {
    this.#rows.clear()
    for (const row of all) this.#rows.set(this.#keyOf(row), row)
  }

  take(event: NetlinkEvent): boolean {
    const row = this.#of(event)
    if (row === undefined) return true
    if (event.gone) this.#rows.delete(this.#keyOf(row))
    else this.#rows.set(this.#keyOf(row), row)
    return true
  }

  all(): Iterable<T> {
    return this.#rows.values()
  }
}

/**
 * Routes: of one table, block and metric there may be several. What is told of a single one is clear, and of those that daemons write all
 * is; how several change each other differs by family and by how they were made.
 */
export class RouteRows implements ListRows<TableRoute> {
  readonly #rows = new Map<string, readonly TableRoute[]>()

  set(all: readonly TableRoute[]): void {
    this.#rows.clear()
    for (const route of all) this.#rows.set(keyOf(route), [...(this.#rows.get(keyOf(route)) ?? []), route])
  }

  take(event: NetlinkEvent): boolean {
    if (event.kind !== 'tableRoutes') return true
    const { route } = event
    const key = keyOf(route)
    const [there, ...others] = this.#rows.get(key) ?? []
    if (others.length > 0) return false
    if (event.gone) {
      this.#rows.delete(key)
      return there === undefined || sameJson(there, route)
    }
    this.#rows.set(key, [route])
    return there === undefined || event.replaces || sameJson(there, route)
  }

  *all(): Iterable<TableRoute> {
    for (const routes of this.#rows.values()) yield* routes
  }
}

const keyOf = ({ table, to, metric = 0 }: TableRoute): string => `${table} ${to} ${metric}`
