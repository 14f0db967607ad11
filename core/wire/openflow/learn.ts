// The action by which a switch makes flows by itself, in bytes and back: Nicira's second form, which has a limit (Open vSwitch,
// ofp-actions.c: nx_action_learn2, and nicira-ext.h on what follows it).
import type { Copied, Learn } from '../../pipeline/openflow/actions.ts'
import type { Bytes } from '../bytes.ts'
import { readCookieAt, writeCookie } from './cookie.ts'
import { extension, fieldAt } from './set.ts'

export const learnSubtype = 45
const headBytes = 40
const deletesLearnt = 2
/** How many bits, what becomes of them, and whether their value stands here. */
const spec = { bits: 0x7ff, kinds: 0x1800, match: 0, load: 0x0800, isValue: 0x2000 } as const

/** Room enough for it, whatever it has in it. */
export const learnRoom = ({ match, loads }: Learn): number => headBytes + 24 * (match.length + loads.length) + 8

export function writeLearn(out: Bytes, { table, priority, cookie, ageSeconds, most, match, loads }: Learn): void {
  const start = out.at
  extension(out, learnSubtype, 0)
  // No idle timeout.
  out.skip(2)
  out.u16(ageSeconds)
  out.u16(priority)
  writeCookie(out, cookie)
  out.u16(deletesLearnt)
  out.u8(table)
  // No timeouts of a connection's end.
  out.skip(5)
  out.u32(most)
  // No result to be written.
  out.skip(4)
  for (const each of match) writeCopied(out, spec.match, each)
  for (const each of loads) writeCopied(out, spec.load, each)
  out.pad(start)
  out.u16At(start + 2, out.at - start)
}

function writeCopied(out: Bytes, kind: number, { to, of }: Copied): void {
  out.u16(to.count + kind + (typeof of === 'number' ? spec.isValue : 0))
  if (typeof of === 'number') {
    if (to.count > 16) out.u32(of)
    else out.u16(of)
  } else writePlace(out, of)
  writePlace(out, to)
}

function writePlace(out: Bytes, { field, from }: Copied['to']): void {
  out.u32(field.header)
  out.u16(from)
}

/** @throws RangeError for one that no flow of ours has */
export function readLearn(view: DataView, at: number): Learn {
  const end = at + view.getUint16(at + 2)
  const [idle, flags, finished, result] = [10, 24, 28, 36].map((each) => view.getUint16(at + each))
  if (idle !== 0 || flags !== deletesLearnt || finished !== 0 || view.getUint16(at + 30) !== 0 || result !== 0)
    throw new RangeError(`learn with flags ${flags}, or with timeouts`)
  const match: Copied[] = []
  const loads: Copied[] = []
  for (let next = at + headBytes; next + 2 <= end && view.getUint16(next) !== 0;) {
    const head = view.getUint16(next)
    const { copied, bytes } = readCopied(view, next, head)
    ;(isMatch(head) ? match : loads).push(copied)
    next += bytes
  }
  return {
    do: 'learn',
    table: view.getUint8(at + 26),
    priority: view.getUint16(at + 14),
    cookie: readCookieAt(view, at + 16),
    ageSeconds: view.getUint16(at + 12),
    most: view.getUint32(at + 32),
    match,
    loads,
  }
}

function isMatch(head: number): boolean {
  const kind = head & spec.kinds
  if (kind !== spec.match && kind !== spec.load) throw new RangeError('learn with an output')
  return kind === spec.match
}

function readCopied(view: DataView, at: number, head: number): { readonly copied: Copied; readonly bytes: number } {
  const count = head & spec.bits
  const isValue = (head & spec.isValue) !== 0
  const valueBytes = count > 16 ? 4 : 2
  if (isValue && count > 32) throw new RangeError(`learn with a value of ${count} bits`)
  const place = (from: number): Copied['to'] => ({ field: fieldAt(view, from), from: view.getUint16(from + 4), count })
  const of = isValue ? (valueBytes === 4 ? view.getUint32(at + 2) : view.getUint16(at + 2)) : place(at + 2)
  const next = 2 + (isValue ? valueBytes : 6)
  return { copied: { to: place(at + next), of }, bytes: next + 6 }
}
