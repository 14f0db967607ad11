// Stores that give out no identities, as a cluster's: a Port is made, served, and bound to its node, in writes of their own.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { StoreUnavailable } from '../../core/errors.ts'
import type { Write } from '../../core/contracts/store.ts'
import { wiredFinalizer } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { portNameOf } from '../../core/net/names.ts'
import type { SqliteStore } from '../../platform/store/sqlite.ts'
import type { TestCluster } from './test-cluster.ts'
import { lockedAddresses, makePod, openClusterLike, toldOf } from './network.ts'

let store: SqliteStore
let cluster: TestCluster
beforeEach(async () => {
  ;({ store, cluster } = await openClusterLike())
})
afterEach(async () => {
  await cluster.close()
  await store.close()
})

async function schedule(): Promise<void> {
  const pod = (await cluster.get('Pod', 'a/web')) as Resource<'Pod'>
  await store.update({ ...pod, spec: { ...pod.spec, nodeName: 'n1' } })
  await cluster.settle()
}

test('a Port is born on the node of its pod where the scheduler says which within two seconds', async () => {
  await makePod(cluster, 'a/web')
  await cluster.advance(1_900)
  assert.deepEqual(await cluster.all('Port'), [])
  await schedule()
  const [port] = await cluster.all('Port')
  assert.equal(port?.status?.phase, 'ready')
  assert.equal(port?.spec.node, 'n1')
  // Its spec was written once, and its node was to be heard from the first.
  assert.equal(port?.metadata.generation, 1)
  assert.ok(port?.metadata.finalizers?.includes(wiredFinalizer))
})

test('a pod that no scheduler takes has its Port all the same, and it is bound when one does', async () => {
  await makePod(cluster, 'a/web')
  await cluster.advance(2_000)
  const [port] = await cluster.all('Port')
  assert.deepEqual([port?.status?.phase, port?.spec.node], ['ready', undefined])
  await schedule()
  assert.deepEqual(
    (await cluster.all('Port')).map(({ spec }) => spec.node),
    ['n1'],
  )
})

test('a pod that a gate keeps from the scheduler does not wait for it', async () => {
  const pod = await makePod(cluster, 'a/first', { node: 'n1' })
  await cluster.make(
    'Pod',
    'a/gated',
    { containers: [{ name: 'main' }], schedulingGates: [{ name: 'example.org/gate' }] },
    { annotations: pod.metadata.annotations ?? {} },
  )
  await cluster.settle()
  assert.equal((await cluster.all('Port')).length, 2)
})

/** All that workers commit from now on. */
function commits(before: (writes: readonly Write[]) => void = () => undefined): Write[] {
  const seen: Write[] = []
  const { commit } = store
  Object.defineProperty(store, 'commit', {
    value: async (writes: readonly Write[]) => {
      seen.push(...writes)
      before(writes)
      return commit.call(store, writes)
    },
  })
  return seen
}

const isLock = (write: Write): boolean => write.do === 'create' && write.draft.kind === 'IPLock'

test('the pass that makes a Port serves it, and no other does', async () => {
  const writes = commits()
  await makePod(cluster, 'a/web', { node: 'n1' })
  await cluster.advance(5_000)
  assert.deepEqual(
    (await cluster.all('Port')).map(({ status }) => status?.phase),
    ['ready'],
  )
  assert.equal(writes.filter(isLock).length, 1)
  assert.equal(writes.filter((write) => write.do === 'patchStatus' && write.ref.kind === 'Port').length, 1)
  assert.equal((await toldOf(cluster, 'a/web')).phase, 'ready')
})

test('a Port that cannot be served when it is made is served all the same', async () => {
  let left = 1
  commits((writes) => {
    if (writes.some(isLock) && left-- > 0) throw new StoreUnavailable({ reason: 'for this test' })
  })
  await makePod(cluster, 'a/web', { node: 'n1' })
  await cluster.advance(5_000)
  assert.deepEqual(
    (await cluster.all('Port')).map(({ status }) => status?.phase),
    ['ready'],
  )
  assert.equal((await lockedAddresses(cluster)).length, 1)
  assert.equal((await toldOf(cluster, 'a/web')).phase, 'ready')
})

test('a Port that another worker makes is left to him for a second, and is served where he has ended', async () => {
  const pod = await makePod(cluster, 'a/web')
  const { uid } = pod.metadata
  await store.create({
    kind: 'Port',
    metadata: { namespace: 'a', name: portNameOf({ name: 'web', uid }, 'net1') },
    spec: { subnet: 'one', podUID: uid, claim: { pod: 'web', nic: 'net1', owner: 'Pod/web', podUID: uid } },
  })
  await cluster.advance(900)
  assert.deepEqual(
    (await cluster.all('Port')).map(({ status }) => status),
    [undefined],
  )
  await cluster.advance(200)
  assert.deepEqual(
    (await cluster.all('Port')).map(({ status }) => status?.phase),
    ['ready'],
  )
})
