// Netlink's frames (linux/netlink.h): a header of sixteen bytes, one message behind the other, answers known by sequence number.
import { attributes, textOf, viewOf, type Writer } from './bytes.ts'

export const flag = { request: 1, multi: 2, ack: 4, dump: 0x300, replace: 0x100, excl: 0x200, create: 0x400, append: 0x800 } as const
/** Of an error's own flags. */
const capped = 0x100
const withWords = 0x200
/** A dump that was made while things changed: ask again. */
const interrupted = 0x10
const headerBytes = 16
const messageType = { error: 2, done: 3, overrun: 4 } as const
const attrMessage = 1

export interface Message {
  readonly type: number
  readonly flags: number
  readonly sequence: number
  /** Behind the header. */
  readonly body: Uint8Array
}

/** What the kernel said to one request: nothing more, or why not. */
export interface Refusal {
  /** linux/errno.h, above 0. */
  readonly errno: number
  /** The kernel's own words (NETLINK_EXT_ACK), where it has any. */
  readonly words?: string
}

export function message(to: Writer, { type, flags, sequence }: Omit<Message, 'body'>, body: () => void): void {
  const at = to.length
  to.u32(0)
    .u16(type)
    .u16(flags | flag.request)
    .u32(sequence)
    .u32(0)
  body()
  to.close32(at)
}

/** All whole messages of a buffer; what is cut off or senseless ends it. Never throws. */
export function messages(bytes: Uint8Array): Message[] {
  const found: Message[] = []
  const view = viewOf(bytes)
  let at = 0
  while (at + headerBytes <= bytes.length) {
    const length = view.getUint32(at, true)
    if (length < headerBytes || at + length > bytes.length) break
    found.push({
      type: view.getUint16(at + 4, true),
      flags: view.getUint16(at + 6, true),
      sequence: view.getUint32(at + 8, true),
      body: bytes.subarray(at + headerBytes, at + length),
    })
    at += (length + 3) & ~3
  }
  return found
}

/** How a request stands after this message of its answer. */
export type KernelReply =
  { readonly kind: 'part'; readonly message: Message } | { readonly kind: 'end'; readonly refusal?: Refusal; readonly again?: true }

/** An acknowledgement, an error and the end of a dump end an answer; all else is part of it. */
export function kernelReply(each: Message): KernelReply {
  if (each.type === messageType.overrun) return { kind: 'end', again: true }
  if (each.type !== messageType.error && each.type !== messageType.done) return { kind: 'part', message: each }
  const errno = each.body.length >= 4 ? -viewOf(each.body).getInt32(0, true) : 0
  const again = each.type === messageType.done && (each.flags & interrupted) !== 0 ? ({ again: true } as const) : {}
  if (errno <= 0) return { kind: 'end', ...again }
  const words = wordsOf(each)
  return { kind: 'end', refusal: { errno, ...(words === undefined ? {} : { words }) } }
}

function wordsOf({ flags, body, type }: Message): string | undefined {
  if ((flags & withWords) === 0) return undefined
  if (type === messageType.done) return textOf(attributes(body, 4), attrMessage)
  // Behind the error: the request's header, and its body unless that was capped.
  if (body.length < 4 + headerBytes) return undefined
  const echoed = (flags & capped) !== 0 ? headerBytes : viewOf(body).getUint32(4, true)
  return textOf(attributes(body, Math.min(body.length, 4 + Math.ceil(echoed / 4) * 4)), attrMessage)
}
