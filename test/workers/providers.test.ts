import { test } from 'node:test'
import assert from 'node:assert/strict'
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
