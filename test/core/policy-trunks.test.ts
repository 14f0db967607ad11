// Ports in VLANs that policies judge, in the model of a switch: of each packet, in the VLAN that it is in, they say what the verdict says,
// and a connection of one VLAN is none of another.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { vlanSegment } from '../../core/net/segment.ts'
import { familiesOf, type CompiledRule } from '../../core/kinds/policy/policy-rule-set.ts'
import type { LocalPort, RuleSet } from '../../core/node/wanted.ts'
import { pieceSet } from '../../core/pieces/piece-set.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import { readField } from '../../core/pipeline/model/frame.ts'
import { tagPresent, vlanVid } from '../../core/pipeline/openflow/fields.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { frameOf } from '../../core/views/walk/packet.ts'
import { drawRuleSets, identities, vlans } from '../laws/rule-sets.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { drawStep, Expected, type Step } from './policy-conversation.ts'
import { ModelSwitch, portOf, type Node } from './policy-frames.ts'
import { local, type SentPacket } from './policy-packets.ts'

const [bridge, physicalNetwork] = ['mgz', 'physnet1']
const segment = vlanSegment(physicalNetwork, vlans[0]!)
const renderer = switchRenderer(() => ({
  node: 'n',
  bridge,
  datapath: 'netdev',
  tunnelAddress: '192.0.2.1',
  tunnelL4Port: 4789,
  uplinks: { [physicalNetwork]: 'eth1' },
}))
const wayOf = (number: number): number => 1_000 + number

/** The first two are in several VLANs, the others in the first of them. */
function portIn(number: number, random: () => number): LocalPort {
  const mode = number <= 2 ? 'selectivetrunk' : 'access'
  const identity = identities[Math.floor(random() * identities.length)]!
  return portOf(number, {
    attachment: { kind: 'vlan', physicalNetwork, mode, vlans: mode === 'access' ? vlans.slice(0, 1) : vlans },
    portSecurity: false,
    policy: { identity, ruleSets: [], isClosed: random() < 0.03 },
    wayNumber: wayOf(number),
    ...(mode !== 'access' && { zones: vlans.map((vlan, i) => ({ vlan, number: 2_000 + 10 * number + i })) }),
  })
}

function drawNode(random: () => number): Node {
  return { ports: local.map((number) => portIn(number, random)), endpoints: [], sets: drawSets(random) }
}

/** Of many rules each asks for a VLAN. */
const drawSets = (random: () => number): readonly RuleSet[] =>
  drawRuleSets(random, segment).map((set) => ({ ...set, rules: set.rules.map((rule) => (random() < 0.4 ? inVlan(rule, random) : rule)) }))

function inVlan(rule: CompiledRule, random: () => number): CompiledRule {
  const { families, ...others } = rule
  const of = familiesOf(rule)
  const frame = { ...rule.frame, vlan: vlans[Math.floor(random() * vlans.length)]!, ...(of && { families: [...of] }) }
  return { ...others, ...(rule.action === 'deny' ? families && { families } : { families: [] }), frame }
}

function carry(model: ModelSwitch, { ports, sets }: Node): void {
  const pieces = pieceSet([
    [portPiece, ports],
    [ruleSetPiece, sets],
  ])
  model.carry([...itemsOf(renderer, pieces)].flatMap(({ value }) => (value.kind === 'flow' && value.bridge === bridge ? [value.flow] : [])))
}

/** Between a port here and somebody elsewhere in its VLAN: which of both a switch has between them is NORMAL's. */
function drawHop(random: () => number, begun: SentPacket[]): Step {
  const before = begun.length
  const step = drawStep(random, begun)
  if ((step.sent.fromNumber === 0) !== (step.sent.toNumber === 0)) return step
  begun.length = before
  return drawHop(random, begun)
}

