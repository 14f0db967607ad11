import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Forbidden } from '../../core/errors.ts'
import { memory, memoryVpc } from '../../workers/drivers/holder/memory.ts'
import { deletePod, makePod, toldOf, withNetwork } from './network.ts'
import { openTestCluster } from './test-cluster.ts'

test('a provider that is asked outside the store serves Ports in a pass of their own', async () => {
  const world = memoryVpc()
  const cluster = await openTestCluster({ openHolder: () => memory(world) })
  await withNetwork(cluster)
  await makePod(cluster, 'a/web', { nics: [{ name: 'net1' }, { name: 'net2' }] })
  await cluster.advance(10)
  const ports = await cluster.all('Port')
  assert.deepEqual(
    ports.map((port) => [port.status?.phase, port.status?.providerID]),
    ports.map((port) => ['ready', `memory-${port.metadata.uid}`]),
  )
  assert.deepEqual(
    (await toldOf(cluster, 'a/web')).nics.map((nic) => nic.phase),
    ['ready', 'ready'],
  )
  assert.deepEqual([...world.ports.values()].map((port) => port.addresses).sort(), ports.map((port) => port.status?.addresses).sort())
  await deletePod(cluster, 'a/web')
  await cluster.settle()
  assert.deepEqual([world.ports.size, world.taken.size, await cluster.all('Port')], [0, 0, []])
  await cluster.close()
})

test('a provider that does not answer at first is asked again', async () => {
  const world = memoryVpc()
  let refusals = 3
  const down = { ...world, way: () => (refusals-- > 0 ? Promise.reject(new Error('connection refused')) : Promise.resolve()) }
  const cluster = await openTestCluster({ openHolder: () => memory(down) })
  await withNetwork(cluster)
  await cluster.make('Port', 'a/p', { subnet: 'one' })
  for (let tries = 0; tries < 5; tries++) await cluster.advance(2_000)
  assert.deepEqual([(await cluster.get('Port', 'a/p'))?.status?.phase, world.ports.size], ['ready', 1])
  await cluster.close()
})

test('what the store will not take is told to whom it is about', async () => {
  const cluster = await openTestCluster()
  await withNetwork(cluster)
  const { commit } = cluster.store
  cluster.store.commit = (writes) =>
    writes.some((write) => write.do === 'create' && write.draft.kind === 'IPLock')
      ? Promise.reject(new Forbidden({}))
      : commit.call(cluster.store, writes)
  await makePod(cluster, 'a/web')
  await cluster.make('Port', 'a/mine', { subnet: 'one' })
  await cluster.settle()
  const port = await cluster.get('Port', 'a/mine')
  assert.deepEqual([port?.status?.phase, port?.status?.message, await cluster.all('IPLock')], ['error', 'this token may not do that', []])
  assert.deepEqual([(await toldOf(cluster, 'a/web')).phase, (await toldOf(cluster, 'a/web')).reason], ['error', 'Refused'])
  cluster.store.commit = commit
  await cluster.advance(61_000)
  assert.equal((await toldOf(cluster, 'a/web')).phase, 'ready', 'and once it does, all is well')
  await cluster.close()
})
