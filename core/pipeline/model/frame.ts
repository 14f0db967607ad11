// A frame as a switch sees it: header fields and what a table has noted beside them. What was never set is zero, as in Open vSwitch.
import type { Bits } from '../openflow/actions.ts'
import { quadRegisters, registers, type Field } from '../openflow/fields.ts'
import type { FieldValue } from '../openflow/values.ts'

export type Frame = ReadonlyMap<Field, FieldValue>
export type Written = Map<Field, FieldValue>

export const wholeOf = (field: Field): number => field.bytes * 8
export const readField = (frame: Frame, field: Field): FieldValue => frame.get(field) ?? partOf(frame, field) ?? (field.bytes > 8 ? 0n : 0)

/** Of a register that is written as a part of a wide one: by how many bits it is shifted there. */
const parts: ReadonlyMap<Field, bigint> = new Map(registers.slice(8, 12).map((field, i) => [field, BigInt(96 - 32 * i)]))
function partOf(frame: Frame, field: Field): FieldValue | undefined {
  const shift = parts.get(field)
  return shift === undefined ? undefined : Number((BigInt(frame.get(quadRegisters[2]!) ?? 0n) >> shift) & 0xffffffffn)
}

/** Bits of a field as a number of any length. */
export const readBits = (frame: Frame, { field, from, count }: Bits): bigint =>
  (BigInt(readField(frame, field)) >> BigInt(from)) & ((1n << BigInt(count)) - 1n)

export function writeBits(frame: Written, { field, from, count }: Bits, value: bigint): void {
  const mask = ((1n << BigInt(count)) - 1n) << BigInt(from)
  const made = (BigInt(readField(frame, field)) & ~mask) | ((value << BigInt(from)) & mask)
  frame.set(field, field.bytes > 8 ? made : Number(made))
}

/** What is on the wire: no register, and of a tunnel only what its own header says. */
export const onWire = (frame: Frame): Written => new Map([...frame].filter(([{ name }]) => !/^(x*reg|tun_|in_port)/.test(name)))
