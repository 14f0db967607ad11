// The first packet of a connection, and the answer to it, as a switch sees them.
import type { Frame } from '../../pipeline/model/frame.ts'
import {
  ethDst,
  ethSrc,
  ethType,
  icmp6Code,
  icmp6Type,
  icmpCode,
  icmpType,
  ipProto,
  ipv4Dst,
  ipv4Src,
  ipv6Dst,
  ipv6Src,
  sctpDst,
  sctpSrc,
  tcpDst,
  tcpSrc,
  udpDst,
  udpSrc,
  type Field,
} from '../../pipeline/openflow/fields.ts'
import { ipv4Value, ipv6Value, macValue, type FieldValue } from '../../pipeline/openflow/values.ts'
import type { Transport } from '../../policy/verdict.ts'

export interface Packet {
  readonly from: string
  readonly to: string
  readonly transport: Transport
  /** Of TCP, UDP and SCTP. */
  readonly l4From: number
}

const l4: ReadonlyMap<number, readonly [src: Field, dst: Field]> = new Map([
  [6, [tcpSrc, tcpDst]],
  [17, [udpSrc, udpDst]],
  [132, [sctpSrc, sctpDst]],
])

/** @param reply the answer to it instead */
export function frameOf(
  { from, to, transport, l4From }: Packet,
  macs: { readonly src: string; readonly dst: string },
  reply = false,
): Frame {
  const { l4Port = 0 } = transport
  const { type, src, dst, value } = from.includes(':') ? six : four
  const addresses = [value(from), value(to)]
  const numbered = [l4From, l4Port]
  const [one, other] = reply ? [1, 0] : [0, 1]
  const [l4Src, l4Dst] = l4.get(transport.protocol) ?? []
  return new Map<Field, FieldValue>([
    [ethSrc, macValue(macs.src)],
    [ethDst, macValue(macs.dst)],
    [ethType, type],
    [ipProto, transport.protocol],
    [src, addresses[one]!],
    [dst, addresses[other]!],
    ...(l4Src === undefined ? [] : [[l4Src, numbered[one]!] as const, [l4Dst!, numbered[other]!] as const]),
    ...icmpFields(transport, reply),
  ])
}

const four = { type: 0x0800, src: ipv4Src, dst: ipv4Dst, value: ipv4Value } as const
const six = { type: 0x86dd, src: ipv6Src, dst: ipv6Dst, value: ipv6Value } as const

function icmpFields({ protocol, icmpType: type = 0, icmpCode: code = 0 }: Transport, reply: boolean): [Field, FieldValue][] {
  const of: Readonly<Record<number, readonly [Field, Field, number]>> = { 1: [icmpType, icmpCode, 0], 58: [icmp6Type, icmp6Code, 129] }
  const [typeField, codeField, answers] = of[protocol] ?? []
  if (typeField === undefined) return []
  return [
    [typeField, reply ? answers! : type],
    [codeField!, code],
  ]
}
