// Service chains on a node: a Port that is to go by one is closed until the chain has it, and one that is a function has the chain.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { memory } from '../../agent/dataplanes/memory.ts'
import type { PolicyChains } from '../../core/kinds/policy/chain.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { SqliteStore } from '../../platform/store/sqlite.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { eventually, openNode, type TestNode } from './node.ts'
import { storeAway } from './store-away.ts'
import { dropRuleSet, judge, nameOf, onlyPort, openPoliced, putRuleSet } from './policed.ts'

let cluster: TestCluster
let node: TestNode
let pod: Resource<'Pod'>
let store: SqliteStore
let port: Resource<'Port'>
beforeEach(async () => {
  ;({ cluster, pod, store } = await openPoliced())
  node = await openNode({ store, name: 'n1', address: '192.0.2.1', plane: (things) => memory(things) })
  port = await onlyPort(cluster)
})
afterEach(async () => {
  await node.close()
  await cluster.close()
  await store.close()
})

const chains = (of: { readonly end?: boolean; readonly instance?: boolean }): PolicyChains => {
  const [port_, { mac = '', addresses = [] }] = [port.metadata.uid, port.status!]
  const it = { mac, addresses: [...addresses] }
  const instances = of.instance === true ? [{ port: port_, ...it }] : []
  return {
    ends: of.end === true ? [it] : [],
    chains: [{ index: 0, name: 'c', direction: 'egress', functions: [{ name: 'f', onFailure: 'drop', instances }] }],
  }
}
const policyThere = (): string | undefined => [...node.memory.things].find(([key]) => key.startsWith('policy/'))?.[1]
const rulesThere = (): readonly string[] => [...node.memory.things.keys()].filter((key) => key.startsWith('rules/'))
const becomes = (policy: string | undefined, ...numbers: readonly number[]): Promise<void> =>
  eventually(
    () => policyThere() === policy && String(rulesThere()) === String(numbers.map((number) => `rules/${nameOf(number)}`)),
    `${policy ?? 'nothing'} is there, with ${numbers.join(', ')}`,
  )

const says = (round: string | undefined): Promise<void> =>
  eventually(async () => (await onlyPort(cluster)).status?.node?.chain === round, `the node says ${round}`)

test('a Port is closed until the chain of its policy has its addresses, unless the policy is only tried out', async () => {
  await judge(cluster, 7, 1)
  await putRuleSet(cluster, 1, { chains: chains({}) })
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  await becomes('7 closed', 1)
  await putRuleSet(cluster, 1, { chains: chains({ end: true }) })
  await becomes(`7 by ${nameOf(1)}`, 1)
  await putRuleSet(cluster, 1, { chains: chains({}) })
  await becomes('7 closed', 1)
  await putRuleSet(cluster, 1, { chains: chains({}), audit: true })
  await becomes(`7 by ${nameOf(1)}`, 1)
})

test('the rules by whose chain a Port carries a function out are there as long as it does, though they do not judge it', async () => {
  await putRuleSet(cluster, 1, { chains: chains({}) })
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  await becomes(undefined)
  await putRuleSet(cluster, 1, { chains: chains({ instance: true }) })
  await becomes(undefined, 1)
  await putRuleSet(cluster, 1, { chains: chains({}) })
  await becomes(undefined)
  await putRuleSet(cluster, 1, { chains: chains({ instance: true }) })
  await becomes(undefined, 1)
  await dropRuleSet(cluster, 1)
  await becomes(undefined)
  await putRuleSet(cluster, 2, { chains: chains({ instance: true }) })
  await becomes(undefined, 2)
  await says(`${nameOf(2)}/0`)
  assert.equal((await node.cni('DEL', { pod })).code, 0)
  await becomes(undefined)
})

test('a node says at a Port which round of its chains it has in place: the newest that the Port carries a function out in', async () => {
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  const [without, within] = [chains({}), chains({ instance: true })]
  await putRuleSet(cluster, 1, { chains: { ...within, round: 7 } })
  await says(`${nameOf(1)}/7`)
  const next = { round: 8, is: 'next' as const, until: '2030-01-01T00:00:00Z' }
  await putRuleSet(cluster, 1, { chains: { ...within, round: 7, beside: [{ ...next, chains: without.chains }] } })
  await putRuleSet(cluster, 1, { chains: { ...without, round: 7, beside: [{ ...next, round: 9, chains: within.chains }] } })
  await says(`${nameOf(1)}/9`)
  await putRuleSet(cluster, 1, { chains: { ...without, round: 9 } })
  await says(undefined)
})

test('an agent that starts anew has that chain from the first moment on, and lets go of it if it has gone meanwhile', async (t) => {
  await putRuleSet(cluster, 1, { chains: chains({ instance: true }) })
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  await becomes(undefined, 1)
  const back = storeAway(t, store)
  await node.kill()
  node.memory.things.clear()
  await node.restart(false)
  await becomes(undefined, 1)
  back()
  await node.agent.ready
  await becomes(undefined, 1)
  await node.kill()
  await dropRuleSet(cluster, 1)
  await node.restart()
  await becomes(undefined)
})
