// A packet that came to the agent, as what a rule has logged: the flow's cookie says which rule, the registers the rest.
import type { LoggedPacket, PacketHead } from '../../node/logged-packet.ts'
import type { PacketIn } from './packet-in.ts'
import { readPacketHead } from '../packet-head.ts'
import { readCookie } from '../../pipeline/cookie.ts'
import { registers } from '../../pipeline/openflow/fields.ts'
import { owners, type Owned } from '../../pipeline/registers.ts'
import { readRuleOwner } from '../../pipeline/rule-owner.ts'

/** Undefined: no rule of ours has sent it, or it is no IP. */
export function loggedPacketOf(packet: PacketIn): LoggedPacket | undefined {
  const head = readPacketHead(packet.frame)
  return head && loggedBy(packet, head)
}

export function loggedBy({ cookie, registers: given }: Omit<PacketIn, 'frame'>, head: PacketHead): LoggedPacket | undefined {
  const { feature, owner = 0 } = readCookie(cookie) ?? {}
  const by = feature === 'rule' ? readRuleOwner(owner) : undefined
  if (by === undefined) return undefined
  const of = ({ field, from, count }: Owned): number => Math.floor((given.get(registers.indexOf(field)) ?? 0) / 2 ** from) % 2 ** count
  return { vni: of(owners.vni), by, number: of(owners.subject), direction: of(owners.ingress) === 1 ? 'ingress' : 'egress', head }
}
