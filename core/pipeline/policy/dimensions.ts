// What a rule asks about a connection, dimension by dimension: whom it judges and which way, who the other end is, what is carried, in
// which family or of which EtherType, in which VLAN, and with which MAC. In each a connection has to match one.
import type { PolicyPeers } from '../../kinds/policy/compiled/policy-peers.ts'
import { familiesOf, type CompiledRule } from '../../kinds/policy/policy-rule-set.ts'
import type { TransportMatch } from '../../kinds/policy/transport-match.ts'
import { unknown } from '../../kinds/policy/tiers.ts'
import type { RuleSet } from '../../node/wanted.ts'
import { ipv4, ipv6, isBit, laterFragment, withinPorts } from '../match.ts'
import { ctL4Dst, ctL4Src, ctProto, ethDst, ethSrc, ethType, ipProto, sctpDst, sctpSrc } from '../openflow/fields.ts'
import { is, type Term } from '../openflow/flow.ts'
import { macValue } from '../openflow/values.ts'
import { owners } from '../registers.ts'
import { tracked, trackedAs } from './base.ts'
import { askedIn } from './peer.ts'

export type Match = readonly Term[]
type Dimension = readonly Match[]

/** Two at least: a rule that asks about nothing but whom it judges has one that always matches. None: nothing can match it. */
export function dimensionsOf({ subjects }: RuleSet, rule: CompiledRule): readonly Dimension[] {
  const ingress = rule.direction === 'ingress' ? 2 ** owners.ingress.from : 0
  const { peers, transport, action, frame } = rule
  const families = familiesOf(rule)
  const others = [
    peers && peerMatches(peers, action === 'deny'),
    transport && transport.flatMap((each) => transportMatches(each, action !== 'deny')),
    families && families.map((family) => (family === 4 ? ipv4 : ipv6)),
    ...frameMatches(frame),
  ].filter((each) => each !== undefined)
  const own = rule.subjects === undefined ? subjects : subjects.filter((each) => rule.subjects?.includes(each))
  // Of the other direction the switch need not look at what this asks about: its flows are the fewer.
  const way = isBit(owners.ingress, rule.direction === 'ingress' ? 1 : 0)
  const conditions = (others.length === 0 ? [[[]]] : others).map((matches) => matches.map((match) => [way, ...match]))
  const all = [own.map((subject) => [is(owners.judged.field, subject + ingress)]), ...conditions]
  return all.some((matches) => matches.length === 0) ? [] : all
}

/** Of somebody in the VNI who is not known yet a rule that denies identities has to think the worst. */
function peerMatches({ identities, blocks }: PolicyPeers, denies: boolean): Dimension {
  const peers = denies && identities.length > 0 ? [...identities, unknown] : identities
  const inside = blocks.map(askedIn).filter((match) => match !== undefined)
  return [...peers.map((identity) => [is(owners.peer.field, identity)]), ...inside]
}

const frameMatches = ({ peerMac, etherType, vlan }: CompiledRule['frame'] = {}): readonly (Dimension | undefined)[] => [
  peerMac === undefined ? undefined : peerMacMatches(peerMac),
  etherType === undefined ? undefined : [[is(ethType, etherType)]],
  vlan === undefined ? undefined : [[is(owners.vlan.field, vlan)]],
]

/** Of each packet by itself, whichever way its connection is: before it is routed, and after. */
const peerMacMatches = (mac: string): Dimension => [
  [isBit(owners.inward, 1), is(ethSrc, macValue(mac))],
  [isBit(owners.inward, 0), is(ethDst, macValue(mac))],
]

const sctp = 132
const withL4Ports: readonly number[] = [6, 17, sctp]
const icmps: readonly number[] = [1, 58]

/**
 * Of the connection's first packet, whichever way and whichever part of it this one is.
 *
 * @param alsoLater of fragments that are not the first a switch in user space knows no ports: what allows some of a protocol allows them.
 *   Without the first they are nothing (docs/decisions/0042-policies-in-open-vswitch.md).
 */
function transportMatches(match: TransportMatch, alsoLater: boolean): Dimension {
  const { protocol, first, icmpType, icmpCode } = match
  const of = [tracked, is(ctProto, protocol)]
  if (first === undefined && icmpType === undefined && icmpCode === undefined) return [of]
  if (protocol === sctp) return sctpMatches(match)
  const parts = first === undefined ? icmpParts(match) : l4Parts(match, first)
  const later = alsoLater && parts.length > 0 ? [ipv4, ipv6].map((family) => [...family, laterFragment]) : []
  return [...parts, ...later].map((part) => [...of, ...part])
}

function l4Parts({ protocol, last, icmpType, icmpCode }: TransportMatch, first: number): Dimension {
  if (!withL4Ports.includes(protocol) || icmpType !== undefined || icmpCode !== undefined) return []
  return withinPorts(ctL4Dst, first, last)
}

/**
 * Connection tracking in user space knows no ports of SCTP, and of two ends one connection. So they are the packet's own: where it answers,
 * those that it comes from.
 */
function sctpMatches({ first, last, icmpType, icmpCode }: TransportMatch): Dimension {
  if (first === undefined || icmpType !== undefined || icmpCode !== undefined) return []
  return [ipv4, ipv6].flatMap((family) =>
    [forth, back].flatMap(({ state, field }) =>
      withinPorts(field, first, last).map((term) => [state, ...family, is(ipProto, sctp), ...term]),
    ),
  )
}

const forth = { state: trackedAs({ reply: false }), field: sctpDst }
const back = { state: trackedAs({ reply: true }), field: sctpSrc }

/** In ICMP type and code stand where ports would. */
function icmpParts({ protocol, icmpType, icmpCode }: TransportMatch): Dimension {
  if (!icmps.includes(protocol)) return []
  const type = icmpType === undefined ? [] : [is(ctL4Src, icmpType)]
  return [[...type, ...(icmpCode === undefined ? [] : [is(ctL4Dst, icmpCode)])]]
}
