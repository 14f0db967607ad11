// Which service chain a connection's first packet goes by, and which instance of each function has it: what flows say, in words.
import type { CompiledChain } from '../../kinds/policy/chain.ts'
import { policyText } from '../../kinds/policy/policy-rule-set.ts'
import { isInBlock } from '../../net/cidr.ts'
import { parseIp } from '../../net/ip.ts'
import type { RuleSet } from '../../node/wanted.ts'
import { carries, type Transport } from '../../policy/verdict.ts'
import type { TransportMatch } from '../../kinds/policy/transport-match.ts'
import { ephemeral } from '../../pipeline/trace/frame.ts'
import { apartIn, chainsOf, macsBySlot } from '../../pipeline/chains/chain.ts'
import { isForth, type Way } from '../../pipeline/chains/stage.ts'

export interface FirstPacket {
  /** Addresses of who begins the connection, and of the other end. */
  readonly from: string
  readonly to: string
  readonly transport: Transport
}

/** Undefined: by none. */
export function chainTaken(set: RuleSet, { from, to, transport }: FirstPacket): string | undefined {
  const { ends, chains } = chainsOf(set)
  const isEnd = (address: string): boolean => ends.some(({ addresses }) => addresses.includes(address))
  const way: Way | undefined = isEnd(from) ? 'from' : isEnd(to) ? 'to' : undefined
  const peer = way === 'from' ? to : from
  if (way === undefined || apartIn({ ends, chains }).includes(peer)) return undefined
  const chain = chains.find((each) => isAbout(each, { peer, transport, isForth: isForth(each, way) }))
  if (chain === undefined) return undefined
  const hops = chain.functions.map(hopOf(peer))
  return `goes by service chain ${chain.name} of ${policyText(set)}: ${(isForth(chain, way) ? hops : hops.toReversed()).join(', then ')}`
}

interface About {
  readonly peer: string
  readonly transport: Transport
  /** The connection is begun as the chain's are. Of another one each packet is taken for an answer: it comes from the chain's ports. */
  readonly isForth: boolean
}

function isAbout({ blocks, transport: matches }: CompiledChain, { peer, transport, isForth }: About): boolean {
  const ip = parseIp(peer)
  if (ip === undefined || blocks?.some((block) => isInBlock(block, ip)) === false) return false
  const { protocol } = transport
  const isCarried = ({ icmpType: _, icmpCode: __, ...match }: TransportMatch): boolean => carries(match, { protocol, l4Port: ephemeral })
  return matches?.some((each) => (isForth ? carries(each, transport) : isCarried(each))) !== false
}

const hopOf =
  (peer: string) =>
  ({ name, instances, onFailure }: CompiledChain['functions'][number]): string => {
    const instance = instanceFor(instances, peer)
    if (instance !== undefined) return `${name} at ${instance.addresses[0]}`
    return onFailure === 'drop' ? `${name}, which nobody carries out, so that nothing passes` : `${name}, which is left out`
  }

type Instances = CompiledChain['functions'][number]['instances']
function instanceFor(instances: Instances, peer: string): Instances[number] | undefined {
  if (instances.length < 2) return instances[0]
  const bySlot = macsBySlot(instances.map(({ mac }) => mac))
  const mac = bySlot[Number((parseIp(peer)?.value ?? 0n) % BigInt(bySlot.length))]
  return instances.find((each) => each.mac === mac)
}
