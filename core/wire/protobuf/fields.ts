// Field tables of protobuf messages (proto3), as values from which TypeScript knows the messages. Only what BESS, gNMI and NSM use:
// no groups, no extensions, no proto2 defaults.

/** How one value stands on the wire: https://protobuf.dev/programming-guides/encoding/ (2026-11). */
export type Scalar =
  | 'string'
  | 'bytes'
  | 'bool'
  | 'double'
  | 'float'
  | 'int32'
  | 'uint32'
  | 'sint32'
  | 'fixed32'
  | 'sfixed32'
  | 'int64'
  | 'uint64'
  | 'sint64'
  | 'fixed64'
  | 'sfixed64'

/** What a message needs of another one: itself, so that tables may name each other. */
export interface Nested<Out, In> {
  readonly name: string
  readonly fields: Fields
  /** Never there: it carries the types. */
  readonly types?: { readonly out: Out; readonly in: In }
}

/** plain: absent on the wire where it is the default; optional: told apart from the default; message: absent or there. */
export type Label = 'plain' | 'optional' | 'repeated' | 'map'

export interface Field<Out = unknown, In = unknown, Absent extends boolean = boolean> {
  readonly no: number
  readonly type: Scalar | (() => Nested<unknown, unknown>)
  readonly label: Label
  /** 64-bit integers as numbers; what is no safe integer is refused in both directions. Without it they are bigint. */
  readonly safe?: true
  /** Of a map. */
  readonly key?: Scalar
  /** Name of the oneof that it is in. */
  readonly oneof?: string
  /** Never there: it carries the types. */
  readonly types?: { readonly out: Out; readonly in: In; readonly absent: Absent }
}

export type Fields = Readonly<Record<string, Field>>

type Plain<T> = Field<T, T, false>
type Nest<Out, In> = Field<Out, In, true>
const plain =
  <T>(type: Scalar) =>
  (no: number): Plain<T> => ({ no, type, label: 'plain' })

export const string = plain<string>('string')
export const bytes = plain<Uint8Array>('bytes')
export const bool = plain<boolean>('bool')
export const double = plain<number>('double')
export const float = plain<number>('float')
export const int32 = plain<number>('int32')
export const uint32 = plain<number>('uint32')
/** An enum is an int32: what a number means is said by whoever uses it, and unknown ones are kept. */
export const enumeration = plain<number>('int32')
export const int64 = plain<bigint>('int64')
export const uint64 = plain<bigint>('uint64')
const safe =
  (type: Scalar) =>
  (no: number): Plain<number> => ({ no, type, label: 'plain', safe: true })
/** 64 bits as a number: for counters and indexes that never reach 2^53. */
export const safeInt64 = safe('int64')
export const safeUint64 = safe('uint64')
/** Any other type of scalar, by its name; those of 64 bits are bigint. */
export const scalar = <T>(no: number, type: Scalar): Plain<T> => plain<T>(type)(no)

/** A message inside; a function where the table stands further down or is this one. */
export const message = <Out, In>(no: number, of: Nested<Out, In> | (() => Nested<Out, In>)): Nest<Out, In> => ({
  no,
  type: typeof of === 'function' ? of : () => of,
  label: 'plain',
})

/** A scalar that is told apart from its default (`optional` of proto3). */
export const optional = <T>(field: Plain<T>): Field<T, T, true> => ({ ...field, label: 'optional' }) as unknown as Field<T, T, true>

/** Packed where the type can be; both ways are read. */
export const repeated = <Out, In, A extends boolean>(field: Field<Out, In, A>): Field<readonly Out[], readonly In[], false> =>
  ({ ...field, label: 'repeated' }) as unknown as Field<readonly Out[], readonly In[], false>

/** `value` has the number of the map's own field. */
export const map = <K extends string | number, Out, In, A extends boolean>(
  key: Scalar,
  value: Field<Out, In, A>,
): Field<ReadonlyMap<K, Out>, ReadonlyMap<K, In>, false> =>
  ({ ...value, label: 'map', key }) as unknown as Field<ReadonlyMap<K, Out>, ReadonlyMap<K, In>, false>

type OneofMembers<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer Out, infer In, boolean> ? Field<Out, In, true> : never
}

/** At most one of them is there, and it is told apart from its default: `...oneof('value', {a: string(1), b: bool(2)})`. */
export function oneof<F extends Fields>(name: string, members: F): OneofMembers<F> {
  return Object.fromEntries(
    Object.entries(members).map(([key, field]) => [key, { ...field, label: 'optional', oneof: name }]),
  ) as unknown as OneofMembers<F>
}

type AbsentKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<unknown, unknown, infer A> ? (A extends true ? K : never) : never
}[keyof F]
type OutOf<F> = F extends Field<infer Out, unknown> ? Out : never
type InOf<F> = F extends Field<unknown, infer In> ? In : never

/** A message as it is read: defaults filled in; messages, optional fields and members of a oneof absent where they are not there. */
export type Read<F extends Fields> = { readonly [K in Exclude<keyof F, AbsentKeys<F>>]: OutOf<F[K]> } & {
  readonly [K in AbsentKeys<F>]?: OutOf<F[K]>
}
/** A message as it is written: what is left out is default or absent. */
export type Written<F extends Fields> = { readonly [K in keyof F]?: InOf<F[K]> | undefined }
