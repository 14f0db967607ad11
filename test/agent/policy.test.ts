// Rule sets on a node: a Port that they judge is closed until all of them are here, and they are in force over restarts of the agent.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { memory, memoryRenderer } from '../../agent/dataplanes/memory.ts'
import { answerTo } from '../../agent/inquiries/answer.ts'
import { explainPort } from '../../agent/inquiries/explain.ts'
import { agentMeter, policyGauges } from '../../agent/metrics.ts'
import type { Dataplane, NodeChange } from '../../core/contracts/dataplane.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { Unsupported } from '../../core/node/unsupported.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { MetricSet } from '../../platform/metrics/set.ts'
import type { SqliteStore } from '../../platform/store/sqlite.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { eventually, openNode, type TestNode } from './node.ts'
import { dropRuleSet, judge, judgeNoMore, nameOf, onlyPort, openPoliced, putRuleSet, vni, webRule } from './policed.ts'
import { storeAway } from './store-away.ts'

let cluster: TestCluster
let node: TestNode
let pod: Resource<'Pod'>
let store: SqliteStore
/** Parts of a node that let something pass which no rule table allows. */
let open: string[]
let plane: (memory: TestNode['memory']) => Dataplane

beforeEach(async () => {
  open = []
  plane = (things) => watched(memory(things), things)
  ;({ cluster, pod, store } = await openPoliced())
  node = await openNode({ store, name: 'n1', address: '192.0.2.1', plane: (things) => plane(things) })
})
afterEach(async () => {
  await node.close()
  await cluster.close()
  await store.close()
  assert.deepEqual(open, [], 'a Port was open without the rules that judge it')
})

/** Item by item, as a data plane does it that is killed somewhere. */
function watched(bare: Dataplane<string>, { things }: TestNode['memory']): Dataplane<string> {
  return {
    ...bare,
    async apply(change: NodeChange<string>, signal) {
      for (const each of oneByOne(change)) {
        await bare.apply(each, signal)
        open.push(...openWithout(things))
      }
    },
  }
}
const oneByOne = ({ drop, put }: NodeChange<string>): readonly NodeChange<string>[] => [
  ...put.map((each) => ({ put: [each], drop: drop.filter(({ key }) => key === each.key) })),
  ...drop.filter(({ key }) => !put.some((each) => each.key === key)).map((each) => ({ put: [], drop: [each] })),
]
function openWithout(things: ReadonlyMap<string, string>): readonly string[] {
  return [...things].flatMap(([key, text]) => {
    const [, by] = key.startsWith('policy/') ? text.split(' by ') : []
    const missing = (by ?? '').split(' ').filter((name) => name !== '' && !things.has(`rules/${name}`))
    return missing.map((name) => `${key} without ${name}`)
  })
}

const policyThere = (): string | undefined => [...node.memory.things].find(([key]) => key.startsWith('policy/'))?.[1]
const rulesThere = (): string[] => [...node.memory.things.keys()].filter((key) => key.startsWith('rules/')).sort()
const becomes = (policy: string | undefined, ...numbers: readonly number[]): Promise<void> =>
  eventually(
    () => policyThere() === policy && String(rulesThere()) === String(numbers.map((number) => `rules/${nameOf(number)}`)),
    `${policy ?? 'nothing'} is there, with ${numbers.join(', ')}`,
  )
const added = async (): Promise<void> => assert.equal((await node.cni('ADD', { pod })).code, 0)

test('a Port that nobody judges has nothing of policies, and rule sets that judge nobody here are not carried', async () => {
  await putRuleSet(cluster, 1)
  await added()
  await becomes(undefined)
})

test('it is closed until all that judge it are here and count it among their subjects, and follows them without CNI', async () => {
  await judge(cluster, 7, 1, 2)
  await putRuleSet(cluster, 1)
  await added()
  await becomes('7 closed', 1)
  await putRuleSet(cluster, 2, { subjects: [8] })
  await becomes('7 closed', 1, 2)
  await putRuleSet(cluster, 2, { subjects: [7, 8] })
  await becomes(`7 by ${nameOf(1)} ${nameOf(2)}`, 1, 2)
  await putRuleSet(cluster, 2, { subjects: [8] })
  await becomes('7 closed', 1, 2)
  await judge(cluster, 8, 2)
  await becomes(`8 by ${nameOf(2)}`, 2)
  await judgeNoMore(cluster)
  await becomes(undefined)
})

