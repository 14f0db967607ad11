// The flows of policies in the model of a switch say what core/policy/verdict.ts says, packet by packet, over connections and changes of
// rules. That a real Open vSwitch does the same is test/node's.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { drawRuleSets } from '../laws/rule-sets.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { drawStep, Expected, mayReach, reaches } from './policy-conversation.ts'
import { flowsOfNode, ModelSwitch, vni } from './policy-frames.ts'
import { drawNode, type SentPacket } from './policy-packets.ts'

/** How many packets of each kind there were: of one kind alone a trial says nothing. */
class Counted {
  #passed = 0
  #dropped = 0

  add(passes: boolean): void {
    if (passes) this.#passed++
    else this.#dropped++
  }

  check(): void {
    const [passed, dropped] = [this.#passed, this.#dropped]
    assert.ok(passed > dropped / 10 && dropped > passed / 10, JSON.stringify({ passed, dropped }))
  }
}

interface Conversation {
  readonly seed: number
  readonly random: () => number
  readonly by: Expected
  readonly model: ModelSwitch
  readonly counted: Counted
}

/** @param change before each packet */
function converse({ seed, random, by, model, counted }: Conversation, packets: number, change = (): void => {}): void {
  const begun: SentPacket[] = []
  for (let nth = 0; nth < packets; nth++) {
    change()
    const step = drawStep(random, begun)
    const passes = mayReach(by, step)
    const what = (): string =>
      `seed ${seed}, packet ${nth}${step.reply ? ', a reply' : ''}: ${JSON.stringify(step.sent)} of ${JSON.stringify(by.node)}`
    if (reaches(model, step) !== passes) assert.fail(`${what()}: ${passes ? 'it does not pass' : 'it passes'}`)
    counted.add(passes)
  }
}

test('of random connections under random rules, which change meanwhile, just those packets pass that the verdict lets pass', (t) => {
  const counted = new Counted()
  const first = randomInt(2 ** 40)
  t.diagnostic(`${trials(600)} seeds from ${first}`)
  for (let seed = first; seed < first + trials(600); seed++) {
    const random = seeded(seed)
    const model = new ModelSwitch()
    const by = new Expected(drawNode(random, drawRuleSets(random, vni)))
    model.carry(flowsOfNode(by.node))
    converse({ seed, random, by, model, counted }, 40, () => {
      if (random() >= 0.08) return
      by.node = drawNode(random, random() < 0.5 ? by.node.sets : drawRuleSets(random, vni))
      model.carry(flowsOfNode(by.node))
    })
  }
  counted.check()
})

test('of 100,000 pairs of policies and a sequence of packets each ends as the verdict says', (t) => {
  const [sets, sequences] = [trials(2_000), 50]
  const counted = new Counted()
  const first = randomInt(2 ** 40)
  t.diagnostic(`${sets} sets of policies from seed ${first}, ${sequences} sequences each`)
  for (let seed = first; seed < first + sets; seed++) {
    const random = seeded(seed)
    const node = drawNode(random, drawRuleSets(random, vni))
    const flows = flowsOfNode(node)
    for (let nth = 0; nth < sequences; nth++) {
      const model = new ModelSwitch()
      model.carry(flows)
      converse({ seed, random, by: new Expected(node), model, counted }, 4)
    }
  }
  counted.check()
})
