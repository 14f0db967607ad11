// What of a database's schema (RFC 7047 section 3.2) is needed to read updates: which columns hold several values, and what is left out
// because it is the default.
import type { Atom, Value } from './ovsdb.ts'

export interface Column {
  /** More than one value fits in: then an update says what differs, else what is (ovsdb-server(7), "update2"). */
  readonly several: boolean
  /** What an absent column means. */
  readonly fallback: Value
}
export type Columns = Readonly<Record<string, Column>>
/** By table. */
export type Schema = ReadonlyMap<string, Columns>

type BaseType = string | { readonly type: string }
type ColumnType = string | { readonly key: BaseType; readonly value?: BaseType; readonly min?: number; readonly max?: number | 'unlimited' }

const zeros: Readonly<Record<string, Atom>> = {
  string: '',
  integer: 0,
  real: 0,
  boolean: false,
  uuid: ['uuid', '00000000-0000-0000-0000-000000000000'],
}
const zeroOf = (base: BaseType): Atom => zeros[typeof base === 'string' ? base : base.type] ?? ''

function columnOf(type: ColumnType): Column {
  if (typeof type === 'string') return { several: false, fallback: zeroOf(type) }
  const several = type.max === 'unlimited' || (type.max ?? 1) > 1
  if (type.value !== undefined) return { several, fallback: ['map', []] }
  return { several, fallback: type.min === 0 || several ? ['set', []] : zeroOf(type.key) }
}

/** From the answer to `get_schema`, for the columns that are asked for. */
export function schemaOf(answer: unknown, wanted: Readonly<Record<string, readonly string[]>>): Schema {
  const { tables } = answer as {
    readonly tables: Readonly<Record<string, { readonly columns: Readonly<Record<string, { readonly type: ColumnType }>> }>>
  }
  return new Map(
    Object.entries(wanted).map(([table, columns]) => {
      const known = tables[table]?.columns ?? {}
      return [
        table,
        Object.fromEntries(
          columns.flatMap((column) => (known[column] === undefined ? [] : [[column, columnOf(known[column].type)] as const])),
        ),
      ]
    }),
  )
}
