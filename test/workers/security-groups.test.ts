// A SecurityGroup that is named stays until nobody names it any more, says who does, and goes by itself.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openTestCluster, type TestCluster } from './test-cluster.ts'
import { withHeldWatch } from './late-watch.ts'
import { withNetwork } from './network.ts'

let cluster: TestCluster
beforeEach(async () => {
  cluster = await openTestCluster()
  await withNetwork(cluster)
  await cluster.make('SecurityGroup', 'a/web', { rules: [] })
  await cluster.settle()
})
afterEach(() => cluster.close())

const remove = async (kind: 'SecurityGroup' | 'Port', name: string): Promise<void> => {
  await cluster.store.delete({ kind, namespace: 'a', name })
  await cluster.settle()
}
const messageOf = async (name = 'web'): Promise<string | undefined> => {
  const { status } = (await cluster.get('SecurityGroup', `a/${name}`)) ?? {}
  return status && `${status.phase} ${status.message}`
}

test('by a Port: until that is gone', async () => {
  await cluster.make('Port', 'a/p', { subnet: 'one', securityGroups: ['web'] })
  await cluster.make('Port', 'a/q', { subnet: 'one', securityGroups: ['web'] })
  await cluster.settle()
  await remove('SecurityGroup', 'web')
  assert.equal(await messageOf(), 'terminating Port a/p and 1 more still names it')
  await remove('Port', 'p')
  assert.equal(await messageOf(), 'terminating Port a/q still names it')
  await remove('Port', 'q')
  assert.equal(await messageOf(), undefined)
})

test('by a Port: until that names another', async () => {
  const { metadata } = await cluster.make('Port', 'a/p', { subnet: 'one', securityGroups: ['web'] })
  await cluster.settle()
  await remove('SecurityGroup', 'web')
  const port = (await cluster.get('Port', 'a/p'))!
  assert.equal(port.metadata.uid, metadata.uid)
  await cluster.store.update({ ...port, spec: { ...port.spec, securityGroups: [] } })
  await cluster.settle()
  assert.equal(await messageOf(), undefined)
})

test('by a rule of another; by its own, and by one that goes with it, it is not kept', async () => {
  const naming = (remoteGroup: string): object => ({ rules: [{ direction: 'ingress', remoteGroup }] })
  await cluster.make('SecurityGroup', 'a/db', naming('web'))
  await cluster.make('SecurityGroup', 'a/self', naming('self'))
  await cluster.settle()
  await remove('SecurityGroup', 'web')
  assert.equal(await messageOf(), 'terminating SecurityGroup a/db still names it')
  await remove('SecurityGroup', 'db')
  await remove('SecurityGroup', 'self')
  assert.deepEqual([await messageOf(), await messageOf('db'), await messageOf('self')], [undefined, undefined, undefined])
})

test('nobody names it: it goes at once', async () => {
  await remove('SecurityGroup', 'web')
  assert.equal(await messageOf(), undefined)
})

test('a Port that no watch has told of yet keeps it too', async () => {
  const { store, letGo } = withHeldWatch('Port')
  const late = await openTestCluster({ store })
  try {
    await withNetwork(late)
    await late.make('SecurityGroup', 'a/web', { rules: [] })
    await late.settle()
    await late.make('Port', 'a/p', { subnet: 'one', securityGroups: ['web'] })
    await store.delete({ kind: 'SecurityGroup', namespace: 'a', name: 'web' })
    await late.settle()
    assert.equal((await late.get('SecurityGroup', 'a/web'))?.status?.message, 'Port a/p still names it')
    letGo()
  } finally {
    await late.close()
    await store.close()
  }
})
