import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Forbidden } from '../../core/errors.ts'
import { memory, memoryVpc } from '../../workers/drivers/vpc/memory.ts'
import { deletePod, makePod, toldOf, withNetwork } from './network.ts'
import { openHouse } from './house.ts'

test('a provider that is asked outside the store serves Ports in a pass of their own', async () => {
  const world = memoryVpc()
  const house = await openHouse({ registry: { builtin: () => memory(world) } })
  await withNetwork(house)
  await makePod(house, 'a/web', { nics: [{ name: 'net1' }, { name: 'net2' }] })
  await house.turn(10)
  const ports = await house.all('Port')
  assert.deepEqual(ports.map((port) => [port.status?.phase, port.status?.providerID]), ports.map((port) => ['ready', `memory-${port.metadata.uid}`]))
  assert.deepEqual((await toldOf(house, 'a/web')).nics.map((nic) => nic.phase), ['ready', 'ready'])
  assert.deepEqual([...world.ports.values()].map((port) => port.addresses).sort(), ports.map((port) => port.status?.addresses).sort())
  await deletePod(house, 'a/web')
  await house.settle()
  assert.deepEqual([world.ports.size, world.taken.size, await house.all('Port')], [0, 0, []])
  await house.close()
})

test('a provider that does not answer at first is asked again', async () => {
  const world = memoryVpc()
  let refusals = 3
  const down = { ...world, way: () => (refusals-- > 0 ? Promise.reject(new Error('connection refused')) : Promise.resolve()) }
  const house = await openHouse({ registry: { builtin: () => memory(down) } })
  await withNetwork(house)
  await house.make('Port', 'a/p', { subnet: 'one' })
  for (let tries = 0; tries < 5; tries++) await house.turn(2_000)
  assert.deepEqual([(await house.get('Port', 'a/p'))?.status?.phase, world.ports.size], ['ready', 1])
  await house.close()
})

test('what the store will not take is told to whom it is about', async () => {
  const house = await openHouse()
  await withNetwork(house)
  const { commit } = house.store
  house.store.commit = (writes) => (writes.some((write) => write.do === 'create' && write.draft.kind === 'IPLock') ? Promise.reject(new Forbidden({})) : commit.call(house.store, writes))
  await makePod(house, 'a/web')
  await house.make('Port', 'a/mine', { subnet: 'one' })
  await house.settle()
  const port = await house.get('Port', 'a/mine')
  assert.deepEqual([port?.status?.phase, port?.status?.message, await house.all('IPLock')], ['error', 'this token may not do that', []])
  assert.deepEqual([(await toldOf(house, 'a/web')).phase, (await toldOf(house, 'a/web')).reason], ['error', 'Refused'])
  house.store.commit = commit
  await house.turn(61_000)
  assert.equal((await toldOf(house, 'a/web')).phase, 'ready', 'and once it does, all is well')
  await house.close()
})
