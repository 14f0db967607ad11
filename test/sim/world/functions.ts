// Pods that carry out functions of service chains: what is handed to them for others they send on, as any router does, while they forward.
import { readField, onWire, type Frame } from '../../../core/pipeline/model/frame.ts'
import { ethDst, ethSrc, ethType, ipTtl, ipv4Dst, ipv6Dst } from '../../../core/pipeline/openflow/fields.ts'
import { macValue, printValue } from '../../../core/pipeline/openflow/values.ts'
import { pulseFrom } from '../../../core/wire/guest/pulse.ts'
import { macBytes } from '../../../core/wire/netlink/bytes.ts'
import type { LocalPort } from '../../../core/node/wanted.ts'
import type { Inside } from '../../../agent/links/links.ts'
import { chained, functionPods } from '../layout.ts'
import type { Process } from '../process.ts'
import { podOfNetns } from './netns.ts'

interface Guest {
  readonly port: LocalPort
  readonly inside: Inside
}

/** What becomes of a packet that a router is handed: where it is for, and what is sent on; undefined: it ends there. */
export interface Handed {
  readonly to: string
  readonly sentOn: Frame | undefined
}

export class Functions {
  /** Nobody is asked whether it forwards where there are none. */
  readonly isThere: boolean
  /** Names of those that forward nothing for now. */
  readonly silent = new Set<string>()
  /** UID of a Port → the agent that it has answered last. */
  readonly #answered = new Map<string, Process>()

  constructor(isThere: boolean) {
    this.isThere = isThere
  }

  isOne(guest: Guest): boolean {
    return this.isThere && functionOf(guest) !== undefined
  }

  forwards(guest: Guest): boolean {
    const name = this.isThere ? functionOf(guest) : undefined
    return name !== undefined && !this.silent.has(name)
  }

  /** A frame with its MAC that is for somebody else; undefined: it is none. */
  handed(guest: Guest, frame: Frame): Handed | undefined {
    const { port } = guest
    const to = destinationOf(frame)
    if (!this.isOne(guest) || port.addresses.includes(to) || readField(frame, ethDst) !== macValue(port.mac)) return undefined
    const ttl = Number(readField(frame, ipTtl)) - 1
    const isSentOn = this.forwards(guest) && ttl > 0
    return { to, sentOn: isSentOn ? onWire(frame).set(ethSrc, macValue(port.mac)).set(ipTtl, ttl) : undefined }
  }

  /** An agent begins to ask it: what was answered before is forgotten. */
  asked({ uid }: Pick<LocalPort, 'uid'>): void {
    this.#answered.delete(uid)
  }

  /** What an agent asks it: whose kernel forwards says that the packet's time is up. */
  answerOf(guest: Guest, _question: Uint8Array, by: Process): Uint8Array | undefined {
    if (!this.forwards(guest)) return undefined
    this.#answered.set(guest.port.uid, by)
    const frame = new Uint8Array(58)
    frame.set(macBytes(guest.port.mac), 6)
    frame.set([8, 0], 12)
    frame[23] = icmp
    frame[34] = timeIsUp
    new DataView(frame.buffer).setUint32(54, pulseFrom)
    return frame
  }

  /** Whether this agent has heard of it that it forwards, since it began to ask. */
  hasAnswered(uid: string, agent: Process | undefined): boolean {
    return agent !== undefined && this.#answered.get(uid) === agent
  }
}

const [icmp, timeIsUp] = [1, 11]

/** As the filter has it by which agents listen (core/wire/guest/filter.ts). */
export function isPulseAnswer(frame: Uint8Array): boolean {
  if (frame.length < 58 || frame[23] !== icmp || frame[34] !== timeIsUp) return false
  return new DataView(frame.buffer, frame.byteOffset).getUint32(54) === pulseFrom
}

/** The name of its pod, where that carries out a function. */
function functionOf({ inside: { netns } }: Guest): string | undefined {
  const pod = podOfNetns(netns ?? '')
  return pod?.namespace === chained.namespace && functionPods.some((name) => name === pod.name) ? pod.name : undefined
}

function destinationOf(frame: Frame): string {
  const dst = readField(frame, ethType) === 0x86dd ? ipv6Dst : ipv4Dst
  return printValue(dst, readField(frame, dst))
}