test('a running Port that comes to be judged is judged, and a rule that changes is another one there', async () => {
  await added()
  await becomes(undefined)
  await judge(cluster, 7, 1)
  await becomes('7 closed')
  await putRuleSet(cluster, 1)
  await becomes(`7 by ${nameOf(1)}`, 1)
  await putRuleSet(cluster, 1, { rules: [] })
  await eventually(() => node.memory.things.get(`rules/${nameOf(1)}`)?.includes('"allow"') === false, 'the rule is gone')
})

test('how much it may send, and how that is marked, follows the policy that judges it, and is nothing of one that is tried out', async () => {
  const traffic = (): string | undefined => [...node.memory.things].find(([key]) => key.startsWith('traffic/'))?.[1]
  const becomesTraffic = (text: string | undefined): Promise<void> => eventually(() => traffic() === text, `${text} is there`)
  await judge(cluster, 7, 1)
  await putRuleSet(cluster, 1, { traffic: { maxEgress: 1_000_000 } })
  await added()
  await becomesTraffic('{"maxEgress":1000000}')
  await putRuleSet(cluster, 1, { traffic: { maxEgress: 2_000_000, dscp: 46 } })
  await becomesTraffic('{"maxEgress":2000000,"dscp":46}')
  await putRuleSet(cluster, 1, { traffic: { dscp: 46 }, audit: true })
  await becomesTraffic(undefined)
})

test('a set that is gone before it is off the Port judges on, and no longer than that', async () => {
  await putRuleSet(cluster, 1)
  await judge(cluster, 7, 1)
  await added()
  await becomes(`7 by ${nameOf(1)}`, 1)
  await dropRuleSet(cluster, 1)
  // Heard of behind it, by the same watch.
  await putRuleSet(cluster, 2)
  await judge(cluster, 7, 1, 2)
  await becomes(`7 by ${nameOf(1)} ${nameOf(2)}`, 1, 2)
  await judge(cluster, 7, 2)
  await becomes(`7 by ${nameOf(2)}`, 2)
})

test('a pod that goes takes along what judged it alone', async () => {
  await putRuleSet(cluster, 1)
  await judge(cluster, 7, 1)
  await added()
  await becomes(`7 by ${nameOf(1)}`, 1)
  assert.equal((await node.cni('DEL', { pod })).code, 0)
  await becomes(undefined)
  assert.deepEqual([...node.agent.env.ledger.pieces('RuleSet')], [])
})

test('an agent that begins with the store away enforces what was in force, into an empty data plane too, and drops nothing', async (t) => {
  await putRuleSet(cluster, 1)
  await putRuleSet(cluster, 2)
  await judge(cluster, 7, 1, 2)
  await added()
  await becomes(`7 by ${nameOf(1)} ${nameOf(2)}`, 1, 2)
  const back = storeAway(t, store)
  await node.kill()
  node.memory.things.clear()
  await node.restart(false)
  await becomes(`7 by ${nameOf(1)} ${nameOf(2)}`, 1, 2)
  back()
  await node.agent.ready
  await becomes(`7 by ${nameOf(1)} ${nameOf(2)}`, 1, 2)
})

test('what changed while no agent ran is in force once the next one hears of it, and what it remembers in vain is forgotten', async (t) => {
  await putRuleSet(cluster, 1)
  await judge(cluster, 7, 1)
  await added()
  await becomes(`7 by ${nameOf(1)}`, 1)
  await node.kill()
  await putRuleSet(cluster, 2, { subjects: [9] })
  await judge(cluster, 9, 2)
  await dropRuleSet(cluster, 1)
  const back = storeAway(t, store)
  await node.restart(false)
  await node.agent.env.loop.applied(AbortSignal.timeout(10_000))
  assert.equal(policyThere(), `7 by ${nameOf(1)}`)
  back()
  await node.agent.ready
  await becomes(`9 by ${nameOf(2)}`, 2)
  assert.deepEqual(
    [...node.agent.env.ledger.pieces('RuleSet')].map(([key]) => key),
    [nameOf(2)],
  )
})

