// Minimums on a node: booked one after the other until its uplink is full, kept over restarts of the agent, and free again for others.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import type { PolicyTraffic } from '../../core/kinds/policy/policy-rule-set.ts'
import { sameJson } from '../../core/same-json.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'
import { eventually, openNode, sandboxArgs, type TestNode } from './node.ts'
import { nameOf, putRuleSet } from './policed.ts'

let cluster: TestCluster
let store: SqliteStore
let node: TestNode

const names = ['a', 'b', 'c'] as const
type Name = (typeof names)[number]
const uplink = { ifname: 'eth1', rate: 10_000_000 }

beforeEach(async () => {
  store = SqliteStore.open(':memory:')
  const begun = await openTestCluster({ store })
  await store.create({ kind: 'Node', metadata: { name: 'n1' }, spec: {} })
  await withNetwork(begun)
  const pods = await Promise.all(names.map((name) => makePod(begun, `a/${name}`, { node: 'n1', nics: [{ name: 'eth0' }] })))
  await begun.settle()
  await begun.close()
  cluster = await openTestCluster({ store, idle: true })
  node = await openNode({ store, name: 'n1', address: '192.0.2.1', uplink })
  for (const pod of pods) await node.cni('ADD', { containerID: pod.metadata.name, args: sandboxArgs(pod) })
})
afterEach(async () => {
  await node.close()
  await cluster.close()
  await store.close()
})

const portOf = async (name: Name): Promise<Resource<'Port'> | undefined> =>
  (await cluster.all('Port')).find(({ spec }) => spec.claim?.pod === name)

/** Each pod has a policy of its own, by the place of its name. */
async function ask(name: Name, min: number | undefined): Promise<void> {
  const nth = names.indexOf(name) + 1
  const traffic: PolicyTraffic = { dscp: 0, ...(min !== undefined && { minEgress: min * 1_000_000 }) }
  await putRuleSet(cluster, nth, { tier: 'unified', subjects: [nth], isolates: [], rules: [], traffic })
  const port = (await portOf(name))!
  const policy = { identity: nth, ruleSets: [nameOf(nth)] }
  await cluster.store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { policy: { policy } })
}

/** Megabits a second, as the Ports' statuses say. */
const booked = async (): Promise<Partial<Record<Name, number>>> =>
  Object.fromEntries(
    (await Promise.all(names.map(async (name) => [name, (await portOf(name))?.status?.node?.booked] as const))).flatMap(([name, bits]) =>
      bits === undefined ? [] : [[name, bits / 1_000_000]],
    ),
  )
const becomes = (what: Partial<Record<Name, number>>): Promise<void> =>
  eventually(async () => sameJson(await booked(), what), `${JSON.stringify(what)} are booked`)
/** And it stays so once the node has taken all that it was told. */
async function stays(what: Partial<Record<Name, number>>): Promise<void> {
  await node.agent.env.loop.applied(AbortSignal.timeout(30_000))
  assert.deepEqual(await booked(), what)
}
const isRefused = (name: Name, why: string): Promise<void> =>
  eventually(async () => (await refusal(name))?.endsWith(why) === true, `${name} is told: ${why}`)
const refusal = async (name: Name): Promise<string | undefined> => (await portOf(name))?.status?.node?.conditions?.[0]?.message

test('are booked until the uplink is full; who comes then is refused with the link and the figures, by the name of the policy', async () => {
  await ask('a', 6)
  await becomes({ a: 6 })
  await ask('b', 3)
  await becomes({ a: 6, b: 3 })
  await ask('c', 1)
  await isRefused(
    'c',
    'bandwidth: NetworkPolicy a/policy-3: /spec/bandwidth/min: 1 Mbit/s are not booked: of the 9.5 Mbit/s of eth1 on node n1 0.5 Mbit/s are left for it',
  )
  await stays({ a: 6, b: 3 })
})

test('that are raised where there is no room stay as they were; what is lowered, or asked for no more, is free for who waits', async () => {
  await ask('a', 4)
  await ask('b', 4)
  await becomes({ a: 4, b: 4 })
  await ask('a', 6)
  await isRefused('a', '5.5 Mbit/s are left for it; 4 Mbit/s stay booked')
  await stays({ a: 4, b: 4 })
  await ask('b', 2)
  await becomes({ a: 6, b: 2 })
  await eventually(async () => (await refusal('a')) === undefined, 'a is told of nothing any more')
  await ask('a', undefined)
  await becomes({ b: 2 })
})

test('are let go with the pod, and an agent that comes again takes nothing from who has it', async () => {
  await ask('a', 6)
  await becomes({ a: 6 })
  await ask('b', 6)
  await isRefused('b', '3.5 Mbit/s are left for it')
  await node.restart()
  await isRefused('b', '3.5 Mbit/s are left for it')
  await stays({ a: 6 })
  assert.deepEqual(
    [...node.memory.things].filter(([key]) => key.startsWith('booked/')).map(([, text]) => text),
    ['6000000'],
  )
  await node.cni('DEL', { containerID: 'a' })
  await eventually(async () => (await booked()).b === 6, 'b has booked what a had')
})

test('are booked nowhere where nobody says how much the uplink carries, and that is told', async () => {
  await node.close()
  node = await openNode({ store, name: 'n1', address: '192.0.2.1', uplink: { why: 'nobody says how much interface eth1 carries' } })
  await ask('a', 1)
  await node.cni('ADD', { containerID: 'a', args: sandboxArgs((await cluster.get('Pod', 'a/a'))!) })
  await isRefused('a', 'nothing is booked on node n1: nobody says how much interface eth1 carries')
  await stays({})
})
