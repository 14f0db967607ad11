// The action that sends a packet to a controller, in bytes and back: Nicira's second form, which takes user data and a meter along
// (Open vSwitch, ofp-actions.c: nx_action_controller2 and its properties).
import { reasons, type ToController } from '../../pipeline/openflow/actions.ts'
import type { Bytes } from '../bytes.ts'
import { extension } from './set.ts'

export const controllerSubtype = 37
const headBytes = 16
const properties = { maxBytes: 0, controller: 1, reason: 2, userdata: 3, meter: 5 } as const

/** Room enough for it, whatever it has in it. */
export const controllerRoom = ({ userdata }: ToController): number => headBytes + 40 + (userdata?.length ?? 0)

export function writeController(out: Bytes, { maxBytes, controller = 0, reason = 'action', userdata, meter }: ToController): void {
  const start = out.at
  extension(out, controllerSubtype, 0)
  out.skip(6)
  if (maxBytes !== undefined) property(out, properties.maxBytes, () => out.u16(maxBytes))
  if (controller !== 0) property(out, properties.controller, () => out.u16(controller))
  if (reason !== 'action') property(out, properties.reason, () => out.u8(reasons.indexOf(reason)))
  if (userdata !== undefined) property(out, properties.userdata, () => userdata.forEach((byte) => out.u8(byte)))
  if (meter !== undefined) property(out, properties.meter, () => out.u32(meter))
  out.u16At(start + 2, out.at - start)
}

/** Its length does not count its padding. */
function property(out: Bytes, type: number, write: () => void): void {
  const start = out.at
  out.u16(type)
  out.skip(2)
  write()
  out.u16At(start + 2, out.at - start)
  out.pad(start)
}

/** @throws RangeError for a property that no action of ours has */
export function readController(view: DataView, at: number): ToController {
  const read: { -readonly [Name in keyof ToController]: ToController[Name] } = { do: 'controller' }
  const end = at + view.getUint16(at + 2)
  for (let next = at + headBytes; next < end;) {
    const length = view.getUint16(next + 2)
    if (length < 4 || next + length > end) throw new RangeError(`a property of ${length} bytes`)
    takeProperty(read, view, next)
    next += Math.ceil(length / 8) * 8
  }
  return read
}

function takeProperty(read: { -readonly [Name in keyof ToController]: ToController[Name] }, view: DataView, at: number): void {
  const type = view.getUint16(at)
  if (type === properties.maxBytes) read.maxBytes = view.getUint16(at + 4)
  else if (type === properties.controller) read.controller = view.getUint16(at + 4)
  else if (type === properties.reason) read.reason = reasonAt(view.getUint8(at + 4))
  else if (type === properties.userdata)
    read.userdata = new Uint8Array(view.buffer.slice(view.byteOffset + at + 4, view.byteOffset + at + view.getUint16(at + 2)))
  else if (type === properties.meter) read.meter = view.getUint32(at + 4)
  else throw new RangeError(`property ${type} of controller`)
}

function reasonAt(number: number): (typeof reasons)[number] {
  const reason = reasons[number]
  if (reason === undefined) throw new RangeError(`reason ${number} of controller`)
  return reason
}
