// Which Port answers a pod's Nic on its node, whoever else says that he has it; and what a pod is told whose Port nobody binds.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { onPortChange } from '../../agent/ports/ports.ts'
import { refOf, type Resource, type SpecOf } from '../../core/kinds/index.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { eventually, openTestClusterWithNode, openNode, type TestNode } from './node.ts'

let cluster: TestCluster
let node: TestNode
beforeEach(async () => void ({ cluster, node } = await openTestClusterWithNode()))
afterEach(async () => {
  await node.close()
  await cluster.close()
})

const wiredPorts = (): string[] => [...node.links.there.values()].map(({ port: { of } }) => `${of.namespace}/${of.name}`)
const claimFor = (pod: Resource<'Pod'>, nic: string): NonNullable<SpecOf<'Port'>['claim']> => ({
  pod: pod.metadata.name,
  nic,
  owner: `Pod/${pod.metadata.name}`,
  podUID: pod.metadata.uid,
  until: '2100-01-01T00:00:00Z',
})

/** A pod whose node is known only after strangers have made their Ports. */
async function placedLate(before: (pod: Resource<'Pod'>) => Promise<unknown>): Promise<Resource<'Pod'>> {
  await withNetwork(cluster)
  const pod = await makePod(cluster, 'a/web')
  await before(pod)
  await cluster.settle()
  const made = (await cluster.get('Pod', 'a/web'))!
  const placed = await cluster.store.update({ ...made, spec: { ...made.spec, nodeName: 'n1' } })
  await cluster.settle()
  return placed
}

test("a Port that a stranger has made in his own namespace with a pod's UID is not wired into its sandbox", async () => {
  await cluster.make('Vpc', 'b/red', { vni: 6000 })
  await cluster.make('Subnet', 'b/two', { vpc: 'red', ipv4: { cidr: '10.6.0.0/24' } })
  const pod = await placedLate((victim) =>
    cluster.make('Port', 'b/forged', { subnet: 'two', node: 'n1', podUID: victim.metadata.uid, claim: claimFor(victim, 'net1') }),
  )
  assert.equal((await cluster.get('Port', 'b/forged'))?.status?.phase, 'ready')
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  assert.equal(wiredPorts().length, 1)
  assert.match(wiredPorts()[0]!, /^a\/web-net1-/)
})

test('a NIC that names a Port has it, and no other of the same name for a NIC', async () => {
  await withNetwork(cluster)
  await cluster.make('Port', 'a/mine', { subnet: 'one', portID: 'front' })
  await cluster.settle()
  const pod = await makePod(cluster, 'a/web', { node: 'n1', nics: [{ name: 'net1', portID: 'front' }] })
  await cluster.settle()
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  assert.deepEqual(wiredPorts(), ['a/mine'])
})

test('while workers are away a pod waits, is told whose turn it is, and the agent binds nothing', async () => {
  const store = SqliteStore.open(':memory:')
  const alone = await openTestCluster({ store })
  await withNetwork(alone)
  const pod = await makePod(alone, 'a/web')
  await alone.settle()
  const [made] = await alone.all('Port')
  await alone.close()
  const placed = await store.update({
    ...(await store.get({ kind: 'Pod', namespace: 'a', name: 'web' }))!,
    spec: { ...pod.spec, nodeName: 'n9' },
  })
  const here = await openNode({ store, name: 'n9', address: '192.0.2.9', config: { cniBudgetMs: 1_500 } })
  try {
    const { code, said } = await here.cni('ADD', { pod: placed })
    assert.notEqual(code, 0)
    assert.match(said.msg ?? '', new RegExp(`Port ${made!.metadata.name} is not bound to this node yet, which workers do`))
    assert.equal((await store.get({ kind: 'Port', namespace: 'a', name: made!.metadata.name }))?.spec.node, undefined)
    const back = await openTestCluster({ store })
    assert.equal((await here.cni('ADD', { pod: placed })).code, 0)
    await back.close()
  } finally {
    await here.close()
    await store.close()
  }
})

test('a Port that an agent hears of only after it has begun is told of as wired, as its ledger has it', async () => {
  await withNetwork(cluster)
  const pod = await makePod(cluster, 'a/web', { node: 'n1' })
  await cluster.settle()
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  const isWired = async (): Promise<boolean> => (await cluster.all('Port')).every(({ status }) => status?.node?.wired === true)
  await eventually(isWired, 'it is told of')
  // As if the agent before it had been killed before it told.
  const { metadata, ...port } = (await cluster.all('Port'))[0]!
  await cluster.store.patchStatus({ ref: refOf({ ...port, metadata }), uid: metadata.uid }, { node: { node: {} } })
  const { env } = node.agent
  await eventually(() => [...env.ports.values()].every(({ status }) => status?.node?.wired !== true), 'nothing is told of it')
  env.reported.clear()
  onPortChange({ key: `a/${metadata.name}`, before: undefined, after: env.ports.get(`a/${metadata.name}`)! }, env)
  await eventually(isWired, 'it is told of again')
})
