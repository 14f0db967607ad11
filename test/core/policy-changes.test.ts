// Flows of policies on their way from one set of rules to the next, and what is none of a connection.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleSet } from '../../core/node/wanted.ts'
import { pieceKinds } from '../../core/pieces/index.ts'
import { explain, ownerOf } from '../../core/pipeline/explain.ts'
import type { SwitchItem } from '../../core/pipeline/items.ts'
import { ctL4Dst, ctL4Src, ctProto, ethDst, ethSrc, ethType, type Field } from '../../core/pipeline/openflow/fields.ts'
import type { Flow } from '../../core/pipeline/openflow/flow.ts'
import { macValue, type FieldValue } from '../../core/pipeline/openflow/values.ts'
import { owners } from '../../core/pipeline/registers.ts'
import { tables } from '../../core/pipeline/tables.ts'
import { inOrder, orderBy } from '../../core/plan/node/order.ts'
import { frameOf } from '../../core/views/walk/packet.ts'
import { drawRuleSets } from '../laws/rule-sets.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import {
  addressOf,
  flowsOfNode,
  itemsOfNode,
  macOf,
  ModelSwitch,
  portOf,
  renderer,
  tunnel,
  tunnelled,
  vni,
  type Node,
} from './policy-frames.ts'
import { drawNode, drawSent, type SentPacket } from './policy-packets.ts'

const flowsIn = (items: Iterable<SwitchItem>): Flow[] => [...items].flatMap(({ value }) => (value.kind === 'flow' ? [value.flow] : []))

/** Of new connections. */
function passing(flows: readonly Flow[], all: readonly SentPacket[]): ReadonlySet<number> {
  return new Set(
    all.flatMap(({ packet, fromNumber, toNumber, macs }, i) => {
      const model = new ModelSwitch()
      model.carry(flows)
      const frame = frameOf(packet, macs)
      const outs = fromNumber === 0 ? model.send(tunnelled(frame), tunnel) : model.send(frame, fromNumber)
      return outs.includes(toNumber === 0 ? tunnel : toNumber) ? [i] : []
    }),
  )
}

test('between two sets of rules nothing passes that passes neither before nor after', () => {
  const order = orderBy(pieceKinds, { name: 'ovs', renderer })
  let between = 0
  for (let seed = 1; seed <= trials(150); seed++) {
    const random = seeded(seed)
    const one = drawNode(random, drawRuleSets(random, vni))
    const two = { ...one, sets: drawRuleSets(random, vni) }
    const all = Array.from({ length: 60 }, () => drawSent(random))
    const [before, after] = [one, two].map((node) => new Map(itemsOfNode(node).map((item) => [item.key, item])))
    const differs = (item: SwitchItem, other: SwitchItem | undefined): boolean => other?.text !== item.text
    const drop = [...before!.values()].filter((item) => differs(item, after!.get(item.key)))
    const put = [...after!.values()].filter((item) => differs(item, before!.get(item.key)))
    const may = new Set([...passing(flowsIn(before!.values()), all), ...passing(flowsIn(after!.values()), all)])
    const there = new Map(before)
    for (const stage of inOrder({ drop, put }, order)) {
      for (const { key } of stage.drop) there.delete(key)
      for (const item of stage.put) there.set(item.key, item)
      const now = passing(flowsIn(there.values()), all)
      assert.deepEqual(
        [...now].filter((i) => !may.has(i)),
        [],
        `seed ${seed}`,
      )
      between++
    }
  }
  assert.ok(between > trials(150), 'there is more than one stage')
})

const set = (more: Partial<RuleSet>): RuleSet => ({
  namespace: 'net',
  vni,
  number: 7,
  tier: 'networkPolicy',
  policy: { kind: 'NetworkPolicy', namespace: 'a', name: 'web', uid: 'u' },
  priority: 0,
  subjects: [1],
  isolates: [],
  rules: [],
  ...more,
})
const nodeWith = (sets: readonly RuleSet[], more: Partial<Node> = {}): Node => ({
  ports: [1, 2].map((n) => portOf(n, { portSecurity: false, policy: { identity: n, ruleSets: [], isClosed: false } })),
  endpoints: [],
  sets,
  ...more,
})

/** A frame of an EtherType that is for experiments (IEEE 802). */
const frameThatIsNoIp = new Map<Field, FieldValue>([
  [ethSrc, macValue(macOf(1))],
  [ethDst, macValue(macOf(2))],
  [ethType, 0x88b5],
])

test('what is no IP passes where nothing isolates and no rule denies whoever it is', () => {
  const denied = (more: Partial<RuleSet['rules'][number]>): RuleSet =>
    set({ tier: 'admin', rules: [{ index: 0, source: '/a', direction: 'egress', level: 0, action: 'deny', ...more }] })
  const allow = set({ isolates: ['egress'], rules: [{ index: 0, source: '/a', direction: 'egress', level: 0, action: 'allow' }] })
  const cases: readonly (readonly [string, RuleSet[], boolean])[] = [
    ['no rules', [], true],
    ['isolated', [set({ isolates: ['egress'] })], false],
    ['the other end isolated', [set({ subjects: [2], isolates: ['ingress'] })], false],
    ['isolated, and all is allowed', [allow], true],
    ['denied to all', [denied({})], false],
    ['denied to an identity: it may be he', [denied({ peers: { identities: [9], blocks: [] } })], false],
    ['denied by TCP', [denied({ transport: [{ protocol: 6 }] })], true],
  ]
  for (const [name, sets, passes] of cases) {
    const model = new ModelSwitch()
    model.carry(flowsOfNode(nodeWith(sets)))
    assert.deepEqual(model.send(frameThatIsNoIp, 1), passes ? [2] : [], name)
  }
})

