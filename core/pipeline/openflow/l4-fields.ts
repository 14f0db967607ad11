// Where a packet has what tells its connection from others, by IP's number of the protocol: ports, and in ICMP type and code.
import { icmp6Code, icmp6Type, icmpCode, icmpType, sctpDst, sctpSrc, tcpDst, tcpSrc, udpDst, udpSrc, type Field } from './fields.ts'

export const l4Fields: ReadonlyMap<number, readonly [src: Field, dst: Field]> = new Map([
  [1, [icmpType, icmpCode]],
  [58, [icmp6Type, icmp6Code]],
  [6, [tcpSrc, tcpDst]],
  [17, [udpSrc, udpDst]],
  [132, [sctpSrc, sctpDst]],
])

/** Types of ICMP, RFC 792 and RFC 4443 section 4: an answer is of the connection of its question. */
export const echoes: ReadonlyMap<number, { readonly asks: number; readonly answers: number }> = new Map([
  [1, { asks: 8, answers: 0 }],
  [58, { asks: 128, answers: 129 }],
])
