// What is in audit is counted where it would deny, and there alone: by the flow of the rule that the verdict names.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import type { Flow } from '../../core/pipeline/openflow/flow.ts'
import { verdictOn, type Verdict } from '../../core/policy/verdict.ts'
import { drawRuleSets } from '../laws/rule-sets.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { reaches } from './policy-conversation.ts'
import { identityOf, itemsOfNode, ModelSwitch, vni, type Node } from './policy-frames.ts'
import { drawNode, drawSent, type SentPacket } from './policy-packets.ts'

/** Of its first packet, at each end that is here and that it comes to. */
function verdictsOf(node: Node, { packet, fromNumber, toNumber, macs }: SentPacket): readonly Verdict[] {
  const ends = [
    { number: fromNumber, direction: 'egress', address: packet.to, mac: macs.dst },
    { number: toNumber, direction: 'ingress', address: packet.from, mac: macs.src },
  ] as const
  const verdicts: Verdict[] = []
  for (const { number, direction, address, mac } of ends) {
    const policy = node.ports.find((port) => port.number === number)?.policy
    if (policy?.isClosed === true) break
    if (policy === undefined) continue
    const peer = { address, identity: identityOf(address, node), mac }
    const verdict = verdictOn(node.sets, { subject: policy.identity, direction, peer, transport: packet.transport })
    verdicts.push(verdict)
    if (!verdict.isAllowed) break
  }
  return verdicts
}

const nameOf = ({ audited: [reason] }: Verdict): readonly string[] => {
  if (reason === undefined) return []
  const { set, rule } = reason
  return [rule === undefined ? `no rule in tier ${set.tier}` : `${rule.source} of ${set.policy.name}`]
}

/** As flows say it. */
function countedBy(rule: string, node: Node): readonly string[] {
  const [, source, name] = /^would be denied by (\S+) of .*?(policy-\d+)/.exec(rule) ?? []
  if (source !== undefined) return [`${source} of ${name}`]
  const [, isolating] = /^would be denied: no rule of .*?(policy-\d+)/.exec(rule) ?? []
  return isolating === undefined ? [] : [`no rule in tier ${node.sets.find(({ policy }) => policy.name === isolating)!.tier}`]
}

test('of random first packets just those are counted that the verdict says would be denied, and by the rule that would deny', (t) => {
  const first = randomInt(2 ** 40)
  t.diagnostic(`${trials(1_000)} seeds from ${first}`)
  let counted = 0
  for (let seed = first; seed < first + trials(1_000); seed++) {
    const random = seeded(seed)
    const node = drawNode(random, drawRuleSets(random, vni))
    const items = itemsOfNode(node)
    const reasons = new Map<Flow, string>(
      items.flatMap(({ value, because }) => (value.kind === 'flow' ? [[value.flow, because.rule]] : [])),
    )
    for (let nth = 0; nth < 10; nth++) {
      const model = new ModelSwitch()
      model.carry([...reasons.keys()])
      const sent = drawSent(random)
      const met: Flow[] = []
      reaches(model, { sent, reply: false }, (flow) => met.push(flow))
      const wanted = verdictsOf(node, sent).flatMap(nameOf)
      const said = met.flatMap((flow) => countedBy(reasons.get(flow) ?? '', node))
      assert.deepEqual(said, wanted, `seed ${seed}, packet ${nth}: ${JSON.stringify(sent)} of ${JSON.stringify(node)}`)
      counted += wanted.length
    }
  }
  assert.ok(counted > trials(1_000) / 20, `${counted} were counted`)
})
