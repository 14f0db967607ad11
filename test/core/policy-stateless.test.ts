// What is done without connections is what verdicts say, packet by packet; what needs them is said, and closes or opens as its policy has
// it. On the model of the kernel's bridges; that the kernel does the same is test/node's.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import { linuxRenderer } from '../../core/linux/render.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { statefulParts } from '../../core/policy/rules/stateless.ts'
import { drawRuleSets, mirrored } from '../laws/rule-sets.ts'
import { trials } from '../setup/trials.ts'
import { KernelModel } from '../sim/world/planes/kernel/model.ts'
import { tunnel } from '../sim/world/planes/plane.ts'
import { seeded } from '../workers/test-cluster.ts'
import { drawStep, Expected, mayReach, type Step } from './policy-conversation.ts'
import { frameOf, piecesOfNode, tunnelled, type Node } from './policy-frames.ts'
import { drawNode, type SentPacket } from './policy-packets.ts'

const renderer = linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789 })

function kernelOf(node: Node): KernelModel {
  const model = new KernelModel('192.0.2.1', () => true)
  const items = [...renderer.base(), ...itemsOf(renderer, piecesOfNode(node))].map(({ value }) => value)
  // What is put into something comes after it.
  const order = ['policies', 'bridge', 'tunnel', 'member']
  const placeOf = (kind: string): number => (order.includes(kind) ? order.indexOf(kind) : order.length)
  for (const value of items.sort((a, b) => placeOf(a.kind) - placeOf(b.kind))) model.things.put(value)
  return model
}

function reaches(model: KernelModel, { sent: { packet, fromNumber, toNumber, macs }, reply }: Step): boolean {
  const frame = frameOf(packet, macs, reply)
  const outs = fromNumber === 0 ? model.take(tunnelled(frame), tunnel) : model.take(frame, `mgz${fromNumber}`)
  return outs.some(({ at }) => at === (toNumber === 0 ? tunnel : `mgz${toNumber}`))
}

/** As an agent has it: a Port is closed that a set judges which is not done here. */
function closedWhere(node: Node): Node {
  const isDone = (set: RuleSet): boolean => statefulParts(set).length === 0
  const mustBeDone = (set: RuleSet): boolean => set.audit !== true && set.onUnsupported !== 'allow'
  const ports = node.ports.map((port) => {
    const { policy } = port
    if (policy === undefined) return port
    const isClosed = policy.isClosed || node.sets.some((set) => set.subjects.includes(policy.identity) && mustBeDone(set) && !isDone(set))
    return { ...port, policy: { ...policy, isClosed } }
  })
  return { ...node, ports, sets: node.sets.filter((set) => set.audit === true || isDone(set)) }
}

function drawSets(random: () => number): readonly RuleSet[] {
  const sets = drawRuleSets(random, 5001, 5).map((set) => (random() < 0.85 ? mirrored(set) : set))
  return sets.map((set): RuleSet => (random() < 0.3 ? { ...set, onUnsupported: 'allow' } : set))
}

describe('rules without connections', () => {
  test('let just those packets pass that the verdict lets pass, or are said to need connections', (t) => {
    const first = randomInt(2 ** 40)
    const counted = { passed: 0, dropped: 0 }
    t.diagnostic(`${trials(2_000)} seeds from ${first}`)
    for (let seed = first; seed < first + trials(2_000); seed++) {
      const random = seeded(seed)
      const drawn = drawNode(random, drawSets(random))
      const [model, by, begun] = [kernelOf(drawn), new Expected(closedWhere(drawn)), [] as SentPacket[]]
      for (let nth = 0; nth < 50; nth++) {
        const step = drawStep(random, begun)
        const passes = mayReach(by, step)
        const what = `seed ${seed}, packet ${nth}${step.reply ? ', a reply' : ''}: ${JSON.stringify(step.sent)} of ${JSON.stringify(drawn)}`
        assert.equal(reaches(model, step), passes, what)
        counted[passes ? 'passed' : 'dropped'] += 1
      }
    }
    assert.ok(Math.min(counted.passed, counted.dropped) > (counted.passed + counted.dropped) / 20, JSON.stringify(counted))
  })

  test('say which part needs them, by where it stands', () => {
    const set = drawRuleSets(seeded(1), 5001).find(({ rules }) => rules.length > 0)!
    const base = { ...mirrored(set), subjects: [1] }
    assert.deepEqual(statefulParts(base), [])
    const [rule] = base.rules
    const only = [{ ...rule!, source: '/spec/ingress/0', direction: 'ingress' as const }]
    assert.deepEqual(statefulParts({ ...base, isolates: ['ingress'], rules: only }), [
      '/spec/ingress/0 is not said of the other direction too, and connections are not followed here',
      'it isolates ingress alone, and connections are not followed here',
    ])
    const carried = base.rules.map((each) => ({ ...each, transport: [{ protocol: 6, first: 80 }] }))
    assert.match(statefulParts({ ...base, rules: carried })[0]!, /asks what is carried/)
  })
})
