// Matches in bytes and back: OXM of OpenFlow 1.4 section 7.2.3.
import { doubleRegisters, fieldByHeader, quadRegisters, registers, tcpFlags, type Field } from '../../pipeline/openflow/fields.ts'
import type { Term } from '../../pipeline/openflow/flow.ts'
import type { FieldValue } from '../../pipeline/openflow/values.ts'
import type { Bytes } from '../bytes.ts'

/** Bit of a field's header: a mask follows the value. */
export const hasMask = 0x100
/** Class of fields whose header is followed by whose they are; nobody's but the ONF's is read (OpenFlow 1.3 extensions, EXT-109). */
const experimenterClass = 0xffff
const onf = 0x4f4e4600

export function writeValue(out: Bytes, field: Field, value: FieldValue): void {
  switch (field.bytes) {
    case 1:
      return out.u8(value as number)
    case 2:
      return out.u16(value as number)
    case 4:
      return out.u32(value as number)
    case 6:
      return out.u48(value as number)
    case 8:
      return out.u64(value as number)
    default:
      return out.u128(value as bigint)
  }
}

export function readValue(view: DataView, at: number, field: Field): FieldValue {
  switch (field.bytes) {
    case 1:
      return view.getUint8(at)
    case 2:
      return view.getUint16(at)
    case 4:
      return view.getUint32(at)
    case 6:
      return view.getUint16(at) * 2 ** 32 + view.getUint32(at + 2)
    case 8:
      return view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4)
    default:
      return (view.getBigUint64(at) << 64n) | view.getBigUint64(at + 8)
  }
}

/** With its padding. Room is asked for here. */
export function writeMatch(out: Bytes, match: readonly Term[]): void {
  out.room(16 + match.length * 40)
  const start = out.at
  out.u16(1)
  out.skip(2)
  for (let i = 0; i < match.length; i++) {
    const { field, value, mask } = match[i]!
    if (mask === undefined) out.u32(field.header)
    // The header's length counts value and mask.
    else out.u32(field.header + hasMask + field.bytes)
    writeValue(out, field, value)
    if (mask !== undefined) writeValue(out, field, mask)
  }
  out.u16At(start + 2, out.at - start)
  out.pad(start)
}

/** Wide registers that flows of ours match, and their parts: a switch reads back the parts. */
const wide: readonly (readonly [Field, readonly Field[]])[] = [
  [doubleRegisters[3]!, registers.slice(6, 8)],
  [quadRegisters[2]!, registers.slice(8, 12)],
]

function joined(match: readonly Term[]): readonly Term[] {
  let all = match
  for (const [whole, parts] of wide) {
    const found = parts.flatMap((part) => all.find(({ field, mask }) => field === part && mask === undefined) ?? [])
    if (found.length < parts.length) continue
    const value = found.reduce((sum, { value: each }) => (sum << 32n) | BigInt(each), 0n)
    all = [...all.filter((term) => !found.includes(term)), { field: whole, value: whole.bytes > 8 ? value : Number(value) }].sort(
      (a, b) => a.field.order - b.field.order,
    )
  }
  return all
}

function readTerm(view: DataView, at: number): { readonly term: Term; readonly bytes: number } {
  const header = view.getUint32(at)
  const length = header & 0xff
  const { field, from } =
    view.getUint16(at) === experimenterClass
      ? { field: foreignField(view, at, header), from: at + 8 }
      : { field: fieldByHeader.get(plain(header, length)), from: at + 4 }
  if (field === undefined) throw new RangeError(`field 0x${header.toString(16)}`)
  const value = readValue(view, from, field)
  const mask = (header & hasMask) === 0 ? undefined : readValue(view, from + field.bytes, field)
  return { term: mask === undefined || isWhole(field, mask) ? { field, value } : { field, value, mask }, bytes: 4 + length }
}

/** A header as that of the field's value alone, of so many bytes with its mask if it has one. */
const plain = (header: number, size: number): number =>
  header - (header & 0xff) - (header & hasMask) + ((header & hasMask) === 0 ? size : size / 2)

/** A mask of all bits that mean something is none; a field of fewer bits than its bytes has is always read with one. */
const isWhole = ({ bits, bytes }: Field, mask: FieldValue): boolean => bits < bytes * 8 && Number(mask) === 2 ** bits - 1

const foreignField = (view: DataView, at: number, header: number): Field | undefined =>
  view.getUint32(at + 4) === onf ? onfFields.get(plain(header, (header & 0xff) - 4)) : undefined
const onfFields: ReadonlyMap<number, Field> = new Map([[experimenterClass * 65_536 + 42 * 512 + tcpFlags.bytes, tcpFlags]])

/** The terms in the order of the fields, and where the match's padding ends. @throws RangeError for a field that no flow of ours has */
export function readMatch(view: DataView, from: number): { readonly match: readonly Term[]; readonly end: number } {
  const length = view.getUint16(from + 2)
  const match: Term[] = []
  for (let at = from + 4; at < from + length;) {
    const { term, bytes } = readTerm(view, at)
    match.push(term)
    at += bytes
  }
  match.sort((a, b) => a.field.order - b.field.order)
  return { match: joined(match), end: from + Math.ceil(length / 8) * 8 }
}
