// Meters in bytes and back: OpenFlow 1.4 section 7.3.5.7 and 7.3.5.14.
import { hasBurst, isOurMeter, type Band, type Meter } from '../../pipeline/openflow/meter.ts'
import type { Bytes } from '../bytes.ts'
import { bodyAt, close, open, openMultipart, viewOf } from './openflow.ts'

const meterMod = 29
const meterConfig = 10
const commands = { add: 0, modify: 1, drop: 2 } as const
const flags = { kbps: 1, pktps: 2, burst: 4, stats: 8 } as const
const bandTypes = { drop: 1, remark: 2 } as const
const bandBytes = 16
const allMeters = 0xffffffff

export type MeterCommand = keyof typeof commands

/** No bundle takes it. Adding what is there is refused, and so is modifying what is not. */
export function writeMeterMod(out: Bytes, xid: number, command: MeterCommand, meter: Meter): void {
  const start = open(out, meterMod, xid)
  out.u16(commands[command])
  out.u16(flags[meter.unit] + (hasBurst(meter) ? flags.burst : 0) + flags.stats)
  out.u32(meter.id)
  out.room(meter.bands.length * bandBytes)
  if (command !== 'drop') for (const band of meter.bands) writeBand(out, band)
  close(out, start)
}

function writeBand(out: Bytes, { rate, burst = 0, remark }: Band): void {
  out.u16(remark === undefined ? bandTypes.drop : bandTypes.remark)
  out.u16(bandBytes)
  out.u32(rate)
  out.u32(burst)
  out.u8(remark ?? 0)
  out.skip(3)
}

/** The answer to modifying a meter that is not there, and to adding one that is (OpenFlow 1.4 section 7.5.4.13). */
export const meterRefusals = { type: 12, exists: 1, unknown: 3 } as const

export function writeMetersRequest(out: Bytes, xid: number): void {
  const start = openMultipart(out, xid, meterConfig)
  out.u32(allMeters)
  out.skip(4)
  close(out, start)
}

/** Ours alone. @throws RangeError where the bytes are no reply */
export function readMeters(message: Uint8Array): Meter[] {
  const view = viewOf(message)
  const seen: Meter[] = []
  for (let at = bodyAt; at < message.length;) {
    const length = view.getUint16(at)
    if (length < 8 || at + length > message.length) throw new RangeError(`a meter of ${length} bytes at ${at} of ${message.length}`)
    const id = view.getUint32(at + 4)
    if (isOurMeter(id))
      seen.push({ id, unit: (view.getUint16(at + 2) & flags.pktps) !== 0 ? 'pktps' : 'kbps', bands: readBands(view, at, length) })
    at += length
  }
  return seen
}

/** A burst of 0 is none: the switch's choice. */
function readBands(view: DataView, at: number, length: number): Band[] {
  const withBurst = (view.getUint16(at + 2) & flags.burst) !== 0
  const bands: Band[] = []
  for (let next = at + 8; next + bandBytes <= at + length; next += bandBytes) {
    const remark = view.getUint16(next) === bandTypes.remark ? view.getUint8(next + 12) : undefined
    bands.push({
      rate: view.getUint32(next + 4),
      ...(withBurst && { burst: view.getUint32(next + 8) }),
      ...(remark !== undefined && { remark }),
    })
  }
  return bands
}
