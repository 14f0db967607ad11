// Frames as the bytes on the wire, in hex digits, for a data plane that knows offsets alone; and back. ARP, of others that are no IP their
// type alone, and of IP what UDP, ICMP and neighbour discovery are: no rule of such a data plane asks for what stands in others. No
// checksums: nobody here looks at them.
import { etherTypes } from '../../kinds/policy/ether-types.ts'
import * as fields from '../openflow/fields.ts'
import type { Field } from '../openflow/fields.ts'
import type { FieldValue } from '../openflow/values.ts'
import { readField, type Frame } from './frame.ts'

export type Hex = string
/** What stands one after the other: a field, or bytes that are always the same. */
type Part = Field | Hex

const { ethDst, ethSrc, ethType, arpOp, arpSha, arpSpa, arpTha, arpTpa, ipv4Src, ipv4Dst, ipv6Src, ipv6Dst, ipTtl, ipProto } = fields
const { udpSrc, udpDst, icmpType, icmpCode, icmp6Type, icmp6Code, ndTarget, ndSll, ndTll } = fields

const ethernet: readonly Part[] = [ethDst, ethSrc, ethType]
const arp: readonly Part[] = ['0001080006', '04', arpOp, arpSha, arpSpa, arpTha, arpTpa]
const ipv4: readonly Part[] = ['4500', '001c', '00004000', ipTtl, ipProto, '0000', ipv4Src, ipv4Dst]
const udp: readonly Part[] = [udpSrc, udpDst, '0008', '0000']
const icmp: readonly Part[] = [icmpType, icmpCode, '0000', '00000000']
const discovery: readonly Part[] = [icmp6Type, icmp6Code, '0000', '00000000', ndTarget]
const ipv6 = (length: number): readonly Part[] => ['60000000', hex(length, 2), ipProto, ipTtl, ipv6Src, ipv6Dst]

const { arp: typeArp, ipv4: type4, ipv6: type6 } = etherTypes
const [protoIcmp, protoIcmp6] = [1, 58]
const bareDiscovery = 24

export function hexOf(frame: Frame): Hex {
  const has = (field: Field): FieldValue => readField(frame, field)
  return partsOf(has)
    .map((part) => (typeof part === 'string' ? part : hex(has(part), part.bytes)))
    .join('')
}

function partsOf(has: (field: Field) => FieldValue): readonly Part[] {
  const [type, proto] = [has(ethType), has(ipProto)]
  if (type === typeArp) return [...ethernet, ...arp]
  if (type === type4) return [...ethernet, ...ipv4, ...(proto === protoIcmp ? icmp : udp)]
  if (type !== type6) return ethernet
  if (proto !== protoIcmp6) return [...ethernet, ...ipv6(8), ...udp]
  const option = has(ndSll) !== 0 ? (['0101', ndSll] as const) : has(ndTll) !== 0 ? (['0201', ndTll] as const) : []
  return [...ethernet, ...ipv6(bareDiscovery + (option.length > 0 ? 8 : 0)), ...discovery, ...option]
}

export const bytesOf = (frame: Frame): Uint8Array => Buffer.from(hexOf(frame), 'hex')

export function frameOf(bytes: Hex): Frame {
  const read = new Map<Field, FieldValue>()
  const has = (field: Field): FieldValue => read.get(field) ?? 0
  // Which parts there are is told by those before them: each round knows more.
  for (const round of [ethernet, undefined, undefined]) take(bytes, round ?? layoutOf(bytes, has), read)
  return read
}

/** An option of neighbour discovery says itself which it is. */
function layoutOf(bytes: Hex, has: (field: Field) => FieldValue): readonly Part[] {
  const type = has(ethType)
  if (type === typeArp) return [...ethernet, ...arp]
  if (type === type4) return [...ethernet, ...ipv4, ...(has(ipProto) === protoIcmp ? icmp : udp)]
  if (type !== type6) return ethernet
  const inV6 = [...ethernet, ...ipv6(0)]
  if (has(ipProto) !== protoIcmp6) return [...inV6, ...udp]
  const at = lengthOf([...inV6, ...discovery])
  const option = { '0101': ndSll, '0201': ndTll }[bytes.slice(at, at + 4)]
  return [...inV6, ...discovery, ...(option === undefined ? [] : ['0000', option])]
}

function take(bytes: Hex, parts: readonly Part[], into: Map<Field, FieldValue>): void {
  let at = 0
  for (const part of parts) {
    const digits = typeof part === 'string' ? part.length : part.bytes * 2
    if (typeof part !== 'string') into.set(part, valueOf(bytes.slice(at, at + digits), part))
    at += digits
  }
}

const lengthOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.bytes * 2), 0)
const valueOf = (digits: Hex, field: Field): FieldValue => (field.bytes > 8 ? BigInt(`0x${digits}`) : Number.parseInt(digits, 16))
export const hex = (value: FieldValue, bytes: number): Hex => value.toString(16).padStart(bytes * 2, '0')

/** Around a frame in a tunnel: Ethernet, IPv4, UDP and VXLAN (RFC 7348 section 5). */
export const outerOf = ({
  vni,
  from,
  to,
  l4Port,
}: {
  readonly vni: number
  readonly from: number
  readonly to: number
  readonly l4Port: number
}): Hex =>
  [
    '000000000000'.repeat(2),
    '0800450000000000400040110000',
    hex(from, 4),
    hex(to, 4),
    hex(49_152, 2),
    hex(l4Port, 2),
    '00000000',
    '08000000',
    hex(vni, 3),
    '00',
  ].join('')
