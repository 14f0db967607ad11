// How much a port may send and get, and how what it sends is marked, as flows and meters.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import type { RuleSetSpec } from '../../core/kinds/policy/policy-rule-set.ts'
import type { PortPolicy } from '../../core/node/wanted.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import { ipDscp } from '../../core/pipeline/openflow/fields.ts'
import { verdictOn } from '../../core/policy/verdict.ts'
import { drawRuleSets, drawTraffic } from '../laws/rule-sets.ts'
import { trials } from '../setup/trials.ts'
import { readField } from '../../core/pipeline/model/frame.ts'
import { seeded } from '../workers/test-cluster.ts'
import { frameOf } from '../../core/views/walk/packet.ts'
import { flowsOfNode, identityOf, itemsOfNode, ModelSwitch, portOf, vni, type Node } from './policy-frames.ts'
import { drawNode, drawSent, type SentPacket } from './policy-packets.ts'

const policy = (traffic: PortPolicy['traffic'], isClosed = false): PortPolicy => ({
  identity: 1,
  ruleSets: [],
  isClosed,
  ...(traffic !== undefined && { traffic }),
})
const metersOf = (of: PortPolicy, number = 7): readonly string[] =>
  itemsOfNode({ ports: [portOf(number, { policy: of })], endpoints: [], sets: [] })
    .filter(({ key, because }) => key.startsWith('meter/') && because.of.kind === 'Port')
    .map(({ key, text }) => `${key} ${text}`)

describe('how much a port sends and gets', () => {
  test('has a meter for each way, and none where nothing is said or nothing passes', () => {
    assert.deepEqual(metersOf(policy({ maxEgress: 20e6, maxIngress: 1.5e6 })), [
      'meter/mgz/5150 kbps burst stats bands=type=drop rate=20000 burst_size=2000',
      'meter/mgz/5151 kbps burst stats bands=type=drop rate=1500 burst_size=150',
    ])
    for (const none of [policy(undefined), policy({ dscp: 8 }), policy({ maxEgress: 1 }, true)]) assert.deepEqual(metersOf(none), [])
  })

  test('is what a meter can say: a kilobit at least, and no more than 32 bits', () => {
    const rates = [1, Number.MAX_SAFE_INTEGER].map((maxEgress) => /rate=(\d+)/.exec(metersOf(policy({ maxEgress }))[0]!)![1])
    assert.deepEqual(rates, ['1', '4294967295'])
  })

  test('of two ports is never one meter', () => {
    const all = [1, 2, 3, 59_999, 60_000].flatMap((number) => metersOf(policy({ maxEgress: 1e6, maxIngress: 1e6 }), number))
    assert.equal(new Set(all.map((each) => each.split(' ')[0])).size, 10)
  })

  test('is not done where the switch has no meters, and the policy is told so by name; a mark is', () => {
    const without = switchRenderer(() => ({ ...settings, meters: false }))
    const set = { namespace: 'net', vni, number: 1, tier: 'unified', priority: 0, subjects: [1], isolates: [], rules: [] } as const
    const of = { kind: 'UnifiedNetworkPolicy', namespace: 'a', name: 'p', uid: 'u' }
    const why = (traffic: RuleSetSpec['traffic']): readonly string[] =>
      without
        .unsupported(ruleSetPiece, { ...set, policy: of, subjects: [1], isolates: [], rules: [], ...(traffic && { traffic }) })
        .map((each) => each.why)
    assert.deepEqual(why({ maxEgress: 1e6 }), ['this Open vSwitch has no meters, so no bandwidth is limited'])
    assert.deepEqual([why({ dscp: 8 }), why(undefined)], [[], []])
  })
})

const settings = { node: 'n', bridge: 'mgz', datapath: 'netdev', tunnelAddress: '192.0.2.1', tunnelL4Port: 4789, uplinks: {} } as const

/** What is enforced alone. */
const enforced = (sets: Node['sets']): Node['sets'] =>
  sets.filter(({ audit }) => audit !== true).map((set) => ({ ...set, rules: set.rules.filter(({ audit }) => audit !== true) }))

/** What its first packet has to be marked with; undefined: as it came. */
function markOf(node: Node, { packet, fromNumber, macs }: SentPacket): number | undefined {
  const sender = node.ports.find(({ number }) => number === fromNumber)?.policy
  if (sender === undefined) return undefined
  const peer = { address: packet.to, identity: identityOf(packet.to, node), mac: macs.dst }
  const judged = { subject: sender.identity, direction: 'egress', peer, transport: packet.transport } as const
  const said = verdictOn(enforced(node.sets), judged).tiers.find(({ tier }) => tier === 'unified')
  return said?.reason.rule?.dscp ?? sender.traffic?.dscp
}

function drawMarked(random: () => number): Node {
  const node = drawNode(random, drawRuleSets(random, vni))
  const ports = node.ports.map((port) => {
    const traffic = drawTraffic(random)
    return port.policy && traffic ? { ...port, policy: { ...port.policy, traffic } } : port
  })
  return { ...node, ports }
}

/** A packet that one of its ports sends, as it leaves: marks of each copy. */
function marksOf(model: ModelSwitch, { packet, macs, fromNumber }: SentPacket): readonly unknown[] {
  const frame = new Map([...frameOf(packet, macs), [ipDscp, asItCame]] as const)
  return model.outs(frame, fromNumber).map((out) => readField(out.frame, ipDscp))
}
const asItCame = 63

test('of random first packets each is marked as the rule says that allows it, else as its port is, else as it came', (t) => {
  const first = randomInt(2 ** 40)
  t.diagnostic(`${trials(1_000)} seeds from ${first}`)
  let marked = 0
  for (let seed = first; seed < first + trials(1_000); seed++) {
    const random = seeded(seed)
    const node = drawMarked(random)
    const flows = flowsOfNode(node)
    for (const sent of Array.from({ length: 10 }, () => drawSent(random)).filter(({ fromNumber }) => fromNumber !== 0)) {
      const model = new ModelSwitch()
      model.carry(flows)
      const [wanted, marks] = [markOf(node, sent), marksOf(model, sent)]
      assert.deepEqual(new Set(marks), new Set(marks.length === 0 ? [] : [wanted ?? asItCame]), `seed ${seed}: ${JSON.stringify(sent)}`)
      marked += wanted === undefined ? 0 : marks.length
    }
  }
  assert.ok(marked > trials(1_000) / 10, `${marked} were marked`)
})
