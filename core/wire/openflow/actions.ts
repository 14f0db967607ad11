// Actions and instructions in bytes and back: OpenFlow 1.4 section 7.2.4 and 7.2.5, and Nicira's extensions (Open vSwitch, nicira-ext.h).
import { fieldByHeader, type Field } from '../../pipeline/fields.ts'
import type { Action, Bits } from '../../pipeline/flow.ts'
import { Bytes } from '../bytes.ts'
import { readValue, writeValue } from './match.ts'

const nicira = 0x00002320
const types = { output: 0, popVlan: 18, decTtl: 24, setField: 25, experimenter: 0xffff } as const
const subtypes = { move: 6, load: 7, outputReg: 15 } as const
const instructions = { goto: 1, apply: 4 } as const

const writers: { readonly [Do in Action['do']]: (out: Bytes, action: Extract<Action, { do: Do }>) => void } = {
  output(out, { number }) {
    head(out, types.output, 16)
    out.u32(number)
    // max_len: nothing goes to a controller.
    out.u16(0)
    out.skip(6)
  },
  set(out, { field, value }) {
    const length = Math.ceil((8 + field.bytes) / 8) * 8
    head(out, types.setField, length)
    const end = out.at - 4 + length
    out.u32(field.header)
    writeValue(out, field, value)
    out.at = end
  },
  load(out, { to, value }) {
    extension(out, subtypes.load, 24)
    out.u16(to.from * 64 + to.count - 1)
    out.u32(to.field.header)
    out.u64(value)
  },
  move(out, { of, to }) {
    extension(out, subtypes.move, 24)
    out.u16(of.count)
    out.u16(of.from)
    out.u16(to.from)
    out.u32(of.field.header)
    out.u32(to.field.header)
  },
  outputTo(out, { of }) {
    extension(out, subtypes.outputReg, 24)
    out.u16(of.from * 64 + of.count - 1)
    out.u32(of.field.header)
    out.u16(0)
    out.skip(6)
  },
  decTtl(out) {
    head(out, types.decTtl, 8)
    out.skip(4)
  },
  popVlan(out) {
    head(out, types.popVlan, 8)
    out.skip(4)
  },
  goto() {
    throw new TypeError('a goto is an instruction: it stands last')
  },
}

function head(out: Bytes, type: number, length: number): void {
  out.u16(type)
  out.u16(length)
}

function extension(out: Bytes, subtype: number, length: number): void {
  head(out, types.experimenter, length)
  out.u32(nicira)
  out.u16(subtype)
}

/** The instructions of a flow: its actions, then where it goes on. Room is asked for here. */
export function writeInstructions(out: Bytes, actions: readonly Action[]): void {
  const last = actions.at(-1)
  const applied = last?.do === 'goto' ? actions.length - 1 : actions.length
  out.room(16 + actions.length * 32)
  if (applied > 0) {
    const start = out.at
    out.u16(instructions.apply)
    out.skip(6)
    for (let i = 0; i < applied; i++) writeAction(out, actions[i]!)
    out.u16At(start + 2, out.at - start)
  }
  if (last?.do !== 'goto') return
  head(out, instructions.goto, 8)
  out.u8(last.table)
  out.skip(3)
}

const writeAction = (out: Bytes, action: Action): void => (writers[action.do] as (out: Bytes, action: Action) => void)(out, action)

/** @throws RangeError for an instruction or action that no flow of ours has */
export function readInstructions(view: DataView, from: number, to: number): Action[] {
  const actions: Action[] = []
  for (let at = from; at < to; ) {
    const type = view.getUint16(at)
    const length = lengthAt(view, at, to)
    if (type === instructions.goto) actions.push({ do: 'goto', table: view.getUint8(at + 4) })
    else if (type === instructions.apply) for (let each = at + 8; each < at + length; each += lengthAt(view, each, to)) actions.push(readAction(view, each))
    else throw new RangeError(`instruction ${type}`)
    at += length
  }
  return actions
}

function lengthAt(view: DataView, at: number, to: number): number {
  const length = view.getUint16(at + 2)
  if (length < 8 || at + length > to) throw new RangeError(`${length} bytes at ${at} of ${to}`)
  return length
}

const readers: ReadonlyMap<number, (view: DataView, at: number) => Action> = new Map<number, (view: DataView, at: number) => Action>([
  [types.output, (view: DataView, at: number): Action => ({ do: 'output', number: view.getUint32(at + 4) })],
  [types.decTtl, (): Action => ({ do: 'decTtl' })],
  [types.popVlan, (): Action => ({ do: 'popVlan' })],
  [types.setField, (view: DataView, at: number): Action => {
    const field = fieldAt(view, at + 4)
    return { do: 'set', field, value: readValue(view, at + 8, field) }
  }],
  [types.experimenter, (view: DataView, at: number): Action => readExtension(view, at)],
])

function readAction(view: DataView, at: number): Action {
  const type = view.getUint16(at)
  const read = readers.get(type)
  if (read === undefined) throw new RangeError(`action ${type}`)
  return read(view, at)
}

function readExtension(view: DataView, at: number): Action {
  const subtype = view.getUint16(at + 8)
  const bitsAt = (packed: number, header: number): Bits => ({ field: fieldAt(view, header), from: packed >> 6, count: (packed & 63) + 1 })
  if (view.getUint32(at + 4) !== nicira) throw new RangeError(`experimenter ${view.getUint32(at + 4)}`)
  if (subtype === subtypes.load) return { do: 'load', to: bitsAt(view.getUint16(at + 10), at + 12), value: view.getUint32(at + 16) * 2 ** 32 + view.getUint32(at + 20) }
  if (subtype === subtypes.outputReg) return { do: 'outputTo', of: bitsAt(view.getUint16(at + 10), at + 12) }
  if (subtype !== subtypes.move) throw new RangeError(`Nicira action ${subtype}`)
  const count = view.getUint16(at + 10)
  return { do: 'move', of: { field: fieldAt(view, at + 16), from: view.getUint16(at + 12), count }, to: { field: fieldAt(view, at + 20), from: view.getUint16(at + 14), count } }
}

function fieldAt(view: DataView, at: number): Field {
  const header = view.getUint32(at)
  const field = fieldByHeader.get(header)
  if (field === undefined) throw new RangeError(`field 0x${header.toString(16)}`)
  return field
}
