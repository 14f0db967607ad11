// Scalars of protobuf: how each is read and written, and what it is when it is not there.
import { WireType, type BinaryReader, type BinaryWriter } from '@bufbuild/protobuf/wire'
import type { Scalar } from './fields.ts'

export type Value = string | number | bigint | boolean | Uint8Array

const wire: Readonly<Record<Scalar, WireType>> = {
  string: WireType.LengthDelimited,
  bytes: WireType.LengthDelimited,
  bool: WireType.Varint,
  double: WireType.Bit64,
  float: WireType.Bit32,
  int32: WireType.Varint,
  uint32: WireType.Varint,
  sint32: WireType.Varint,
  fixed32: WireType.Bit32,
  sfixed32: WireType.Bit32,
  int64: WireType.Varint,
  uint64: WireType.Varint,
  sint64: WireType.Varint,
  fixed64: WireType.Bit64,
  sfixed64: WireType.Bit64,
}

export const wireTypeOf = (type: Scalar): WireType => wire[type]
/** Whether many of them may stand in one field without tags. */
export const packs = (type: Scalar): boolean => wire[type] !== WireType.LengthDelimited
const wide = (type: Scalar): boolean => type.endsWith('64')

export function defaultOf({ type, safe }: { readonly type: Scalar; readonly safe?: true }): Value {
  if (type === 'string') return ''
  if (type === 'bytes') return new Uint8Array()
  if (type === 'bool') return false
  return wide(type) && safe !== true ? 0n : 0
}

export const isDefault = (value: Value): boolean =>
  value instanceof Uint8Array
    ? value.length === 0
    : value === '' || value === false || value === 0n || (value === 0 && !Object.is(value, -0))

/**
 * @param type what stands on the wire: that of the field, or of its map's keys
 * @throws RangeError where bytes end early, or a number is none that fits
 */
export function readScalar(reader: BinaryReader, type: Scalar, safe?: true): Value {
  const value = type === 'string' ? reader.string(true) : reader[type]()
  return wide(type) ? narrowed(BigInt(value as string | bigint), safe) : value
}

function narrowed(value: bigint, safe?: true): bigint | number {
  if (safe !== true) return value
  if (!Number.isSafeInteger(Number(value))) throw new RangeError(`${value} is more than a number holds`)
  return Number(value)
}

/** Writes without tag. @throws Error where the value is not of the type */
export function writeScalar(writer: BinaryWriter, type: Scalar, value: Value): void {
  if (typeof value === 'number' && wide(type) && !Number.isSafeInteger(value)) throw new RangeError(`${value} is not exact`)
  if (type === 'string' ? typeof value !== 'string' : type === 'bytes' && !(value instanceof Uint8Array))
    throw new TypeError(`${typeof value} is no ${type}`)
  ;(writer[type] as (value: Value) => BinaryWriter).call(writer, value)
}