test('a rule set of the ledger that cannot be read leaves its Port closed in an empty data plane, and by its rules where they are there', async (t) => {
  await putRuleSet(cluster, 1)
  await judge(cluster, 7, 1)
  await added()
  await becomes(`7 by ${nameOf(1)}`, 1)
  await node.agent.env.ledger.keepPiece('RuleSet', nameOf(1), { vni, number: 1 })
  await node.kill()
  const back = storeAway(t, store)
  await node.restart(false)
  await node.agent.env.loop.applied(AbortSignal.timeout(10_000))
  await becomes(`7 by ${nameOf(1)}`, 1)
  node.memory.things.clear()
  node.agent.env.loop.audit()
  await becomes('7 closed')
  back()
  await node.agent.ready
  await becomes(`7 by ${nameOf(1)}`, 1)
})

test('where a data plane cannot do them the Port says which, and is closed; open where that is asked for, or while they are tried out', async () => {
  const why = 'NetworkPolicy a/policy-1: /spec/ingress/0: it cannot'
  const left: readonly Unsupported[] = [{ name: 'policy', why: '/spec/ingress/0: it cannot' }]
  plane = (things) => ({
    ...watched(memory(things), things),
    renderer: {
      ...memoryRenderer,
      unsupported: (kind, ...rest) => (kind.name === ruleSetPiece.name ? left : memoryRenderer.unsupported(kind, ...rest)),
    },
  })
  await node.restart()
  const message = async (): Promise<string | undefined> => (await onlyPort(cluster)).status?.node?.conditions?.[0]?.message
  await putRuleSet(cluster, 1)
  await judge(cluster, 7, 1)
  await added()
  await becomes('7 closed', 1)
  await eventually(async () => (await message()) === `policy: ${why}: the Port is closed`, 'the Port says so')
  for (const more of [{ onUnsupported: 'allow' }, { audit: true }] as const) {
    await putRuleSet(cluster, 1, more)
    await becomes(`7 by ${nameOf(1)}`, 1)
    await eventually(async () => (await message()) === `policy: ${why}: it is open as far as this one goes`, 'the Port says so')
    await putRuleSet(cluster, 1, { onUnsupported: 'deny' })
    await becomes('7 closed', 1)
  }
})

test('a Port is explained with the rules that judge it; an Inquiry tells of those of its own namespace alone', async () => {
  await putRuleSet(cluster, 1)
  await putRuleSet(cluster, 2, { tier: 'admin', policy: { kind: 'AdminNetworkPolicy', name: 'provider', uid: 'u' } })
  await judge(cluster, 7, 1, 2)
  await added()
  await becomes(`7 by ${nameOf(1)} ${nameOf(2)}`, 1, 2)
  const { metadata } = await onlyPort(cluster)
  const rulesIn = (items: readonly { readonly key: string; readonly because: string; readonly state: string }[] = []): string[] =>
    items.filter(({ key }) => key.startsWith('rules/')).map(({ because, state }) => `${because} ${state}`)
  const signal = AbortSignal.timeout(10_000)
  const ours = `NetworkPolicy a/policy-1: PolicyRuleSet a/${nameOf(1)} there`
  assert.deepEqual(rulesIn((await explainPort(`a/${metadata.name}`, node.agent.env, signal)).items), [
    ours,
    `AdminNetworkPolicy provider: PolicyRuleSet a/${nameOf(2)} there`,
  ])
  const inquiry = await cluster.make('Inquiry', 'a/why', { about: 'explain', port: metadata.name })
  assert.deepEqual(rulesIn((await answerTo(inquiry, node.agent.env, signal)).items), [ours])
})

test('how many rules a node has, which Ports are closed, and how long a change took, is measured', async () => {
  const set = new MetricSet({ ofProcess: false })
  const none = () => 0
  const gauges = { ports: none, endpoints: none, vnis: none, uplinksMissing: none, ...policyGauges(() => node.agent.env.loop.pieces) }
  const meter = agentMeter(set, gauges)
  const measured = async (): Promise<string[]> =>
    [...(await set.registry.metrics()).matchAll(/^megrez_agent_(rules|ports_closed|rules_seconds_count) (\d+)$/gm)]
      .map(([, , n]) => n!)
      .sort()
  await node.close()
  node = await openNode({ store, name: 'n1', address: '192.0.2.1', plane: (things) => plane(things), meter })
  await judge(cluster, 7, 1)
  await added()
  await becomes('7 closed')
  assert.deepEqual(await measured(), ['0', '0', '1'])
  await putRuleSet(cluster, 1, { rules: [webRule, { ...webRule, index: 1 }] })
  await eventually(async () => String(await measured()) === '0,1,2', 'two rules after one change, and nothing is closed')
})
