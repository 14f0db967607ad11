// Actions and instructions in bytes and back: OpenFlow 1.4 section 7.2.4 and 7.2.5, and Nicira's extensions (Open vSwitch, nicira-ext.h).
// Groups are spoken of in OpenFlow 1.5, whose one other action that matters here, copy_field, is read too.
import type { Action } from '../../pipeline/openflow/actions.ts'
import type { Bytes } from '../bytes.ts'
import { conntrackRoom, conntrackSubtypes, readConntrack, readNat, writeConntrack, type NatAction, type Nested } from './conntrack.ts'
import { controllerRoom, controllerSubtype, readController, writeController } from './controller.ts'
import { learnRoom, learnSubtype, readLearn, writeLearn } from './learn.ts'
import { bitsAt, extension, fieldAt, head, nicira, readLoad, readSet, writeLoad, writeMaskedSet, writeSet } from './set.ts'

const types = { output: 0, popVlan: 18, setQueue: 21, group: 22, decTtl: 24, setField: 25, copyField: 28, experimenter: 0xffff } as const
const subtypes = {
  popQueue: 5,
  move: 6,
  load: 7,
  resubmit: 14,
  outputReg: 15,
  sample: 29,
  conjunction: 34,
  controller: controllerSubtype,
  learn: learnSubtype,
  ...conntrackSubtypes,
} as const
/** OFPP_IN_PORT in sixteen bits, as Nicira's older actions have it. */
const fromWhereItCame = 0xfff8
const instructions = { goto: 1, apply: 4, meter: 6 } as const

const writers: { readonly [Do in Action['do']]: (out: Bytes, action: Extract<Action, { do: Do }>) => void } = {
  output(out, { number }) {
    head(out, types.output, 16)
    out.u32(number)
    // max_len: nothing goes to a controller by its number.
    out.u16(0)
    out.skip(6)
  },
  set: writeSet,
  load: writeLoad,
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
  decTtl: (out) => bare(out, types.decTtl),
  popVlan: (out) => bare(out, types.popVlan),
  group: (out, { group }) => numbered(out, types.group, group),
  setQueue: (out, { queue }) => numbered(out, types.setQueue, queue),
  popQueue: (out) => bareExtension(out, subtypes.popQueue),
  conjunction(out, { id, clause, of }) {
    extension(out, subtypes.conjunction, 16)
    out.u8(clause - 1)
    out.u8(of)
    out.u32(id)
  },
  ctClear: (out) => bareExtension(out, subtypes.ctClear),
  resubmit(out, { table }) {
    extension(out, subtypes.resubmit, 16)
    out.u16(fromWhereItCame)
    out.u8(table)
    out.skip(3)
  },
  ct: writeConntrack,
  controller: writeController,
  learn: writeLearn,
  sample(out, { probability, collectorSet, domain, point }) {
    extension(out, subtypes.sample, 24)
    out.u16(probability)
    out.u32(collectorSet)
    out.u32(domain)
    out.u32(point)
  },
  meter: () => misplaced('meter', 'first'),
  goto: () => misplaced('goto', 'last'),
}

function misplaced(what: string, where: string): never {
  throw new TypeError(`a ${what} is an instruction of a flow: it stands ${where}`)
}

function bare(out: Bytes, type: number): void {
  head(out, type, 8)
  out.skip(4)
}

function numbered(out: Bytes, type: number, number: number): void {
  head(out, type, 8)
  out.u32(number)
}

function bareExtension(out: Bytes, subtype: number): void {
  extension(out, subtype, 16)
  out.skip(6)
}

/** Of those that may be long. */
function roomOf(action: Action): number {
  if (action.do === 'ct') return conntrackRoom(action)
  if (action.do === 'controller') return controllerRoom(action)
  return action.do === 'learn' ? learnRoom(action) : 48
}

/** The instructions of a flow: its meter, its actions, then where it goes on. Room is asked for here. */
export function writeInstructions(out: Bytes, actions: readonly Action[]): void {
  const last = actions.at(-1)
  const first = actions[0]
  out.room(32)
  if (first?.do === 'meter') numbered(out, instructions.meter, first.meter)
  writeApplied(out, actions, { from: first?.do === 'meter' ? 1 : 0, to: last?.do === 'goto' ? actions.length - 1 : actions.length })
  if (last?.do !== 'goto') return
  head(out, instructions.goto, 8)
  out.u8(last.table)
  out.skip(3)
}

function writeApplied(out: Bytes, actions: readonly Action[], { from, to }: { readonly from: number; readonly to: number }): void {
  if (from >= to) return
  let room = 32
  for (let i = from; i < to; i++) room += roomOf(actions[i]!)
  out.room(room)
  const start = out.at
  out.u16(instructions.apply)
  out.skip(6)
  for (let i = from; i < to; i++) writeAction(out, actions[i]!)
  out.u16At(start + 2, out.at - start)
}

/** A list of OpenFlow 1.5, of a bucket. Room is asked for here. */
export function writeActions(out: Bytes, actions: readonly Action[]): void {
  out.room(actions.reduce((room, action) => room + roomOf(action), 0))
  for (const action of actions) {
    if (action.do === 'load') writeMaskedSet(out, action)
    else if (action.do === 'move') writeCopy(out, action)
    else if (action.do === 'ct') writeConntrack(out, action, writeMaskedSet)
    else writeAction(out, action)
  }
}

