// Pods that serve NetworkServices, as their nodes ask them: who has an address answers whoever asks for its MAC, while it is there at all.
import type { Inside } from '../../../agent/links/links.ts'
import type { LocalPort } from '../../../core/node/wanted.ts'
import { printIp } from '../../../core/net/ip.ts'
import { macBytes } from '../../../core/wire/netlink/bytes.ts'
import type { Process } from '../process.ts'
import { podOfNetns } from './netns.ts'

interface Guest {
  readonly port: LocalPort
  readonly inside: Inside
}

export class Neighbours {
  /** Nobody is asked whether it is there where this is false. */
  readonly isThere: boolean
  /** `namespace/name` of pods that answer nobody for now. */
  readonly mute = new Set<string>()
  /** UID of a Port → the agent that it has answered last. */
  readonly #answered = new Map<string, Process>()

  constructor(isThere: boolean) {
    this.isThere = isThere
  }

  isMute({ inside: { netns } }: Guest): boolean {
    const pod = podOfNetns(netns ?? '')
    return pod !== undefined && this.mute.has(`${pod.namespace}/${pod.name}`)
  }

  /** An agent begins to ask it: what was answered before is forgotten. */
  asked({ uid }: Pick<LocalPort, 'uid'>): void {
    this.#answered.delete(uid)
  }

  answerOf(guest: Guest, question: Uint8Array, by: Process): Uint8Array | undefined {
    const { uid, mac, addresses } = guest.port
    if (!this.isThere || this.isMute(guest) || !addresses.includes(targetOf(question) ?? '')) return undefined
    this.#answered.set(uid, by)
    return isArp(question) ? arpReply(mac) : advertisement(mac)
  }

  /** Whether this agent has heard of it since it began to ask. */
  hasAnswered(uid: string, agent: Process | undefined): boolean {
    return agent !== undefined && this.#answered.get(uid) === agent
  }
}

const [arp, ipv6, icmpv6, reply, advertised] = [0x0806, 0x86dd, 58, 2, 136]
const etherTypeOf = (frame: Uint8Array): number => (frame[12]! << 8) | frame[13]!
const isArp = (frame: Uint8Array): boolean => etherTypeOf(frame) === arp
const isIcmpv6 = (frame: Uint8Array): boolean => etherTypeOf(frame) === ipv6 && frame[20] === icmpv6

/** Of an ARP request, or a neighbour solicitation: what they ask for. */
function targetOf(frame: Uint8Array): string | undefined {
  const at = (from: number, length: number): bigint => BigInt(`0x${Buffer.from(frame.subarray(from, from + length)).toString('hex')}`)
  if (isArp(frame)) return printIp({ family: 4, value: at(38, 4) })
  return isIcmpv6(frame) ? printIp({ family: 6, value: at(62, 16) }) : undefined
}

export const isNeighbourQuestion = (frame: Uint8Array): boolean => isArp(frame) || isIcmpv6(frame)

/** As much of an answer as the filter looks at by which agents listen (core/wire/guest/filter.ts). */
function arpReply(mac: string): Uint8Array {
  const frame = new Uint8Array(42)
  frame.set(macBytes(mac), 6)
  frame.set([arp >> 8, arp & 0xff], 12)
  frame[21] = reply
  return frame
}
function advertisement(mac: string): Uint8Array {
  const frame = new Uint8Array(78)
  frame.set(macBytes(mac), 6)
  frame.set([ipv6 >> 8, ipv6 & 0xff], 12)
  frame[20] = icmpv6
  frame[54] = advertised
  return frame
}
export const isNeighbourAnswer = (frame: Uint8Array): boolean =>
  frame.length >= 42 && ((isArp(frame) && frame[21] === reply) || (isIcmpv6(frame) && frame[54] === advertised))
