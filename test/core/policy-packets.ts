// Random nodes whose ports policies judge, and random packets from and to them.
import type { RuleSet } from '../../core/node/wanted.ts'
import { drawConnection, identities } from '../laws/rule-sets.ts'
import type { Packet } from '../../core/views/walk/packet.ts'
import { addressOf, endpointsOf, macOf, portOf, type Node } from './policy-frames.ts'

type Random = () => number
const below = (random: Random, n: number): number => Math.floor(random() * n)
const oneOf = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!

/** Numbers of ports here. */
export const local = [1, 2, 3, 4]
const remote = [100, 101, 102]

export function drawNode(random: Random, sets: readonly RuleSet[]): Node {
  // The last is of a VNI without policies, as far as this node knows: nobody judges it.
  const ports = local.map((n) =>
    portOf(
      n,
      n === 4 && random() < 0.5 ? {} : { policy: { identity: oneOf(random, identities), ruleSets: [], isClosed: random() < 0.03 } },
    ),
  )
  return { ports, endpoints: remote.flatMap((n) => endpointsOf(n, random() < 0.7 ? oneOf(random, identities) : undefined)), sets }
}

export interface SentPacket {
  readonly packet: Packet
  /** 0: neither is here. */
  readonly fromNumber: number
  readonly toNumber: number
  readonly macs: { readonly src: string; readonly dst: string }
}

export function drawSent(random: Random): SentPacket {
  const family = random() < 0.7 ? 4 : 6
  const [from, to] = [oneOf(random, [...local, ...remote]), oneOf(random, [...local, ...remote])]
  if (from === to || (remote.includes(from) === remote.includes(to) && remote.includes(to))) return drawSent(random)
  const transport = drawConnection(random, family)
  const packet: Packet = {
    from: drawAddress(random, from, family),
    to: drawAddress(random, to, family),
    transport,
    l4From: transport.l4Port === undefined ? 0 : 1024 + below(random, 3),
  }
  return { packet, fromNumber: numberOf(from), toNumber: numberOf(to), macs: { src: macOf(from), dst: macOf(to) } }
}

const numberOf = (n: number): number => (local.includes(n) ? n : 0)
const elsewhere = { 4: ['192.0.2.77', '10.0.0.250', '10.0.0.254'], 6: ['fd00::7', '2001:db8::fa'] } as const
/** Nobody guards what comes by a tunnel, nor whither a packet says that it goes. */
const drawAddress = (random: Random, n: number, family: 4 | 6): string =>
  remote.includes(n) && random() < 0.2 ? oneOf(random, elsewhere[family]) : addressOf(n, family)
