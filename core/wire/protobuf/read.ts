import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import type { Field, Fields, Nested, Scalar } from './fields.ts'
import { defaultOf, packs, readScalar, wireTypeOf, type Value } from './scalars.ts'

type Target = Record<string, unknown>
interface Numbered {
  readonly key: string
  readonly field: Field
}

/** Messages inside messages; protobuf's own readers stop at 100. */
const deepest = 100
const tables = new WeakMap<Fields, ReadonlyMap<number, Numbered>>()

function byNumber(fields: Fields): ReadonlyMap<number, Numbered> {
  const known = tables.get(fields) ?? new Map(Object.entries(fields).map(([key, field]) => [field.no, { key, field }]))
  tables.set(fields, known)
  return known
}

/**
 * Fields that the table does not have, or that stand there in another wire type, are skipped: a newer peer may send them.
 * Of members of one oneof, and of a plain field that comes twice, the last counts; a message that comes twice is merged.
 *
 * @throws RangeError, TypeError or Error where the bytes are no message
 */
export function decode({ fields, name }: Nested<unknown, unknown>, bytes: Uint8Array): Target {
  return readMessage(new BinaryReader(bytes), bytes.length, { fields, name }, { into: blank(fields), depth: 0 })
}

function blank(fields: Fields): Target {
  const target: Target = {}
  for (const [key, field] of Object.entries(fields)) {
    if (field.label === 'repeated') target[key] = []
    else if (field.label === 'map') target[key] = new Map()
    else if (field.label === 'plain' && typeof field.type !== 'function')
      target[key] = defaultOf({ type: field.type, ...(field.safe && { safe: field.safe }) })
  }
  return target
}

interface ReadTarget {
  readonly into: Target
  readonly depth: number
}

function readMessage(reader: BinaryReader, end: number, { fields }: Nested<unknown, unknown>, { into, depth }: ReadTarget): Target {
  if (depth > deepest) throw new RangeError(`more than ${deepest} messages inside each other`)
  const table = byNumber(fields)
  while (reader.pos < end) {
    const [no, wireType] = reader.tag()
    const known = table.get(no)
    if (known === undefined || !fits(known.field, wireType)) reader.skip(wireType, no)
    else readField(reader, { ...known, fields, wireType }, { into, depth })
  }
  if (reader.pos !== end) throw new RangeError('a field goes beyond the end of its message')
  return into
}

function fits({ type, label }: Field, wireType: WireType): boolean {
  if (typeof type === 'function' || label === 'map') return wireType === WireType.LengthDelimited
  return wireType === wireTypeOf(type) || (label === 'repeated' && packs(type) && wireType === WireType.LengthDelimited)
}

interface FoundField extends Numbered {
  readonly fields: Fields
  readonly wireType: WireType
}

function readField(reader: BinaryReader, { key, field, fields, wireType }: FoundField, { into, depth }: ReadTarget): void {
  const { type, safe, label } = field
  if (label === 'map') return readEntry(reader, field, { into: into[key] as Map<Value, unknown>, depth })
  if (label === 'repeated') return readItems(reader, { key, field, fields, wireType }, { into, depth })
  if (field.oneof !== undefined)
    for (const [other, { oneof }] of Object.entries(fields)) if (oneof === field.oneof && other !== key) delete into[other]
  into[key] =
    typeof type === 'function' ? inner(reader, type(), { into: into[key] as Target | undefined, depth }) : readScalar(reader, type, safe)
}

function readItems(reader: BinaryReader, { key, field: { type, safe }, wireType }: FoundField, { into, depth }: ReadTarget): void {
  const list = into[key] as unknown[]
  if (typeof type === 'function') return void list.push(inner(reader, type(), { into: undefined, depth }))
  if (wireType === wireTypeOf(type)) return void list.push(readScalar(reader, type, safe))
  const end = endOf(reader)
  while (reader.pos < end) list.push(readScalar(reader, type, safe))
  if (reader.pos !== end) throw new RangeError('a packed value goes beyond its field')
}

function inner(
  reader: BinaryReader,
  of: Nested<unknown, unknown>,
  { into, depth }: { readonly into: Target | undefined; readonly depth: number },
): Target {
  return readMessage(reader, endOf(reader), of, { into: into ?? blank(of.fields), depth: depth + 1 })
}

function readEntry(
  reader: BinaryReader,
  { key, type, safe }: Field,
  { into, depth }: { readonly into: Map<Value, unknown>; readonly depth: number },
): void {
  const entry: Fields = { key: { no: 1, type: key!, label: 'plain' }, value: { no: 2, type, label: 'plain', ...(safe && { safe }) } }
  const read = inner(reader, { name: 'entry', fields: entry }, { into: undefined, depth })
  into.set(keyOf(read.key as Value, key!), read.value ?? blank((type as () => Nested<unknown, unknown>)().fields))
}

/** Keys of 64 bits are strings: two bigints that are equal are one key of a Map all the same, but JSON has no bigint. */
const keyOf = (value: Value, type: Scalar): Value => (type.endsWith('64') ? String(value) : value)

function endOf(reader: BinaryReader): number {
  const length = reader.uint32()
  const end = reader.pos + length
  if (end > reader.len) throw new RangeError('a message goes beyond the end of the bytes')
  return end
}
