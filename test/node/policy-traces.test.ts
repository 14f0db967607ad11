// What the real Open vSwitch says that it would do with random packets under random rules (ofproto/trace) is what core/policy/verdict.ts
// says of them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { appctl, controlSocketIn } from '../../agent/ovs/control-socket.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import { readTrace } from '../../core/pipeline/trace/answer.ts'
import { itemsOf, planItems } from '../../core/plan/node/items.ts'
import { verdictOn, type Judged, type Transport } from '../../core/policy/verdict.ts'
import type { Packet } from '../../core/views/walk/packet.ts'
import { identityOf, piecesOfNode, tunnel, vni, type Node } from '../core/policy-frames.ts'
import { drawNode, drawSent, local, type SentPacket } from '../core/policy-packets.ts'
import { drawRuleSets } from '../laws/rule-sets.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { bridge, startSwitch, type SwitchUnderTest } from './switch.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)

describe('policies traced on Open vSwitch', { skip: ovsSkip }, () => {
  let under: SwitchUnderTest
  let plane: Dataplane
  let socket: string
  before(async () => {
    under = await startSwitch()
    plane = under.plane()
    await plane.open(signal())
    await under.plug(local.map((n) => `mgz${n}`))
    socket = await controlSocketIn(under.node.folder)
  })
  after(async () => {
    await plane.close()
    await under.node.stop()
  })

  async function carry(node: Node): Promise<void> {
    const plan = planItems(itemsOf(plane.renderer, piecesOfNode(node)), await plane.observe(undefined, signal()), {
      itemOf: (key, text) => plane.itemOf(key, text),
      of: { kind: 'Node', name: 'here' },
      whole: true,
    })
    for (const { action } of plan.steps) await plane.apply(action, signal())
  }

  test('let just those packets reach a port that the verdict lets pass, and the answers to them', async (t) => {
    const counted = { passed: 0, dropped: 0 }
    for (let seed = 1; seed <= trials(200); seed++) {
      const random = seeded(seed)
      const node = drawNode(random, drawRuleSets(random, vni))
      await carry(node)
      for (let nth = 0; nth < 30; nth++) {
        const sent = drawSent(random)
        // Where a tunnel leads depends on routes.
        if (sent.toNumber === 0) continue
        const isAllowed = isLetPass(node, sent)
        for (const reply of sent.fromNumber === 0 ? [false] : [false, true]) {
          const text = await appctl(socket, 'ofproto/trace', traceArgs(sent, reply), signal())
          const { outputs } = readTrace(text, bridge, () => undefined)
          const what = `seed ${seed}${reply ? ', the answer' : ''}: ${JSON.stringify(sent)} of ${JSON.stringify(node)}\n${text}`
          assert.equal(outputs.includes(reply ? sent.fromNumber : sent.toNumber), isAllowed, what)
          counted[isAllowed ? 'passed' : 'dropped']++
        }
      }
    }
    t.diagnostic(`seeds 1 to ${trials(200)}: ${counted.passed} passed, ${counted.dropped} dropped`)
    assert.ok(Math.min(counted.passed, counted.dropped) > 10)
  })
})

function isLetPass(node: Node, { packet, fromNumber, toNumber, macs }: SentPacket): boolean {
  const judge = (number: number, direction: Judged['direction'], address: string, mac: string): boolean => {
    const policy = node.ports.find((each) => each.number === number)?.policy
    if (policy === undefined) return true
    if (policy.isClosed) return false
    const peer = { address, identity: identityOf(address, node), mac }
    return verdictOn(node.sets, { subject: policy.identity, direction, peer, transport: packet.transport }).isAllowed
  }
  return judge(fromNumber, 'egress', packet.to, macs.dst) && judge(toNumber, 'ingress', packet.from, macs.src)
}

/** Of a connection that both zones know: of a new one the trace forgets the addresses where it is kept. */
function traceArgs({ packet, fromNumber, toNumber, macs }: SentPacket, reply: boolean): readonly string[] {
  const state = reply ? 'trk,est,rpl' : 'trk,est'
  const where =
    fromNumber === 0
      ? [`in_port=${tunnel}`, `tun_id=${vni}`, 'tun_src=192.0.2.2', 'tun_dst=192.0.2.1']
      : [`in_port=${reply ? toNumber : fromNumber}`]
  const [src, dst] = reply ? [macs.dst, macs.src] : [macs.src, macs.dst]
  const flow = [...where, `dl_src=${src}`, `dl_dst=${dst}`, ...headersOf(packet, reply), ...firstOf(packet)]
  return [bridge, flow.join(','), '--ct-next', state, '--ct-next', state]
}

/** As ofproto/trace calls it, by family. */
const kinds: Readonly<Record<number, readonly [v4: string, v6: string]>> = {
  1: ['icmp', 'icmp6'],
  6: ['tcp', 'tcp6'],
  17: ['udp', 'udp6'],
  58: ['icmp', 'icmp6'],
  132: ['sctp', 'sctp6'],
}

function headersOf({ from, to, transport, l4From }: Packet, reply: boolean): readonly string[] {
  const { protocol, l4Port = 0 } = transport
  const nth = from.includes(':') ? 1 : 0
  const addresses = (['nw', 'ipv6'] as const)[nth]
  const [src, dst] = reply ? [to, from] : [from, to]
  const [l4Src, l4Dst] = reply ? [l4Port, l4From] : [l4From, l4Port]
  const kind = kinds[protocol]
  const ends = [kind?.[nth] ?? (['ip', 'ipv6'] as const)[nth], `${addresses}_src=${src}`, `${addresses}_dst=${dst}`, 'nw_ttl=64']
  if (kind === undefined) return [...ends, `nw_proto=${protocol}`]
  if (kind[0] === 'icmp') return [...ends, ...echoOf(transport, reply)]
  return [...ends, `${kind[0]}_src=${l4Src}`, `${kind[0]}_dst=${l4Dst}`]
}

function echoOf({ protocol, icmpType = 0, icmpCode = 0 }: Transport, reply: boolean): readonly string[] {
  const [name, answered] = protocol === 58 ? ['icmpv6', 129] : ['icmp', 0]
  return [`${name}_type=${reply ? answered : icmpType}`, `${name}_code=${icmpCode}`]
}

/** What connection tracking says of its first packet. */
function firstOf({ from, to, transport, l4From }: Packet): readonly string[] {
  const { protocol, l4Port = 0, icmpType, icmpCode } = transport
  const ip = from.includes(':') ? 'ipv6' : 'nw'
  return [
    'ct_state=trk|est',
    `ct_${ip}_src=${from}`,
    `ct_${ip}_dst=${to}`,
    `ct_nw_proto=${protocol}`,
    `ct_tp_src=${icmpType ?? l4From}`,
    `ct_tp_dst=${icmpCode ?? l4Port}`,
  ]
}
