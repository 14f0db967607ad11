// By which functions a packet between two interfaces goes, by the chains of one rule set: said here anew, and not asked of those who make
// flows of it.
import { isInBlock } from '../../../core/net/cidr.ts'
import { parseIp } from '../../../core/net/ip.ts'
import type { CompiledChain, PolicyChains } from '../../../core/kinds/policy/chain.ts'
import type { LocalPort } from '../../../core/node/wanted.ts'

type End = Pick<LocalPort, 'uid' | 'mac'>
/** A packet of the simulation: a datagram to port 9, from no port. */
export interface ChainPacket {
  readonly from: End
  readonly to: End
  readonly source: string
  readonly address: string
}
/** UIDs of those who carry each function out, in the order in which the packet comes to them; of one that nobody does it ends there. */
export type ChainPath = readonly (readonly string[])[]

type Chains = Pick<PolicyChains, 'ends' | 'chains'>
const [udp, toPort, fromPort] = [17, 9, 0]

/** Undefined: it is about none of both. Empty: it goes by nobody. */
export function pathBy({ ends, chains }: Chains, packet: ChainPacket, way: 'from' | 'to'): ChainPath | undefined {
  const [subject, other] = way === 'from' ? [packet.from, packet.to] : [packet.to, packet.from]
  const isEnd = ({ mac }: End): boolean => ends.some((end) => end.mac === mac)
  if (!isEnd(subject)) return undefined
  const isInstance = chains.some(({ functions }) => functions.some(({ instances }) => instances.some(({ mac }) => mac === other.mac)))
  if (isEnd(other) || isInstance) return []
  const chain = chains.find((each) => isAbout(each, packet, way))
  return chain === undefined ? [] : orderIn(chain, way)
}

const isForth = ({ direction }: CompiledChain, way: 'from' | 'to'): boolean => (direction === 'egress') === (way === 'from')

function isAbout(chain: CompiledChain, { source, address }: ChainPacket, way: 'from' | 'to'): boolean {
  const other = parseIp(way === 'from' ? address : source)
  const { blocks, transport } = chain
  if (other === undefined || blocks?.some((block) => isInBlock(block, other)) === false) return false
  const l4Port = isForth(chain, way) ? toPort : fromPort
  return transport?.some(({ protocol, first, last = first }) => protocol === udp && isWithin(l4Port, first, last)) !== false
}
const isWithin = (l4Port: number, first = 0, last = 65_535): boolean => l4Port >= first && l4Port <= last

function orderIn(chain: CompiledChain, way: 'from' | 'to'): ChainPath {
  const kept = chain.functions.filter(({ instances, onFailure }) => instances.length > 0 || onFailure === 'drop')
  const path = kept.map(({ instances }) => instances.map(({ port }) => port))
  return isForth(chain, way) ? path : path.toReversed()
}
