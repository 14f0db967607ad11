// Messages of OpenFlow 1.4 (wire version 5), as far as a switch of our own is spoken to: flows in bundles, and what it says back.
// Groups are spoken of in 1.5 (groups.ts), whose headers and bundles are the same.
import { ours } from '../../pipeline/cookie.ts'
import type { Flow } from '../../pipeline/openflow/flow.ts'
import type { Bytes } from '../bytes.ts'
import { readInstructions, writeInstructions } from './actions.ts'
import { readCookieAt, writeCookie } from './cookie.ts'
import { readMatch, writeMatch } from './match.ts'

export const version = 5
export const messageTypes = {
  hello: 0,
  error: 1,
  echoRequest: 2,
  echoReply: 3,
  setConfig: 9,
  packetIn: 10,
  flowMod: 14,
  multipartRequest: 18,
  multipartReply: 19,
  barrierRequest: 20,
  barrierReply: 21,
  bundleControl: 33,
  bundleAdd: 34,
} as const
const bundleControls = { open: 0, commit: 4, discard: 6 } as const
const multipart = { flow: 1, table: 3 } as const
const any = 0xffffffff
const noBuffer = 0xffffffff
const allTables = 0xff
/** Atomic, and in the order in which its messages came (OpenFlow 1.4 section 7.3.9.5). */
const bundleFlags = 3

export interface Header {
  readonly type: number
  readonly length: number
  readonly xid: number
}

export const headerBytes = 8
export const readHeader = (view: DataView, at: number): Header => ({
  type: view.getUint8(at + 1),
  length: view.getUint16(at + 2),
  xid: view.getUint32(at + 4),
})

/** Writes a header and gives back where it begins; `close` puts the length in. */
export function open(out: Bytes, type: number, xid: number, spoken: number = version): number {
  out.room(64)
  const start = out.at
  out.u8(spoken)
  out.u8(type)
  out.skip(2)
  out.u32(xid)
  return start
}
export const close = (out: Bytes, start: number): void => out.u16At(start + 2, out.at - start)

/** A message that is nothing but its header. */
export function writeBare(out: Bytes, type: number, xid: number, spoken: number = version): void {
  close(out, open(out, type, xid, spoken))
}

/** One element, a bitmap with nothing but one version in it: 1.4, or 1.5 where groups are spoken of. */
export function writeHello(out: Bytes, xid: number, spoken: number = version): void {
  const start = open(out, messageTypes.hello, xid, spoken)
  out.u16(1)
  out.u16(8)
  out.u32(2 ** spoken)
  close(out, start)
}

/**
 * Open vSwitch's own: flows see the UDP ports and types of ICMP that a first fragment has; else no fragment has any (OFPC_FRAG_NX_MATCH in
 * openflow-common.h).
 */
const fragmentsAsTheyAre = 3
/** Of packets that no flow is for. None is sent, but without a number here no packet would be sent at all (Open vSwitch, connmgr.c). */
const missBytes = 128

/** How a bridge looks at fragments (OpenFlow 1.4 section 7.3.2), and that packets that flows send are wanted here. It has no answer. */
export function writeSetConfig(out: Bytes, xid: number): void {
  const start = open(out, messageTypes.setConfig, xid)
  out.u16(fragmentsAsTheyAre)
  out.u16(missBytes)
  close(out, start)
}

export type FlowCommand = 'add' | 'deleteStrict'
const commands: Readonly<Record<FlowCommand, number>> = { add: 0, deleteStrict: 4 }

/** Adding replaces what has the same table, priority and match; deleting touches only what has our mark. */
export function writeFlowMod(out: Bytes, xid: number, command: FlowCommand, flow: Flow): void {
  const start = open(out, messageTypes.flowMod, xid)
  const adding = command === 'add'
  writeCookie(out, adding ? flow.cookie : ours.value)
  if (adding) out.skip(8)
  else writeCookie(out, ours.mask)
  out.u8(flow.table)
  out.u8(commands[command])
  // No timeouts.
  out.skip(4)
  out.u16(flow.priority)
  out.u32(noBuffer)
  out.u32(any)
  out.u32(any)
  // No flags, no importance.
  out.skip(4)
  writeMatch(out, flow.match)
  if (adding) writeInstructions(out, flow.actions)
  close(out, start)
}

export interface BundleControl {
  readonly bundle: number
  readonly control: keyof typeof bundleControls
  readonly spoken?: number
}

export function writeBundleControl(out: Bytes, xid: number, { bundle, control, spoken }: BundleControl): void {
  const start = open(out, messageTypes.bundleControl, xid, spoken)
  out.u32(bundle)
  out.u16(bundleControls[control])
  out.u16(bundleFlags)
  close(out, start)
}

