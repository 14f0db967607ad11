// Cluster-wide policies of one priority: their rule sets follow each other's, and both are told.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SpecOf } from '../../core/kinds/index.ts'
import { makePod, withNetwork } from './network.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

let cluster: TestCluster
before(async () => {
  cluster = await openTestCluster()
  await withNetwork(cluster)
  await makePod(cluster, 'a/web', { node: 'n1' })
})
after(() => cluster.close())

type Rule = NonNullable<SpecOf<'ClusterNetworkPolicy'>['ingress']>[number]
const deny: Rule = { action: 'Deny', from: [{ namespaces: {} }] }
const makePolicy = (name: string, priority: number): Promise<unknown> =>
  cluster.make('ClusterNetworkPolicy', name, {
    tier: 'Admin',
    priority,
    subject: { namespaces: {} },
    ingress: [{ ...deny, action: 'Accept' }, deny],
  })

async function levels(): Promise<Readonly<Record<string, readonly number[]>>> {
  await cluster.advance(10_000)
  const sets = (await cluster.all('PolicyRuleSet')).map(({ spec }) => [spec.policy.name, spec.rules.map(({ level }) => level)] as const)
  return Object.fromEntries(sets)
}
async function notesOn(name: string): Promise<readonly string[]> {
  const events = (await cluster.all('Event')).filter(({ spec }) => spec.regarding.name === name)
  return events.map(({ spec }) => `${spec.type} ${spec.reason}: ${spec.note}`)
}

test('the one that is behind another by name is asked after it, and goes first again once that has another priority or is gone', async () => {
  await makePolicy('second', 5)
  assert.deepEqual(await levels(), { second: [0, 1] })
  assert.deepEqual(await notesOn('second'), [])
  await makePolicy('first', 5)
  assert.deepEqual(await levels(), { first: [0, 1], second: [2, 3] })
  const about = 'Warning PriorityShared: of the same priority, and about pods that it may be about'
  assert.deepEqual(await notesOn('second'), [`${about}: ClusterNetworkPolicy first is asked before it, by name`])
  assert.deepEqual(await notesOn('first'), [`${about}: ClusterNetworkPolicy second is asked after it, by name`])

  const first = (await cluster.get('ClusterNetworkPolicy', 'first'))!
  await cluster.store.update({ ...first, spec: { ...first.spec, priority: 6 } })
  assert.deepEqual(await levels(), { first: [0, 1], second: [0, 1] })
  await makePolicy('another', 5)
  assert.deepEqual(await levels(), { another: [0, 1], first: [0, 1], second: [2, 3] })
  await cluster.store.delete({ kind: 'ClusterNetworkPolicy', name: 'another' })
  assert.deepEqual(await levels(), { first: [0, 1], second: [0, 1] })
})
