// Which packets a chain is about: the other end's blocks, and what is carried. Of each packet by itself: without connections.
import type { CompiledChain } from '../../kinds/policy/chain.ts'
import type { TransportMatch } from '../../kinds/policy/transport-match.ts'
import { protocolNumbers } from '../../kinds/policy/protocols.ts'
import { parseCidr } from '../../net/cidr.ts'
import { bitsOf } from '../../net/ip.ts'
import { ipv4, ipv6, laterFragment, withinPorts } from '../match.ts'
import { ipProto, ipv4Dst, ipv4Src, ipv6Dst, ipv6Src, type Field } from '../openflow/fields.ts'
import { is, type Term } from '../openflow/flow.ts'
import { l4Fields } from '../openflow/l4-fields.ts'
import { ipv4Value, ipv6Value } from '../openflow/values.ts'
import { within } from '../sources.ts'
import { isForth, type Way } from './stage.ts'

type Match = readonly Term[]

export const families = [
  { family: 4, match: ipv4, src: ipv4Src, dst: ipv4Dst },
  { family: 6, match: ipv6, src: ipv6Src, dst: ipv6Dst },
] as const
export type Family = (typeof families)[number]

export const familyOf = (address: string): Family => (address.includes(':') ? families[1] : families[0])
const valueOf = (address: string): number | bigint => (address.includes(':') ? ipv6Value(address) : ipv4Value(address))
/** The subject's address: what it sends is from there, what it is sent for there. */
export const isSubject = (way: Way, address: string): Match => {
  const { match, src, dst } = familyOf(address)
  return [...match, is(way === 'from' ? src : dst, valueOf(address))]
}
/** The other end's. */
export const peerField = (way: Way, { src, dst }: Family): Field => (way === 'from' ? dst : src)

/** Each of which is enough. */
export function classifierOf(chain: CompiledChain, way: Way): readonly Match[] {
  const { blocks, transport } = chain
  const peers =
    blocks === undefined ? families.map(({ match, family }) => ({ match, family })) : blocks.flatMap((each) => blockTerms(each, way))
  return peers.flatMap(({ match, family }) =>
    transport === undefined
      ? [match]
      : transport.flatMap((each) => transportTerms(each, { isForth: isForth(chain, way), family }).map((terms) => [...match, ...terms])),
  )
}

interface PeerMatch {
  readonly match: Match
  readonly family: 4 | 6
}

function blockTerms(block: string, way: Way): readonly PeerMatch[] {
  const cidr = parseCidr(block)
  if (cidr === undefined) return []
  const { family, first, length } = cidr
  const of = family === 4 ? families[0] : families[1]
  const [field, value] = [peerField(way, of), family === 4 ? Number(first) : first]
  const inside = within(field, { value, length, single: length === bitsOf(family) })
  return [{ match: [...of.match, ...(length === 0 ? [] : [inside])], family }]
}

const { icmp, icmpv6 } = protocolNumbers

interface Of {
  /** The packet goes the way that the connection was begun. */
  readonly isForth: boolean
  readonly family: 4 | 6
}

function transportTerms(
  { protocol, first, last, icmpType: type, icmpCode: code }: TransportMatch,
  { isForth, family }: Of,
): readonly Match[] {
  const of = is(ipProto, protocol)
  if (protocol === icmp || protocol === icmpv6) return icmpTerms({ protocol, type, code }, { isForth, family })
  const [src, dst] = l4Fields.get(protocol) ?? []
  if (src === undefined || dst === undefined || first === undefined) return [[of]]
  // Where what has some of them goes.
  return [...withinPorts(isForth ? dst : src, first, last).map((terms) => [of, ...terms]), [laterFragment, of]]
}

interface IcmpMatch {
  readonly protocol: number
  readonly type: number | undefined
  readonly code: number | undefined
}

/** An answer has another type: what comes back is told by the protocol alone. */
function icmpTerms({ protocol, type, code }: IcmpMatch, { isForth, family }: Of): readonly Match[] {
  if ((protocol === icmp) !== (family === 4)) return []
  const [typeField, codeField] = l4Fields.get(protocol)!
  const question = isForth
    ? [...(type === undefined ? [] : [is(typeField, type)]), ...(code === undefined ? [] : [is(codeField, code)])]
    : []
  return [[is(ipProto, protocol), ...question]]
}
