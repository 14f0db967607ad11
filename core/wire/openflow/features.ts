// What a switch says of itself, in OpenFlow 1.4: versions, its program (section A.3.5.1 of the specification), groups (A.3.5.9) and meters
// (A.3.5.12).
import type { Bytes } from '../bytes.ts'
import { bodyAt, close, headerBytes, openMultipart, viewOf } from './openflow.ts'

const kinds = { program: 0, groups: 8, meters: 11 } as const

export function writeFeaturesRequest(out: Bytes, xid: number, of: keyof typeof kinds): void {
  close(out, openMultipart(out, xid, kinds[of]))
}

/** Bytes of each text; the program's stands behind those of maker and hardware. */
const textBytes = 256

/** The version of the switch's program, as it calls it. @throws RangeError where the bytes are no reply */
export function readProgram(message: Uint8Array): string {
  const from = bodyAt + 2 * textBytes
  if (message.length < from + textBytes) throw new RangeError(`a description of ${message.length} bytes`)
  const text = message.subarray(from, from + textBytes)
  return new TextDecoder().decode(text.subarray(0, text.indexOf(0)))
}

const groupTypes = ['all', 'select', 'indirect', 'failover'] as const

/** Kinds of groups, space between. @throws RangeError where the bytes are no reply */
export function readGroupFeatures(message: Uint8Array): string {
  const types = viewOf(message).getUint32(bodyAt)
  return groupTypes.filter((_, bit) => (types & (1 << bit)) !== 0).join(' ')
}

const bandTypes: readonly (readonly [type: number, name: string])[] = [
  [1, 'drop'],
  [2, 'dscp_remark'],
]

/** How many meters there may be, and kinds of bands, space between. @throws RangeError where the bytes are no reply */
export function readMeterFeatures(message: Uint8Array): { readonly max: number; readonly bands: string } {
  const view = viewOf(message)
  const types = view.getUint32(bodyAt + 4)
  return {
    max: view.getUint32(bodyAt),
    bands: bandTypes
      .filter(([type]) => (types & (1 << type)) !== 0)
      .map(([, name]) => name)
      .join(' '),
  }
}

/** Versions in a hello's bitmap, as people write them, those alone that we know of. */
export function readHelloVersions(message: Uint8Array): readonly string[] {
  const view = viewOf(message)
  for (let at = headerBytes; at + 8 <= message.length; at += Math.max(8, Math.ceil(view.getUint16(at + 2) / 8) * 8)) {
    if (view.getUint16(at) === 1) return wireVersions.filter((_, i) => (view.getUint32(at + 4) & (1 << (i + 1))) !== 0)
  }
  return wireVersions.slice((message[0] ?? 1) - 1, message[0])
}
const wireVersions = ['1.0', '1.1', '1.2', '1.3', '1.4', '1.5'] as const