test('of a policy flow its cookie says the set and the rule, and its words say the policy, where the rule stands, and why', () => {
  const one = set({
    tier: 'admin',
    policy: { kind: 'AdminNetworkPolicy', name: 'fence', uid: 'u' },
    rules: [{ index: 3, source: '/spec/egress/3', direction: 'egress', level: 3, action: 'deny' }],
  })
  const items = [...itemsOfNode(nodeWith([one, set({ number: 8, isolates: ['ingress'] })]))]
  const dropping = items.filter(({ value }) => value.kind === 'flow' && value.flow.actions.length === 0 && isOfTier(value.flow))
  assert.deepEqual(flowsIn(dropping).map(ownerOf), ['rule 3 of set 7, layout 2', 'isolation of set 8, layout 2'])
  assert.deepEqual(
    explain(dropping).map(({ does, because }) => [does, because]),
    [
      ['drop', 'denied by /spec/egress/3 of AdminNetworkPolicy fence: PolicyRuleSet net/vni-5001-7'],
      ['drop', 'denied: no rule of NetworkPolicy a/web or another of its tier allows it: PolicyRuleSet net/vni-5001-8'],
    ],
  )
})

const isOfTier = ({ table }: Flow): boolean => table >= tables.policyAdmin.number && table <= tables.policyBaseline.number

test('more rules ask for one thing than a message of the switch holds: several flows have them, and none of the rules is left out', () => {
  const rule = { source: '/a', direction: 'egress', level: 0 } as const
  const web80 = [{ protocol: 6, first: 80, last: 80 }]
  const peers = (identity: number) => ({ peers: { identities: [identity], blocks: [] } })
  for (const [tier, action, isolates] of [
    ['networkPolicy', 'allow', ['egress']],
    ['unified', 'deny', []],
  ] as const) {
    const sets = Array.from({ length: 17 }, (_, n) =>
      set({
        number: n + 1,
        tier,
        isolates: [...isolates],
        // The last one alone is about the other pod.
        rules: Array.from({ length: 256 }, (__, index) => ({
          ...rule,
          transport: web80,
          index,
          action,
          ...peers(n === 16 && index === 255 ? 2 : 9),
        })),
      }),
    )
    const flows = flowsOfNode(nodeWith(sets))
    const web = flows.filter(({ match, actions }) => actions[0]?.do === 'conjunction' && match.some(({ field }) => field === ctL4Dst))
    assert.deepEqual(
      web.map(({ actions }) => actions.length).sort((a, b) => a - b),
      [352, 4_000],
    )
    const model = new ModelSwitch()
    model.carry(flows)
    const sent = (l4Port: number): readonly number[] => model.send(tcpFrame(l4Port), 1)
    assert.deepEqual([sent(80), sent(81)], action === 'allow' ? [[2], []] : [[], [2]], tier)
  }
})

const tcpFrame = (l4Port: number) =>
  frameOf(
    { from: addressOf(1, 4), to: addressOf(2, 4), transport: { protocol: 6, l4Port }, l4From: 40_000 },
    { src: macOf(1), dst: macOf(2) },
  )

test('what a rule asks about, it asks of its own direction alone: the other one is not split by L4 ports that are nothing to it', () => {
  for (let seed = 1; seed <= trials(150); seed++) {
    const random = seeded(seed)
    const asking = flowsOfNode(drawNode(random, drawRuleSets(random, vni))).filter(({ actions }) =>
      actions.some((action) => action.do === 'conjunction'),
    )
    const { field, from } = owners.ingress
    for (const { match } of asking) {
      const { mask } = match.find((term) => term.field === field) ?? assert.fail(`seed ${seed}: ${JSON.stringify(match)}`)
      assert.ok(mask === undefined || Number(mask) === 2 ** from)
    }
  }
})

test('no rule asks which L4 port a connection is from: the switch would keep a flow of its own for each', () => {
  let asking = 0
  for (let seed = 1; seed <= trials(150); seed++) {
    const random = seeded(seed)
    for (const { match } of flowsOfNode(drawNode(random, drawRuleSets(random, vni)))) {
      const valueOf = (field: Field): unknown => match.find((term) => term.field === field)?.value
      if (valueOf(ctL4Dst) !== undefined) asking++
      // Of ICMP it is the type.
      if (valueOf(ctL4Src) !== undefined) assert.ok([1, 58].includes(Number(valueOf(ctProto))), `seed ${seed}: ${JSON.stringify(match)}`)
    }
  }
  assert.ok(asking > 0)
})
