// Groups in bytes and back, in OpenFlow 1.5 (wire version 6, sections 7.3.4.3 and 7.3.5.12): the versions before have no place for what a
// hash is over. That is Netronome's property, which Open vSwitch takes and gives (netronome-ext.h).
import { type Bucket, type Group, isOurGroup } from '../../pipeline/openflow/group.ts'
import type { Field } from '../../pipeline/openflow/fields.ts'
import type { Bytes } from '../bytes.ts'
import { readActions, writeActions } from './actions.ts'
import { writeValue } from './match.ts'
import { fieldAt } from './set.ts'
import { bodyAt, close, headerBytes, open, openMultipart, viewOf, writeBundleHead } from './openflow.ts'

export const groupVersion = 6
const groupMod = 15
const groupDescription = 7
/** Adding replaces what is there: Open vSwitch's own command. */
const commands = { put: 0x8000, drop: 2 } as const
const types = ['all', 'select', 'indirect', 'ff'] as const
const allBuckets = 0xffffffff
const allGroups = 0xfffffffc
const bucketProperties = { weight: 0, watchPort: 1, watchGroup: 2 } as const
const anyNumber = 0xffffffff
const experimenter = 0xffff
const netronome = 0x0000154d
const selectionMethod = 1
const methodBytes = 16

export interface GroupChange {
  readonly command: keyof typeof commands
  readonly group: Group
}

function writeGroupMod(out: Bytes, xid: number, { command, group }: GroupChange): void {
  const start = open(out, groupMod, xid, groupVersion)
  out.u16(commands[command])
  out.u8(types.indexOf(group.type))
  out.skip(1)
  out.u32(group.id)
  const lengthAt = out.at
  out.skip(4)
  out.u32(allBuckets)
  const bucketsAt = out.at
  if (command === 'put') for (const bucket of group.buckets) writeBucket(out, bucket)
  out.u16At(lengthAt, out.at - bucketsAt)
  if (command === 'put' && group.hash !== undefined) writeHash(out, group.hash)
  close(out, start)
}

/** The message inside has the same xid. */
export function writeBundledGroup(out: Bytes, xid: number, bundle: number, change: GroupChange): void {
  const start = writeBundleHead(out, xid, bundle, groupVersion)
  writeGroupMod(out, xid, change)
  close(out, start)
}

function writeBucket(out: Bytes, { id, weight, watch, actions }: Bucket): void {
  out.room(64)
  const start = out.at
  out.skip(4)
  out.u32(id)
  writeActions(out, actions)
  out.u16At(start + 2, out.at - start - 8)
  out.room(32)
  if (weight !== undefined) writeProperty(out, bucketProperties.weight, weight * 2 ** 16)
  if (watch !== undefined) writeProperty(out, bucketProperties.watchPort, watch)
  out.u16At(start, out.at - start)
}

function writeProperty(out: Bytes, type: number, value: number): void {
  out.u16(type)
  out.u16(8)
  out.u32(value)
}

function writeHash(out: Bytes, hash: readonly Field[]): void {
  out.room(64 + hash.length * 24)
  const start = out.at
  out.u16(experimenter)
  out.skip(2)
  out.u32(netronome)
  out.u32(selectionMethod)
  out.skip(4)
  for (const letter of 'hash') out.u8(letter.charCodeAt(0))
  out.skip(methodBytes - 4)
  // Its parameter: where the hash begins.
  out.skip(8)
  for (const field of hash) {
    out.u32(field.header)
    writeValue(out, field, onesOf(field))
  }
  out.u16At(start + 2, out.at - start)
  out.pad(start)
}

/** A field's value says which of its bits count: all. */
const onesOf = ({ bits, bytes }: Field): number | bigint => (bytes > 8 ? (1n << BigInt(bits)) - 1n : 2 ** bits - 1)

export function writeGroupsRequest(out: Bytes, xid: number): void {
  const start = openMultipart(out, xid, groupDescription, groupVersion)
  out.u32(allGroups)
  out.skip(4)
  close(out, start)
}

/** A group of ours that a switch has; `unreadable` where it has something in it that no group of ours has. */
export interface SeenGroup {
  readonly group: Group
  readonly unreadable?: string
}

/** Ours alone. @throws RangeError where the bytes are no reply */
export function readGroups(message: Uint8Array): SeenGroup[] {
  const view = viewOf(message)
  const seen: SeenGroup[] = []
  for (let at = bodyAt; at < message.length;) {
    const length = view.getUint16(at)
    if (length < 16 || at + length > message.length) throw new RangeError(`a group of ${length} bytes at ${at} of ${message.length}`)
    const id = view.getUint32(at + 4)
    if (isOurGroup(id)) seen.push(readGroup(view, at, { id, end: at + length }))
    at += length
  }
  return seen
}

function readGroup(view: DataView, at: number, { id, end }: { readonly id: number; readonly end: number }): SeenGroup {
  const type = types[view.getUint8(at + 2)] ?? 'all'
  const bucketsEnd = at + 16 + view.getUint16(at + 8)
  try {
    const buckets: Bucket[] = []
    for (let next = at + 16; next < bucketsEnd; next += view.getUint16(next)) buckets.push(readBucket(view, next, bucketsEnd))
    const hash = bucketsEnd < end ? readHash(view, bucketsEnd, end) : undefined
    return { group: { id, type, ...(hash !== undefined && { hash }), buckets } }
  } catch (err) {
    if (err instanceof RangeError) return { group: { id, type, buckets: [] }, unreadable: err.message }
    throw err
  }
}

function readBucket(view: DataView, at: number, end: number): Bucket {
  const length = view.getUint16(at)
  if (length < headerBytes || at + length > end) throw new RangeError(`a bucket of ${length} bytes`)
  const actionsEnd = at + 8 + view.getUint16(at + 2)
  const bucket = { id: view.getUint32(at + 4), actions: readActions(view, at + 8, actionsEnd) }
  return { ...bucket, ...readProperties(view, actionsEnd, at + length) }
}

function readProperties(view: DataView, from: number, to: number): Pick<Bucket, 'weight' | 'watch'> {
  const read: { weight?: number | undefined; watch?: number } = {}
  for (let at = from; at < to; at += 8) {
    const type = view.getUint16(at)
    if (type === bucketProperties.weight) read.weight = weightOf(view.getUint16(at + 4))
    else if (type === bucketProperties.watchPort && view.getUint32(at + 4) !== anyNumber) read.watch = view.getUint32(at + 4)
    else if (view.getUint32(at + 4) !== anyNumber) throw new RangeError(`property ${type} of a bucket`)
  }
  const { weight, watch } = read
  return { ...(weight !== undefined && { weight }), ...(watch !== undefined && { watch }) }
}

/** 1 is what a bucket has that says nothing. */
const weightOf = (weight: number): number | undefined => (weight === 1 ? undefined : weight)

function readHash(view: DataView, at: number, end: number): Field[] {
  const length = view.getUint16(at + 2)
  const method = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + 16, methodBytes)).replace(/\0.*$/, '')
  if (view.getUint16(at) !== experimenter || view.getUint32(at + 4) !== netronome || method !== 'hash')
    throw new RangeError(`the selection method ${method}`)
  if (view.getUint32(at + 32) !== 0 || view.getUint32(at + 36) !== 0 || at + Math.ceil(length / 8) * 8 < end)
    throw new RangeError('a selection method with more to it')
  const fields: Field[] = []
  for (let next = at + 40; next < at + length;) {
    const field = fieldAt(view, next)
    fields.push(field)
    next += 4 + field.bytes
  }
  return fields
}
