// The first packet of a connection, and the answer to it, as a switch sees them.
import type { Frame } from '../../pipeline/model/frame.ts'
import { ethDst, ethSrc, ethType, ipProto, ipTtl, ipv4Dst, ipv4Src, ipv6Dst, ipv6Src, type Field } from '../../pipeline/openflow/fields.ts'
import { echoes, l4Fields } from '../../pipeline/openflow/l4-fields.ts'
import { ipv4Value, ipv6Value, macValue, type FieldValue } from '../../pipeline/openflow/values.ts'
import type { Transport } from '../../policy/verdict.ts'

export interface Packet {
  readonly from: string
  readonly to: string
  readonly transport: Transport
  /** Of TCP, UDP and SCTP. */
  readonly l4From: number
}

/** @param reply the answer to it instead */
export function frameOf(packet: Packet, macs: { readonly src: string; readonly dst: string }, reply = false): Frame {
  const { from, to, transport } = packet
  const { type, src, dst, value } = from.includes(':') ? six : four
  const addresses = [value(from), value(to)]
  const [one, other] = reply ? [1, 0] : [0, 1]
  const l4 = l4Fields.get(transport.protocol)
  const numbers = l4NumbersOf(packet, reply)
  return new Map<Field, FieldValue>([
    [ethSrc, macValue(macs.src)],
    [ethDst, macValue(macs.dst)],
    [ethType, type],
    [ipProto, transport.protocol],
    [ipTtl, 64],
    [src, addresses[one]!],
    [dst, addresses[other]!],
    ...(l4 ?? []).map((field, i) => [field, numbers[i]!] as const),
  ])
}

/** One that is no IP. */
export const plainFrame = (etherType: number, macs: { readonly src: string; readonly dst: string }): Frame =>
  new Map<Field, FieldValue>([
    [ethSrc, macValue(macs.src)],
    [ethDst, macValue(macs.dst)],
    [ethType, etherType],
  ])

const four = { type: 0x0800, src: ipv4Src, dst: ipv4Dst, value: ipv4Value } as const
const six = { type: 0x86dd, src: ipv6Src, dst: ipv6Dst, value: ipv6Value } as const

function l4NumbersOf({ transport, l4From }: Packet, reply: boolean): readonly number[] {
  const { protocol, l4Port = 0, icmpType = 0, icmpCode = 0 } = transport
  const echo = echoes.get(protocol)
  if (echo !== undefined) return [reply ? echo.answers : icmpType, icmpCode]
  return reply ? [l4Port, l4From] : [l4From, l4Port]
}
