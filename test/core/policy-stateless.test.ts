// What is done without connections is what verdicts say, packet by packet; what needs them is said, and closes or opens as its policy has
// it. On the models of the kernel's bridges and of bessd; that these do the same is test/node's and test/bess'.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Renderer } from '../../core/contracts/dataplane.ts'
import type { Element } from '../../core/graph/elements.ts'
import { graphRenderer } from '../../core/graph/renderer.ts'
import type { LinuxItem } from '../../core/linux/linux-items.ts'
import { inOrder } from '../../core/linux/model/things.ts'
import { linuxRenderer } from '../../core/linux/render.ts'
import type { Item } from '../../core/node/item.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { statefulParts } from '../../core/policy/rules/stateless.ts'
import { drawRuleSets, mirrored } from '../laws/rule-sets.ts'
import { trials } from '../setup/trials.ts'
import { GraphModel } from '../sim/world/planes/graph/model.ts'
import { KernelModel } from '../sim/world/planes/kernel/model.ts'
import { tunnel, type PlaneModel } from '../sim/world/planes/plane.ts'
import { KernelNet } from '../sim/world/routing/kernel.ts'
import { seeded } from '../workers/test-cluster.ts'
import { drawStep, Expected, mayReach, type Step } from './policy-conversation.ts'
import { frameOf } from '../../core/views/walk/packet.ts'
import { piecesOfNode, tunnelled, type Node } from './policy-frames.ts'
import { drawNode, type SentPacket } from './policy-packets.ts'

/** A data plane that follows no connections, and a model of it that has what a node is to have. */
interface Stateless {
  readonly renderer: Renderer
  readonly modelOf: (items: readonly Item[]) => PlaneModel
}
const here = '192.0.2.1'
const kernel = linuxRenderer({ tunnelAddress: here, l4Port: 4789 })
const graphOptions = new GraphModel(here, () => true).options
const planes: Readonly<Record<string, Stateless>> = {
  linux: {
    renderer: kernel,
    modelOf(items) {
      const model = new KernelModel(here, () => true, new KernelNet())
      for (const thing of inOrder(items.map(({ value }) => value as LinuxItem))) model.things.put(thing)
      return model
    },
  },
  bess: {
    renderer: graphRenderer(graphOptions),
    modelOf(items) {
      const model = new GraphModel(here, () => true)
      const elements = items.map(({ value }) => value as Element)
      for (const each of elements) if (each.kind === 'port') model.graph.ports.set(each.role, { vdev: each.vdev, link: 0 })
      model.graph.putAll(elements)
      return model
    },
  },
}

function reaches(model: PlaneModel, { sent: { packet, fromNumber, toNumber, macs }, reply }: Step): boolean {
  const frame = frameOf(packet, macs, reply)
  const outs = fromNumber === 0 ? model.take(tunnelled(frame), tunnel) : model.take(frame, `mgz${fromNumber}`)
  return outs.some(({ at }) => at === (toNumber === 0 ? tunnel : `mgz${toNumber}`))
}

/** As an agent has it: a Port is closed that a set judges which is not done here. */
function closedWhere(node: Node, { renderer }: Stateless): Node {
  const isDone = (set: RuleSet): boolean => renderer.unsupported(ruleSetPiece, set).length === 0
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
  return sets.map((set): RuleSet => ({ ...set, ...(random() < 0.3 && { onUnsupported: 'allow' }) }))
}

describe('rules without connections', () => {
  for (const [name, plane] of Object.entries(planes))
    test(`let just those packets pass on ${name} that the verdict lets pass, or are said to need connections`, (t) => {
      const first = randomInt(2 ** 40)
      const counted = { passed: 0, dropped: 0 }
      t.diagnostic(`${trials(2_000)} seeds from ${first}`)
      for (let seed = first; seed < first + trials(2_000); seed++) {
        const random = seeded(seed)
        const drawn = drawNode(random, drawSets(random))
        const model = plane.modelOf([...plane.renderer.base(), ...itemsOf(plane.renderer, piecesOfNode(drawn))])
        const [by, begun] = [new Expected(closedWhere(drawn, plane)), [] as SentPacket[]]
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
