// Tables of a database as they are now, from the updates of a monitor.
import type { Column, Schema } from './schema.ts'
import { atomsOf, type Atom, type MapValue, type Row, type Value } from './ovsdb.ts'

/** One row's step; `before` absent: new, `after` absent: gone. */
export interface RowChange {
  readonly table: string
  readonly id: string
  readonly before: Row | undefined
  readonly after: Row | undefined
}
export type Rows = ReadonlyMap<string, Row>

type Update = { readonly old?: Row; readonly new?: Row }
type Update2 = { readonly initial?: Row; readonly insert?: Row; readonly delete?: null; readonly modify?: Row }
type Tables<U> = Readonly<Record<string, Readonly<Record<string, U>>>>

const keyOf = (atom: Atom): string => (typeof atom === 'object' ? atom[1] : String(atom))

/** The rows of the selected tables and columns. A row is never changed: a new one takes its place. */
export class Replica {
  readonly #schema: Schema
  #tables = new Map<string, Map<string, Row>>()
  /** By table, a row whose every column is at its default. */
  readonly #empty: ReadonlyMap<string, Row>

  constructor(schema: Schema) {
    this.#schema = schema
    this.#empty = new Map(
      [...schema].map(([table, columns]) => [
        table,
        Object.fromEntries(Object.entries(columns).map(([name, { fallback }]) => [name, fallback])),
      ]),
    )
  }

  rows(table: string): Rows {
    return this.#table(table)
  }

  /** An update of `monitor` (RFC 7047 section 4.1.6): `new` is the whole row. */
  update(tables: Tables<Update>): RowChange[] {
    return this.#each(tables, (_table, _before, update) => update.new)
  }

  /** An update of `monitor_cond` (ovsdb-server(7), section 4.1.14): `modify` is what differs. */
  update2(tables: Tables<Update2>): RowChange[] {
    return this.#each(tables, (table, before, update) => {
      const whole = update.initial ?? update.insert
      if (whole !== undefined) return this.#filled(table, whole)
      return update.modify === undefined || before === undefined ? undefined : this.#modified(table, before, update.modify)
    })
  }

  #table(name: string): Map<string, Row> {
    const table = this.#tables.get(name) ?? new Map<string, Row>()
    this.#tables.set(name, table)
    return table
  }

  #each<U>(tables: Tables<U>, afterOf: (table: string, before: Row | undefined, update: U) => Row | undefined): RowChange[] {
    const changes: RowChange[] = []
    for (const [table, updates] of Object.entries(tables)) {
      const rows = this.#table(table)
      for (const [id, update] of Object.entries(updates)) {
        const before = rows.get(id)
        const after = afterOf(table, before, update)
        if (after === undefined) rows.delete(id)
        else rows.set(id, after)
        changes.push({ table, id, before, after })
      }
    }
    return changes
  }

  /** Columns at their default are left out of an `insert`; readers should not have to know. */
  #filled(table: string, row: Row): Row {
    return { ...this.#empty.get(table), ...row }
  }

  #modified(table: string, before: Row, differs: Row): Row {
    const columns = this.#schema.get(table) ?? {}
    return {
      ...before,
      ...Object.fromEntries(Object.entries(differs).map(([name, value]) => [name, modified(columns[name], before[name], value)])),
    }
  }
}

function modified(column: Column | undefined, before: Value | undefined, value: Value): Value {
  if (column?.several !== true) return value
  if (Array.isArray(column.fallback) && column.fallback[0] === 'map') return modifiedMap(before as MapValue | undefined, value as MapValue)
  return ['set', toggled(atomsOf(before), atomsOf(value))]
}

/** What is in one of the two only. */
function toggled(before: readonly Atom[], differs: readonly Atom[]): readonly Atom[] {
  const all = new Map(before.map((atom) => [keyOf(atom), atom]))
  for (const atom of differs) if (!all.delete(keyOf(atom))) all.set(keyOf(atom), atom)
  return [...all.values()]
}

/** A pair that was there goes, a key with another value is set, the rest comes in. */
function modifiedMap(before: MapValue | undefined, differs: MapValue): MapValue {
  const all = new Map((before?.[1] ?? []).map((pair) => [keyOf(pair[0]), pair]))
  for (const pair of differs[1]) {
    const there = all.get(keyOf(pair[0]))
    if (there !== undefined && keyOf(there[1]) === keyOf(pair[1])) all.delete(keyOf(pair[0]))
    else all.set(keyOf(pair[0]), pair)
  }
  return ['map', [...all.values()]]
}