/** OpenFlow 1.5 section 7.2.6.7. */
function writeCopy(out: Bytes, { of, to }: Extract<Action, { do: 'move' }>): void {
  head(out, types.copyField, 24)
  out.u16(of.count)
  out.u16(of.from)
  out.u16(to.from)
  out.skip(2)
  out.u32(of.field.header)
  out.u32(to.field.header)
  out.skip(4)
}

const writeAction = (out: Bytes, action: Action): void => (writers[action.do] as (out: Bytes, action: Action) => void)(out, action)

/** @throws RangeError for an instruction or action that no flow of ours has */
export function readInstructions(view: DataView, from: number, to: number): Action[] {
  const actions: Action[] = []
  for (let at = from; at < to;) {
    const type = view.getUint16(at)
    const length = lengthAt(view, at, to)
    if (type === instructions.goto) actions.push({ do: 'goto', table: view.getUint8(at + 4) })
    else if (type === instructions.meter) actions.push({ do: 'meter', meter: view.getUint32(at + 4) })
    else if (type === instructions.apply) actions.push(...readActions(view, at + 8, at + length))
    else throw new RangeError(`instruction ${type}`)
    at += length
  }
  return actions
}

/** @throws RangeError for an action that none of ours is */
export function readActions(view: DataView, from: number, to: number): Action[] {
  return listed({ view, from, to }).map((action) => {
    if (action.do === 'nat') throw new RangeError('nat outside of ct')
    return action
  })
}

function listed({ view, from, to }: Nested): (Action | NatAction)[] {
  const actions: (Action | NatAction)[] = []
  for (let at = from; at < to; at += lengthAt(view, at, to)) actions.push(readAction(view, at))
  return actions
}

function lengthAt(view: DataView, at: number, to: number): number {
  const length = view.getUint16(at + 2)
  if (length < 8 || at + length > to) throw new RangeError(`${length} bytes at ${at} of ${to}`)
  return length
}

type Reader = (view: DataView, at: number) => Action | NatAction

const readers = new Map<number, Reader>([
  [types.output, (view, at) => ({ do: 'output', number: view.getUint32(at + 4) })],
  [types.decTtl, () => ({ do: 'decTtl' })],
  [types.popVlan, () => ({ do: 'popVlan' })],
  [types.group, (view, at) => ({ do: 'group', group: view.getUint32(at + 4) })],
  [types.setQueue, (view, at) => ({ do: 'setQueue', queue: view.getUint32(at + 4) })],
  [types.setField, readSet],
  [types.copyField, (view, at) => moved(view, at + 4, at + 12)],
  [types.experimenter, readExtension],
])

const extensionReaders = new Map<number, Reader>([
  [subtypes.load, readLoad],
  [subtypes.outputReg, (view, at) => ({ do: 'outputTo', of: bitsAt(view, at + 10, at + 12) })],
  [subtypes.move, (view, at) => moved(view, at + 10, at + 16)],
  [subtypes.popQueue, () => ({ do: 'popQueue' })],
  [
    subtypes.conjunction,
    (view, at) => ({ do: 'conjunction', id: view.getUint32(at + 12), clause: view.getUint8(at + 10) + 1, of: view.getUint8(at + 11) }),
  ],
  [subtypes.ct, (view, at) => readConntrack(view, at, listed)],
  [subtypes.nat, readNat],
  [subtypes.ctClear, () => ({ do: 'ctClear' })],
  [subtypes.resubmit, (view, at) => ({ do: 'resubmit', table: view.getUint8(at + 12) })],
  [subtypes.controller, readController],
  [subtypes.learn, readLearn],
  [
    subtypes.sample,
    (view, at) => ({
      do: 'sample',
      probability: view.getUint16(at + 10),
      collectorSet: view.getUint32(at + 12),
      domain: view.getUint32(at + 16),
      point: view.getUint32(at + 20),
    }),
  ],
])

/** Both forms: a count and two offsets, and elsewhere the headers of two fields. */
function moved(view: DataView, countAt: number, headersAt: number): Action {
  const count = view.getUint16(countAt)
  const part = (header: number, from: number) => ({ field: fieldAt(view, header), from: view.getUint16(from), count })
  return { do: 'move', of: part(headersAt, countAt + 2), to: part(headersAt + 4, countAt + 4) }
}

function readAction(view: DataView, at: number): Action | NatAction {
  const type = view.getUint16(at)
  const read = readers.get(type)
  if (read === undefined) throw new RangeError(`action ${type}`)
  return read(view, at)
}

function readExtension(view: DataView, at: number): Action | NatAction {
  const subtype = view.getUint16(at + 8)
  if (view.getUint32(at + 4) !== nicira) throw new RangeError(`experimenter ${view.getUint32(at + 4)}`)
  const read = extensionReaders.get(subtype)
  if (read === undefined) throw new RangeError(`Nicira action ${subtype}`)
  return read(view, at)
}
