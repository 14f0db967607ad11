// OVSDB's values, operations and answers (RFC 7047) as TypeScript types, and the few words for making and reading them.

export type Uuid = readonly ['uuid', string]
/** A row of the same transaction (RFC 7047 section 5.1). */
export type NamedUuid = readonly ['named-uuid', string]
export type Atom = string | number | boolean | Uuid | NamedUuid
export type SetValue = readonly ['set', readonly Atom[]]
export type MapValue = readonly ['map', readonly (readonly [Atom, Atom])[]]
/** A set of one atom may stand as the atom. */
export type Value = Atom | SetValue | MapValue
export type Row = Readonly<Record<string, Value>>

export type Condition = readonly [column: string, is: '<' | '<=' | '==' | '!=' | '>=' | '>' | 'includes' | 'excludes', value: Value]
export type Mutation = readonly [column: string, by: '+=' | '-=' | '*=' | '/=' | '%=' | 'insert' | 'delete', value: Value]

/** RFC 7047 section 5.2. */
export type Operation =
  | { readonly op: 'insert'; readonly table: string; readonly row: Row; readonly 'uuid-name'?: string }
  | { readonly op: 'select'; readonly table: string; readonly where: readonly Condition[]; readonly columns?: readonly string[] }
  | { readonly op: 'update'; readonly table: string; readonly where: readonly Condition[]; readonly row: Row }
  | { readonly op: 'mutate'; readonly table: string; readonly where: readonly Condition[]; readonly mutations: readonly Mutation[] }
  | { readonly op: 'delete'; readonly table: string; readonly where: readonly Condition[] }
  | {
      readonly op: 'wait'
      readonly table: string
      readonly where: readonly Condition[]
      readonly columns: readonly string[]
      readonly until: '==' | '!='
      readonly rows: readonly Row[]
      readonly timeout?: number
    }
  | { readonly op: 'comment'; readonly comment: string }

/** What one operation came to. */
export interface Result {
  readonly count?: number
  readonly uuid?: Uuid
  readonly rows?: readonly Row[]
}

/** Nothing of the transaction was done. */
export interface OvsdbFailure {
  /** `constraint violation`, `referential integrity violation`, `timed out` (a wait that did not hold), … */
  readonly error: string
  readonly details: string
  /** Which operation; absent where all were good and the commit was not. */
  readonly operation?: number
}

export const uuid = (id: string): Uuid => ['uuid', id]
export const named = (name: string): NamedUuid => ['named-uuid', name]
export const setOf = (atoms: readonly Atom[]): SetValue => ['set', atoms]
export const mapOf = (entries: Readonly<Record<string, string>>): MapValue => ['map', Object.entries(entries)]
export const byUuid = (id: string): readonly Condition[] => [['_uuid', '==', uuid(id)]]
export const byName = (name: string): readonly Condition[] => [['name', '==', name]]

const isTagged = (value: Value | undefined, tag: string): boolean => Array.isArray(value) && value[0] === tag

/** The members of a set, whatever its spelling; an optional value is none or one. */
export function atomsOf(value: Value | undefined): readonly Atom[] {
  if (value === undefined) return []
  return isTagged(value, 'set') ? (value as SetValue)[1] : [value as Atom]
}

export const stringsOf = (value: Value | undefined): string[] => atomsOf(value).map(String)
export const uuidsOf = (value: Value | undefined): string[] => atomsOf(value).map((atom) => (atom as Uuid)[1])
/** Undefined where an optional number is not set. */
export const numberOf = (value: Value | undefined): number | undefined => {
  const atom = atomsOf(value)[0]
  return typeof atom === 'number' ? atom : undefined
}
/** '' where an optional text is not set. */
export const textOf = (value: Value | undefined): string => String(atomsOf(value)[0] ?? '')

/** A map of texts; empty where the value is no map. */
export function recordOf(value: Value | undefined): Readonly<Record<string, string>> {
  return isTagged(value, 'map') ? Object.fromEntries((value as MapValue)[1].map(([key, each]) => [String(key), String(each)])) : {}
}

/**
 * The results of a transaction's operations, or its fault, from what stands under `result`: after a failed operation the rest is null,
 * and where only the commit failed there is one more entry than operations (RFC 7047 section 4.1.3).
 */
export function resultsOf(answer: unknown, operations: number): readonly Result[] | OvsdbFailure {
  if (!Array.isArray(answer)) return { error: 'no answer', details: `a list of results is needed, not ${JSON.stringify(answer)}` }
  const failed = answer.findIndex((each: unknown) => each !== null && typeof each === 'object' && 'error' in each)
  if (failed >= 0) {
    const { error, details } = answer[failed] as { readonly error: unknown; readonly details?: unknown }
    return {
      error: String(error),
      details: details === undefined ? '' : String(details),
      ...(failed < operations ? { operation: failed } : {}),
    }
  }
  if (answer.length < operations) return { error: 'no answer', details: `${answer.length} results for ${operations} operations` }
  return answer as readonly Result[]
}
