// Conversations over one node: connections, more packets of them and their answers, what the model of a switch does with each, and what
// core/policy/verdict.ts says of it.
import { unknown } from '../../core/kinds/policy/tiers.ts'
import type { Flow } from '../../core/pipeline/openflow/flow.ts'
import { verdictOn, type Judged } from '../../core/policy/verdict.ts'
import { frameOf, type Packet } from '../../core/views/walk/packet.ts'
import { identityOf, tunnel, tunnelled, type ModelSwitch, type Node } from './policy-frames.ts'
import { drawSent, type SentPacket } from './policy-packets.ts'

/** What verdicts come to, zone by zone. */
export class Expected {
  /** Per port: `FROM TO …` of the connections that it has let pass. */
  readonly #known = new Map<number, Set<string>>()
  node: Node
  /** That all ports are in, where nobody is known; undefined: they are in a VNI. */
  readonly #vlan: number | undefined

  constructor(node: Node, vlan?: number) {
    this.node = node
    this.#vlan = vlan
  }

  /** Whether a port lets it pass, and from then on knows its connection. */
  passes(number: number, { packet, macs }: SentPacket, { inward, reply }: { readonly inward: boolean; readonly reply: boolean }): boolean {
    const port = this.node.ports.find((each) => each.number === number)
    if (port?.policy === undefined) return true
    if (port.policy.isClosed) return false
    const known = this.#known.get(number) ?? new Set()
    this.#known.set(number, known)
    const connection = connectionOf(packet, reply, known)
    if (connection === undefined) return false
    const { began, isAnswer } = connection
    const isIngress = inward !== isAnswer
    const judged: Judged = {
      subject: port.policy.identity,
      direction: isIngress ? 'ingress' : 'egress',
      peer: { ...this.#peerOf(isIngress ? began.from : began.to), mac: inward ? macs.src : macs.dst },
      transport: began.transport,
      vlan: this.#vlan,
    }
    const { isAllowed } = verdictOn(this.node.sets, judged)
    if (isAllowed) known.add(keyOf(began))
    return isAllowed
  }

  #peerOf(address: string): Judged['peer'] {
    return { address, identity: this.#vlan === undefined ? identityOf(address, this.node) : unknown }
  }
}

interface Connection {
  /** Its first packet. */
  readonly began: Packet
  readonly isAnswer: boolean
}

/** Nobody begins anything by an answer to an echo: undefined. */
function connectionOf(packet: Packet, reply: boolean, known: ReadonlySet<string>): Connection | undefined {
  const isEcho = packet.transport.icmpType !== undefined
  if (isEcho) return reply && !known.has(keyOf(packet)) ? undefined : { began: packet, isAnswer: reply }
  const first = reply ? begunBy(packet) : packet
  const other = begunBy(first)
  const isAnswer = !known.has(keyOf(first)) && known.has(keyOf(other))
  return { began: isAnswer ? other : first, isAnswer }
}

const keyOf = ({ from, to, l4From, transport: { protocol, l4Port = 0 } }: Packet): string => [protocol, from, l4From, to, l4Port].join(' ')
/** The connection that its answer would begin. */
const begunBy = ({ from, to, l4From, transport }: Packet): Packet => ({
  from: to,
  to: from,
  transport: { ...transport, ...(transport.l4Port !== undefined && { l4Port: l4From }) },
  l4From: transport.l4Port ?? l4From,
})

/** One more packet of a conversation: of a new connection, or once more of one that has begun, or its answer. */
export interface Step {
  readonly sent: SentPacket
  readonly reply: boolean
}

export function drawStep(random: () => number, begun: SentPacket[]): Step {
  const one = begun.length > 0 && random() < 0.5 ? begun[Math.floor(random() * begun.length)]! : drawSent(random)
  const reply = begun.includes(one) && random() < 0.6
  begun.push(one)
  return { sent: reply ? swapped(one) : one, reply }
}

function swapped({ packet, fromNumber, toNumber, macs }: SentPacket): SentPacket {
  return { packet, fromNumber: toNumber, toNumber: fromNumber, macs: { src: macs.dst, dst: macs.src } }
}

/** Whether it reaches the other end. @param met told of each flow that it meets */
export function reaches(
  model: ModelSwitch,
  { sent: { packet, fromNumber, toNumber, macs }, reply }: Step,
  met?: (flow: Flow) => void,
): boolean {
  const frame = frameOf(packet, macs, reply)
  const outs = fromNumber === 0 ? model.send(tunnelled(frame), tunnel, met) : model.send(frame, fromNumber, met)
  return outs.includes(toNumber === 0 ? tunnel : toNumber)
}

/** Whether verdicts let it reach the other end. */
export function mayReach(by: Expected, { sent, reply }: Step): boolean {
  const { fromNumber, toNumber } = sent
  return (
    (fromNumber === 0 || by.passes(fromNumber, sent, { inward: false, reply })) &&
    (toNumber === 0 || by.passes(toNumber, sent, { inward: true, reply }))
  )
}