/** What stands before a message that is added to a bundle; `close` puts the length in. */
export function writeBundleHead(out: Bytes, xid: number, bundle: number, spoken?: number): number {
  const start = open(out, messageTypes.bundleAdd, xid, spoken)
  out.u32(bundle)
  out.skip(2)
  out.u16(bundleFlags)
  return start
}

/** The message inside has the same xid (OpenFlow 1.4 section 7.3.9.6). */
export function writeBundledFlow(
  out: Bytes,
  xid: number,
  bundle: number,
  { command, flow }: { readonly command: FlowCommand; readonly flow: Flow },
): void {
  const start = writeBundleHead(out, xid, bundle)
  writeFlowMod(out, xid, command, flow)
  close(out, start)
}

/** A request for what there is; `close` puts its length in. */
export function openMultipart(out: Bytes, xid: number, kind: number, spoken?: number): number {
  const start = open(out, messageTypes.multipartRequest, xid, spoken)
  out.u16(kind)
  out.skip(6)
  return start
}

/** All flows of all tables whose cookie is ours. */
/** @param of what their cookies have in common, and the bits to look at for it */
export function writeFlowStatsRequest(out: Bytes, xid: number, of: typeof ours = ours): void {
  const start = openMultipart(out, xid, multipart.flow)
  out.u8(allTables)
  out.skip(3)
  out.u32(any)
  out.u32(any)
  out.skip(4)
  writeCookie(out, of.value)
  writeCookie(out, of.mask)
  writeMatch(out, [])
  close(out, start)
}

/** How many flows each table has, whosever they are: costs the switch nothing. */
export function writeTableStatsRequest(out: Bytes, xid: number): void {
  close(out, openMultipart(out, xid, multipart.table))
}

/** Whether more replies of the same request follow. */
export const hasMore = (view: DataView): boolean => (view.getUint16(10) & 1) === 1
/** Where the body of a multipart reply begins. */
export const bodyAt = 16

/** A flow that a switch has; `unreadable` where it has something that no flow of ours has: then its actions are not told. */
export interface SeenFlow {
  readonly flow: Flow
  /** That it was used for since it was added. */
  readonly packets: number
  readonly bytes: number
  readonly unreadable?: string
}

/**
 * The flows of one reply; one with a match that no flow of ours has is not ours, whatever its cookie.
 * @throws RangeError where the bytes are no reply
 */
export function readFlowStats(message: Uint8Array): SeenFlow[] {
  const view = viewOf(message)
  const seen: SeenFlow[] = []
  for (let at = bodyAt; at < message.length;) {
    const length = view.getUint16(at)
    if (length < 56 || at + length > message.length) throw new RangeError(`a flow of ${length} bytes at ${at} of ${message.length}`)
    const flow = readFlow(view, at, length)
    if (flow !== undefined) seen.push(flow)
    at += length
  }
  return seen
}

function readFlow(view: DataView, at: number, length: number): SeenFlow | undefined {
  const found = readable(() => readMatch(view, at + 48))
  if ('unreadable' in found) return undefined
  const { match, end } = found.value
  const known = { table: view.getUint8(at + 2), priority: view.getUint16(at + 12), cookie: readCookieAt(view, at + 24), match }
  const actions = readable(() => readInstructions(view, end, at + length))
  const counts = { packets: Number(view.getBigUint64(at + 32)), bytes: Number(view.getBigUint64(at + 40)) }
  return 'unreadable' in actions
    ? { flow: { ...known, actions: [] }, ...counts, unreadable: actions.unreadable }
    : { flow: { ...known, actions: actions.value }, ...counts }
}

function readable<T>(read: () => T): { readonly value: T } | { readonly unreadable: string } {
  try {
    return { value: read() }
  } catch (err) {
    if (err instanceof RangeError) return { unreadable: err.message }
    throw err
  }
}

/** Flows by table, from one reply. */
export function readTableStats(message: Uint8Array): Map<number, number> {
  const view = viewOf(message)
  const counts = new Map<number, number>()
  for (let at = bodyAt; at + 24 <= message.length; at += 24) {
    const active = view.getUint32(at + 4)
    if (active > 0) counts.set(view.getUint8(at), active)
  }
  return counts
}

export interface Refusal {
  readonly type: number
  readonly code: number
}
export const readError = (message: Uint8Array): Refusal => ({ type: viewOf(message).getUint16(8), code: viewOf(message).getUint16(10) })

export const viewOf = (message: Uint8Array): DataView => new DataView(message.buffer, message.byteOffset, message.byteLength)
