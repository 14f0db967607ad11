import { test } from 'node:test'
import assert from 'node:assert/strict'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { lockedAddresses, makePod, withNetwork } from './network.ts'
import { openHouse } from './house.ts'

const usable = Array.from({ length: 253 }, (_, i) => `10.0.0.${i + 2}`).sort()

test('two workers racing on a /24 hand out exactly its usable addresses, each once', async () => {
  const store = SqliteStore.open(':memory:')
  const [one, two] = [await openHouse({ store, seed: 1 }), await openHouse({ store, seed: 2 })]
  await withNetwork(one)
  await Promise.all(Array.from({ length: 260 }, (_, i) => makePod(one, `a/p${i}`)))
  for (let round = 0; round < 6; round++) await Promise.all([one.turn(5_000), two.turn(5_000)])
  assert.deepEqual(await lockedAddresses(one), usable)
  const ports = await one.all('Port')
  const given = ports.flatMap((port) => port.status?.addresses ?? []).sort()
  assert.deepEqual(given, usable)
  assert.equal(ports.length, 260, 'one Port a pod, whichever worker was first')
  const full = ports.filter((port) => port.status?.phase !== 'ready')
  assert.deepEqual([...new Set(full.map((port) => port.status?.message))], ['Subnet one has no free IPv4 address'])
  await Promise.all([one.close(), two.close()])
  await store.close()
})

test('two workers serving the same Ports at once leave each with one address', async () => {
  const store = SqliteStore.open(':memory:')
  const [one, two] = [await openHouse({ store, seed: 3 }), await openHouse({ store, seed: 4 })]
  await withNetwork(one, { ipv4: { cidr: '10.0.0.0/16' }, ipv6: { cidr: '2001:db8::/64' } })
  await Promise.all(Array.from({ length: 100 }, (_, i) => one.make('Port', `a/p${i}`, { subnet: 'one' })))
  for (let round = 0; round < 3; round++) await Promise.all([one.turn(5_000), two.turn(5_000)])
  const ports = await one.all('Port')
  assert.deepEqual([...new Set(ports.map((port) => `${port.status?.phase ?? ''} ${port.status?.addresses?.length ?? 0}`))], ['ready 2'])
  assert.deepEqual(await lockedAddresses(one), ports.flatMap((port) => port.status?.addresses ?? []).sort())
  await Promise.all([one.close(), two.close()])
  await store.close()
})
