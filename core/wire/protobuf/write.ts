import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { messageOf } from '../../errors.ts'
import type { Field, Fields, Nested, Scalar } from './fields.ts'
import { isDefault, packs, wireTypeOf, writeScalar, type Value } from './scalars.ts'

type Draft = Readonly<Record<string, unknown>>

/**
 * Fields in the order of the table, so that equal messages are equal bytes.
 *
 * @throws TypeError with the message's and the field's name where a value is not of its type, or two members of a oneof are there
 */
export function writeMessage(writer: BinaryWriter, { name, fields }: Nested<unknown, unknown>, draft: Draft): BinaryWriter {
  const taken = new Map<string, string>()
  for (const [key, field] of Object.entries(fields)) {
    const value = draft[key]
    if (value === undefined) continue
    const rival = field.oneof === undefined ? undefined : taken.get(field.oneof)
    if (rival !== undefined) throw new TypeError(`${name}: ${key} and ${rival} exclude each other`)
    if (field.oneof !== undefined) taken.set(field.oneof, key)
    named(`${name}.${key}`, () => writeField(writer, field, value))
  }
  return writer
}

function named(path: string, write: () => void): void {
  try {
    write()
  } catch (cause) {
    throw new TypeError(`${path}: ${messageOf(cause)}`, { cause })
  }
}

function writeField(writer: BinaryWriter, field: Field, value: unknown): void {
  if (field.label === 'map') return writeMap(writer, field, value as ReadonlyMap<Value, unknown>)
  if (field.label === 'repeated') return writeList(writer, field, value as readonly unknown[])
  const { no, type, label } = field
  if (typeof type === 'function') return nest(writer, no, () => writeMessage(writer, type(), value as Draft))
  if (label === 'plain' && isDefault(value as Value)) return
  tagged(writer, no, type, value as Value)
}

function writeList(writer: BinaryWriter, { no, type }: Field, list: readonly unknown[]): void {
  if (typeof type === 'function') return list.forEach((each) => nest(writer, no, () => writeMessage(writer, type(), each as Draft)))
  if (!packs(type)) return list.forEach((each) => tagged(writer, no, type, each as Value))
  if (list.length > 0) nest(writer, no, () => list.forEach((each) => writeScalar(writer, type, each as Value)))
}

/** An entry is a message of its own: key 1, value 2; both are written, defaults too, as protoc does. */
function writeMap(writer: BinaryWriter, { no, key, type }: Field, entries: ReadonlyMap<Value, unknown>): void {
  for (const [name, value] of entries)
    nest(writer, no, () => {
      tagged(writer, 1, key!, name)
      if (typeof type === 'function') nest(writer, 2, () => writeMessage(writer, type(), value as Draft))
      else tagged(writer, 2, type, value as Value)
    })
}

function tagged(writer: BinaryWriter, no: number, type: Scalar, value: Value): void {
  writer.tag(no, wireTypeOf(type))
  writeScalar(writer, type, value)
}

function nest(writer: BinaryWriter, no: number, write: () => void): void {
  writer.tag(no, WireType.LengthDelimited).fork()
  write()
  writer.join()
}

export const encode = (fields: Fields, name: string, draft: Draft): Uint8Array =>
  writeMessage(new BinaryWriter(), { name, fields }, draft).finish()
