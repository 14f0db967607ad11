// A frame that a flow has sent to the agent, as what a rule has logged.
import type { LoggedPacket, PacketHead } from '../../../../core/node/logged-packet.ts'
import {
  icmp6Code,
  icmp6Type,
  icmpCode,
  icmpType,
  ipProto,
  ipv4Dst,
  ipv4Src,
  ipv6Dst,
  ipv6Src,
  registers,
  tcpDst,
  tcpSrc,
  udpDst,
  udpSrc,
  type Field,
} from '../../../../core/pipeline/openflow/fields.ts'
import type { Flow } from '../../../../core/pipeline/openflow/flow.ts'
import { printValue } from '../../../../core/pipeline/openflow/values.ts'
import { loggedBy } from '../../../../core/wire/openflow/logged-packet.ts'
import { readField, type Frame } from '../../../../core/pipeline/model/frame.ts'

export function loggedIn({ cookie }: Flow, frame: Frame): LoggedPacket | undefined {
  const given = new Map(registers.map((field, number) => [number, Number(readField(frame, field))]))
  const head = headOf(frame)
  return head && loggedBy({ cookie, registers: given }, head)
}

function headOf(frame: Frame): PacketHead | undefined {
  const isV4 = frame.has(ipv4Src)
  if (!isV4 && !frame.has(ipv6Src)) return undefined
  const text = (field: Field): string => printValue(field, readField(frame, field))
  const number = (field: Field): number => Number(readField(frame, field))
  const protocol = number(ipProto)
  const ends = isV4 ? { from: text(ipv4Src), to: text(ipv4Dst), protocol } : { from: text(ipv6Src), to: text(ipv6Dst), protocol }
  if (protocol === 6) return { ...ends, l4Ports: { from: number(tcpSrc), to: number(tcpDst) } }
  if (protocol === 17) return { ...ends, l4Ports: { from: number(udpSrc), to: number(udpDst) } }
  if (protocol === 1) return { ...ends, icmp: { type: number(icmpType), code: number(icmpCode) } }
  return protocol === 58 ? { ...ends, icmp: { type: number(icmp6Type), code: number(icmp6Code) } } : ends
}
