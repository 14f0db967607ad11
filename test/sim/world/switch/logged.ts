// A frame that a flow has sent to the agent, as what a rule has logged.
import type { LoggedPacket, PacketHead } from '../../../../core/node/logged-packet.ts'
import { ipProto, ipv4Dst, ipv4Src, ipv6Dst, ipv6Src, registers, type Field } from '../../../../core/pipeline/openflow/fields.ts'
import { echoes, l4Fields } from '../../../../core/pipeline/openflow/l4-fields.ts'
import type { Flow } from '../../../../core/pipeline/openflow/flow.ts'
import { printValue } from '../../../../core/pipeline/openflow/values.ts'
import { loggedBy } from '../../../../core/wire/openflow/logged-packet.ts'
import { readField, type Frame } from '../../../../core/pipeline/model/frame.ts'

export function loggedIn({ cookie }: Flow, frame: Frame): LoggedPacket | undefined {
  const given = new Map(registers.map((field, number) => [number, Number(readField(frame, field))]))
  const head = headOf(frame)
  return head && loggedBy({ cookie, registers: given }, head)
}

/** Of it an agent is told no ports. */
const sctp = 132

function headOf(frame: Frame): PacketHead | undefined {
  const isV4 = frame.has(ipv4Src)
  if (!isV4 && !frame.has(ipv6Src)) return undefined
  const text = (field: Field): string => printValue(field, readField(frame, field))
  const number = (field: Field): number => Number(readField(frame, field))
  const protocol = number(ipProto)
  const ends = isV4 ? { from: text(ipv4Src), to: text(ipv4Dst), protocol } : { from: text(ipv6Src), to: text(ipv6Dst), protocol }
  const [first, second] = l4Fields.get(protocol) ?? []
  if (first === undefined || second === undefined || protocol === sctp) return ends
  const [one, other] = [number(first), number(second)]
  return echoes.has(protocol) ? { ...ends, icmp: { type: one, code: other } } : { ...ends, l4Ports: { from: one, to: other } }
}
