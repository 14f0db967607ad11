// The flows of policies in the model of a switch say what core/policy/verdict.ts says, packet by packet, over connections and changes of
// rules. That a real Open vSwitch does the same is test/node's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verdictOn, type Judged } from '../../core/policy/verdict.ts'
import { drawRuleSets } from '../laws/rule-sets.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { flowsOfNode, frameOf, identityOf, ModelSwitch, tunnel, tunnelled, vni, type Node, type Packet } from './policy-frames.ts'
import { drawNode, drawSent, type SentPacket } from './policy-packets.ts'

type Random = () => number
const oneOf = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

/** What verdicts come to, zone by zone. */
class Expected {
  /** Per port: `FROM TO …` of the connections that it has let pass. */
  readonly #known = new Map<number, Set<string>>()
  node: Node

  constructor(node: Node) {
    this.node = node
  }

  /** Whether a port lets it pass, and from then on knows its connection. */
  passes(number: number, packet: Packet, { inward, reply }: { readonly inward: boolean; readonly reply: boolean }): boolean {
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
      peer: peerOf(isIngress ? began.from : began.to, this.node),
      transport: began.transport,
    }
    const { isAllowed } = verdictOn(this.node.sets, judged)
    if (isAllowed) known.add(keyOf(began))
    return isAllowed
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

const peerOf = (address: string, node: Node): Judged['peer'] => ({ address, identity: identityOf(address, node) })
const keyOf = ({ from, to, l4From, transport: { protocol, l4Port = 0 } }: Packet): string => [protocol, from, l4From, to, l4Port].join(' ')
/** The connection that its answer would begin. */
const begunBy = ({ from, to, l4From, transport }: Packet): Packet => ({
  from: to,
  to: from,
  transport: { ...transport, ...(transport.l4Port !== undefined && { l4Port: l4From }) },
  l4From: transport.l4Port ?? l4From,
})

function swapped({ packet, fromNumber, toNumber, macs }: SentPacket): SentPacket {
  return { packet, fromNumber: toNumber, toNumber: fromNumber, macs: { src: macs.dst, dst: macs.src } }
}

/** Whether it reaches the other end. */
function reaches(model: ModelSwitch, { packet, fromNumber, toNumber, macs }: SentPacket, reply: boolean): boolean {
  const frame = frameOf(packet, macs, reply)
  const outs = fromNumber === 0 ? model.send(tunnelled(frame), tunnel) : model.send(frame, fromNumber)
  return outs.includes(toNumber === 0 ? tunnel : toNumber)
}

function expected(by: Expected, { packet, fromNumber, toNumber }: SentPacket, reply: boolean): boolean {
  return (
    (fromNumber === 0 || by.passes(fromNumber, packet, { inward: false, reply })) &&
    (toNumber === 0 || by.passes(toNumber, packet, { inward: true, reply }))
  )
}

test('of random connections under random rules, which change meanwhile, just those packets pass that the verdict lets pass', () => {
  const counted = { passed: 0, dropped: 0 }
  for (let seed = 1; seed <= trials(600); seed++) converse(seed, (passes) => counted[passes ? 'passed' : 'dropped']++)
  assert.ok(counted.passed > counted.dropped / 10 && counted.dropped > counted.passed / 10, JSON.stringify(counted))
})

function converse(seed: number, count: (passes: boolean) => void): void {
  const random = seeded(seed)
  const model = new ModelSwitch()
  const by = new Expected(drawNode(random, drawRuleSets(random, vni)))
  const begun: SentPacket[] = []
  model.carry(flowsOfNode(by.node))
  for (let step = 0; step < 40; step++) {
    if (random() < 0.08) {
      by.node = drawNode(random, random() < 0.5 ? by.node.sets : drawRuleSets(random, vni))
      model.carry(flowsOfNode(by.node))
    }
    const one = begun.length > 0 && random() < 0.5 ? oneOf(random, begun) : drawSent(random)
    const reply = begun.includes(one) && random() < 0.6
    begun.push(one)
    const sent = reply ? swapped(one) : one
    const passes = expected(by, sent, reply)
    const what = `seed ${seed}, step ${step}${reply ? ', a reply' : ''}: ${JSON.stringify(sent)} of ${JSON.stringify(by.node)}`
    assert.equal(reaches(model, sent, reply), passes, what)
    count(passes)
  }
}
