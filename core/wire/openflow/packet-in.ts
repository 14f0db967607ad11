// A packet that a flow sends to its controller (OpenFlow 1.4 section 7.4.1): with the flow's cookie, the registers as they were, and the
// packet's first bytes.
import type { Cookie } from '../../pipeline/cookie.ts'
import { registers, type Field } from '../../pipeline/openflow/fields.ts'
import { readCookieAt } from './cookie.ts'
import { viewOf } from './openflow.ts'

export interface PacketIn {
  readonly cookie: Cookie
  /** As far as they are not zero, by their number. */
  readonly registers: ReadonlyMap<number, number>
  readonly frame: Uint8Array
}

const byHeader: ReadonlyMap<number, number> = new Map(registers.map(({ header }: Field, number) => [header, number]))
const matchAt = 24

/** @throws RangeError where the bytes are none */
export function readPacketIn(message: Uint8Array): PacketIn {
  const view = viewOf(message)
  const length = view.getUint16(matchAt + 2)
  const found = new Map<number, number>()
  for (let at = matchAt + 4; at < matchAt + length; at += 4 + view.getUint8(at + 3)) {
    const number = byHeader.get(view.getUint32(at))
    if (number !== undefined) found.set(number, view.getUint32(at + 4))
  }
  const end = matchAt + Math.ceil(length / 8) * 8
  // Two bytes of padding, so that what follows the frame's first header is aligned.
  return { cookie: readCookieAt(view, 16), registers: found, frame: message.slice(end + 2) }
}
