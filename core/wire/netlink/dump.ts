// Lists that the kernel sends in parts: read to their end.
import { viewOf } from './bytes.ts'
import { messages, kernelReply, type Message } from './message.ts'

export interface Dump<T> {
  readonly all: readonly T[]
  /** Why there is no list, as in linux/errno.h: 2 (ENOENT) where there is nothing of that name; 0 when well. */
  readonly errno: number
  /** The end has been read, and nothing has changed since the beginning. */
  readonly whole: boolean
}

export function readDump<T>(bytes: Uint8Array, read: (part: Message) => readonly T[]): Dump<T> {
  const all: T[] = []
  for (const each of messages(bytes)) {
    const what = kernelReply(each)
    if (what.kind === 'end') return { all, errno: what.refusal?.errno ?? 0, whole: what.again !== true }
    all.push(...read(each))
  }
  return { all, errno: 0, whole: false }
}

/** Attributes that all have one type, so that they cannot be told apart by it. */
export function parts(bytes: Uint8Array): readonly Uint8Array[] {
  const found: Uint8Array[] = []
  const view = viewOf(bytes)
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = view.getUint16(at, true)
    if (length < 4 || at + length > bytes.length) break
    found.push(bytes.subarray(at + 4, at + length))
    at += (length + 3) & ~3
  }
  return found
}
