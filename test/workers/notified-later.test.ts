// When a pod is told of its NICs in a cluster whose nodes have agents.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { callbackAnnotation } from '../../core/kinds/annotations.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import type { SqliteStore } from '../../platform/store/sqlite.ts'
import type { TestCluster } from './test-cluster.ts'
import { deletePod, makePod, openClusterLike, toldOf } from './network.ts'

let store: SqliteStore
let cluster: TestCluster
beforeEach(async () => {
  ;({ store, cluster } = await openClusterLike())
})
afterEach(async () => {
  await cluster.close()
  await store.close()
})

const phaseTold = async (key: string): Promise<string | undefined> => (await toldOf(cluster, key)).phase
const servedPort = async (): Promise<Resource<'Port'>> => {
  const [port] = await cluster.all('Port')
  assert.equal(port?.status?.phase, 'ready')
  return port
}
/** As its agent does. */
async function wire(port: Resource<'Port'>): Promise<void> {
  await store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { node: { node: { wired: true, dataplane: 'memory' } } })
  await cluster.settle()
}

test('a pod is told of its NICs when its node has wired them', async () => {
  await makePod(cluster, 'a/web', { node: 'n1' })
  await cluster.advance(1_000)
  const port = await servedPort()
  assert.equal(await phaseTold('a/web'), undefined)
  await wire(port)
  assert.equal(await phaseTold('a/web'), 'ready')
})

test('a pod whose node says nothing is told after four seconds', async () => {
  await makePod(cluster, 'a/web', { node: 'n1' })
  await cluster.advance(3_900)
  await servedPort()
  assert.equal(await phaseTold('a/web'), undefined)
  await cluster.advance(100)
  assert.equal(await phaseTold('a/web'), 'ready')
})

test('a pod whose changes somebody is told of is told at once, and so is one that is on no node', async () => {
  await makePod(cluster, 'a/heard', { node: 'n1', metadata: { annotations: { [callbackAnnotation]: 'https://example.org/told' } } })
  await cluster.settle()
  assert.equal(await phaseTold('a/heard'), 'ready')
  await makePod(cluster, 'a/waiting')
  await cluster.advance(2_000)
  assert.equal(await phaseTold('a/waiting'), 'ready')
})

test('a pod whose second NIC cannot be served is told at once what it lacks', async () => {
  await makePod(cluster, 'a/web', { node: 'n1', nics: [{ name: 'net1' }, { name: 'net2', portID: 'not-there' }] })
  await cluster.settle()
  assert.equal(await phaseTold('a/web'), 'pending')
})

test('a pod that ends before it is told leaves nothing behind', async () => {
  await makePod(cluster, 'a/web', { node: 'n1' })
  await cluster.advance(1_000)
  const port = await servedPort()
  await deletePod(cluster, 'a/web')
  await cluster.settle()
  await store.commit([{ do: 'removeFinalizer', ref: refOf(port), uid: port.metadata.uid, finalizer: 'megrez.io/wired' }])
  await cluster.advance(4_000)
  assert.deepEqual([await cluster.all('Port'), await cluster.all('IPLock')], [[], []])
})
