// Actions that write into fields, in bytes and back: set_field (OpenFlow 1.4 section 7.2.5.6), and Nicira's load of some bits
// (nicira-ext.h).
import type { Bits, LoadBits, SetField } from '../../pipeline/openflow/actions.ts'
import { fieldByHeader, type Field } from '../../pipeline/openflow/fields.ts'
import type { FieldValue } from '../../pipeline/openflow/values.ts'
import type { Bytes } from '../bytes.ts'
import { hasMask, readValue, writeValue } from './match.ts'

export const nicira = 0x00002320
const types = { setField: 25, experimenter: 0xffff } as const
const loadSubtype = 7

export function head(out: Bytes, type: number, length: number): void {
  out.u16(type)
  out.u16(length)
}

export function extension(out: Bytes, subtype: number, length: number): void {
  head(out, types.experimenter, length)
  out.u32(nicira)
  out.u16(subtype)
}

export function writeSet(out: Bytes, { field, value }: SetField): void {
  const length = Math.ceil((8 + field.bytes) / 8) * 8
  head(out, types.setField, length)
  const end = out.at - 4 + length
  out.u32(field.header)
  writeValue(out, field, value)
  out.at = end
}

export function writeLoad(out: Bytes, { to, value }: LoadBits): void {
  extension(out, loadSubtype, 24)
  out.u16(to.from * 64 + to.count - 1)
  out.u32(to.field.header)
  out.u64(value)
}

/** OpenFlow 1.5 has no load: it sets bits under a mask. */
export function writeMaskedSet(out: Bytes, { to: { field, from, count }, value }: LoadBits): void {
  const length = Math.ceil((8 + 2 * field.bytes) / 8) * 8
  head(out, types.setField, length)
  const end = out.at - 4 + length
  out.u32(field.header + hasMask + field.bytes)
  writeValue(out, field, valueFor(field, BigInt(value) << BigInt(from)))
  writeValue(out, field, valueFor(field, ((1n << BigInt(count)) - 1n) << BigInt(from)))
  out.at = end
}

const valueFor = (field: Field, value: bigint): FieldValue => (field.bytes > 8 ? value : Number(value))

/** Bits that stand packed at one place, of the field whose header stands at another. */
export const bitsAt = (view: DataView, packedAt: number, headerAt: number): Bits => {
  const packed = view.getUint16(packedAt)
  return { field: fieldAt(view, headerAt), from: packed >> 6, count: (packed & 63) + 1 }
}

/** @throws RangeError for a number that is not exact here */
export function readLoad(view: DataView, at: number): LoadBits {
  const value = view.getUint32(at + 16) * 2 ** 32 + view.getUint32(at + 20)
  if (!Number.isSafeInteger(value)) throw new RangeError(`a load of ${value}`)
  return { do: 'load', to: bitsAt(view, at + 10, at + 12), value }
}

/** OpenFlow 1.5 has masks here, and switches write loads with them. */
export function readSet(view: DataView, at: number): SetField | LoadBits {
  const header = view.getUint32(at + 4)
  if ((header & hasMask) === 0) {
    const field = fieldAt(view, at + 4)
    return { do: 'set', field, value: readValue(view, at + 8, field) }
  }
  const field = fieldOf(header - hasMask - (header & 0xff) / 2)
  return loadOf(field, readValue(view, at + 8, field), readValue(view, at + 8 + field.bytes, field))
}

/** @throws RangeError where the mask is not one run of ones */
function loadOf(field: Field, value: FieldValue, mask: FieldValue): SetField | LoadBits {
  const ones = BigInt(mask).toString(2)
  const from = ones.length - 1 - ones.lastIndexOf('1')
  const count = ones.length - from
  if (!/^1+0*$/.test(ones)) throw new RangeError(`set_field of ${field.name} under a mask with holes`)
  return count === field.bytes * 8
    ? { do: 'set', field, value }
    : { do: 'load', to: { field, from, count }, value: Number(BigInt(value) >> BigInt(from)) }
}

export const fieldAt = (view: DataView, at: number): Field => fieldOf(view.getUint32(at))

/** @throws RangeError for a field that no flow of ours has */
function fieldOf(header: number): Field {
  const field = fieldByHeader.get(header)
  if (field === undefined) throw new RangeError(`field 0x${header.toString(16)}`)
  return field
}