/** Whether it comes out where it should, with the tag that it had. */
function reaches(model: ModelSwitch, { sent: { packet, fromNumber, toNumber, macs }, reply }: Step, tag: number): boolean {
  const frame = new Map([...frameOf(packet, macs, reply), [vlanVid, tag] as const])
  const [from, to] = fromNumber === 0 ? [wayOf(toNumber), toNumber] : [fromNumber, wayOf(fromNumber)]
  const outs = model.outs(frame, from)
  assert.deepEqual(
    outs.filter((out) => out.number !== to || readField(out.frame, vlanVid) !== tag),
    [],
  )
  return outs.length > 0
}

/** A node, as it is and as verdicts have it. */
class Site {
  readonly #random: () => number
  readonly #model = new ModelSwitch()
  #node: Node
  /** By VLAN. */
  readonly #by: ReadonlyMap<number, Expected>
  readonly #begun: SentPacket[] = []

  constructor(random: () => number) {
    this.#random = random
    this.#node = drawNode(random)
    this.#by = new Map(vlans.map((vlan) => [vlan, new Expected(this.#node, vlan)]))
    carry(this.#model, this.#node)
  }

  change(): void {
    this.#node = { ...this.#node, sets: drawSets(this.#random) }
    for (const each of this.#by.values()) each.node = this.#node
    carry(this.#model, this.#node)
  }

  /** One more packet. */
  send(): { readonly isWanted: boolean; readonly passes: boolean; readonly what: string } {
    const step = drawHop(this.#random, this.#begun)
    const { fromNumber, toNumber } = step.sent
    const isTrunk = fromNumber + toNumber <= 2
    const vlan = isTrunk ? vlans[Math.floor(this.#random() * vlans.length)]! : vlans[0]!
    const isWanted = this.#by.get(vlan)!.passes(fromNumber + toNumber, step.sent, { inward: fromNumber === 0, reply: step.reply })
    const passes = reaches(this.#model, step, isTrunk ? tagPresent + vlan : 0)
    return { isWanted, passes, what: passes === isWanted ? '' : `${JSON.stringify(step)} in ${vlan}, of ${JSON.stringify(this.#node)}` }
  }
}

test('of random connections in several VLANs just those packets pass that the verdict lets pass in theirs', (t) => {
  const counted = { passed: 0, dropped: 0 }
  const first = randomInt(2 ** 40)
  t.diagnostic(`${trials(400)} seeds from ${first}`)
  for (let seed = first; seed < first + trials(400); seed++) {
    const random = seeded(seed)
    const site = new Site(random)
    for (let nth = 0; nth < 40; nth++) {
      if (random() < 0.05) site.change()
      const { isWanted, passes, what } = site.send()
      if (passes !== isWanted) assert.fail(`seed ${seed}, packet ${nth}, which ${passes ? 'passes' : 'ends'}: ${what}`)
      counted[isWanted ? 'passed' : 'dropped']++
    }
  }
  assert.ok(counted.passed > counted.dropped / 10 && counted.dropped > counted.passed / 10, JSON.stringify(counted))
})

test('what has no tag, that of a VLAN that is not its own, or one where there is none to be, goes nowhere', () => {
  const random = seeded(1)
  const model = new ModelSwitch()
  const node: Node = { ...drawNode(random), sets: [] }
  carry(model, { ...node, ports: node.ports.map((port) => ({ ...port, policy: { ...port.policy!, isClosed: false } })) })
  const step = (fromNumber: number): Step => {
    const packet = { from: '10.0.0.1', to: '10.0.0.9', transport: { protocol: 17, l4Port: 53 }, l4From: 1_024 }
    return { sent: { packet, fromNumber, toNumber: 0, macs: { src: '02:00:00:00:00:01', dst: '02:00:00:00:00:09' } }, reply: false }
  }
  const passes = (number: number, tags: readonly number[]): readonly boolean[] => tags.map((tag) => reaches(model, step(number), tag))
  assert.deepEqual(passes(1, [tagPresent + 100, tagPresent + 200, tagPresent + 300, tagPresent, 0]), [true, true, false, false, false])
  assert.deepEqual(passes(3, [0, tagPresent + 100, tagPresent + 200, tagPresent]), [true, false, false, false])
})
