import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import assert from 'node:assert/strict'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { nicsAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import { finalizersFor } from '../../core/admit/finalizers.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { portNameOf } from '../../core/net/names.ts'
import { openHouse } from './house.ts'
import { withLateWatch } from './late-watch.ts'
import { deletePod, lockedAddresses, makePod, withNetwork } from './network.ts'

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

test('a Port that another worker has made for a pod of a name that was there before is kept, though the watch of pods is late', async () => {
  let late = false
  const store = withLateWatch(({ kind }) => late && kind === 'Pod', 200)
  const house = await openHouse({ store })
  await withNetwork(house)
  const before = await makePod(house, 'a/web-0')
  await house.settle()
  late = true
  await deletePod(house, 'a/web-0')
  const metadata = { namespace: 'a', name: 'web-0', annotations: { [vpcAnnotation]: 'blue', [nicsAnnotation]: '[{"name":"net1"}]' } }
  const { metadata: { uid } } = await store.create({ kind: 'Pod', metadata, spec: { containers: [{ name: 'main' }] } })
  const claim = { pod: 'web-0', nic: 'net1', owner: 'Pod/web-0', podUID: uid }
  const spec = { subnet: 'one', claim, podUID: uid }
  const port = await store.create({ kind: 'Port', metadata: { namespace: 'a', name: portNameOf({ name: 'web-0', uid }, 'net1'), finalizers: finalizersFor('Port', { metadata: {}, spec }) }, spec })
  assert.equal(house.caches.Pod.get('a/web-0')?.metadata.uid, before.metadata.uid, 'the watch has not told of the new one yet')
  await house.settle()
  const kept = await store.get({ kind: 'Port', namespace: 'a', name: port.metadata.name })
  assert.deepEqual([kept?.metadata.uid, kept?.metadata.deletionTimestamp, kept?.status?.phase], [port.metadata.uid, undefined, 'ready'])
  await house.close()
  await store.close()
})

test('an address that a Port was served twice with is given back, though its report is heard of after both locks', async () => {
  const store = withLateWatch((item) => item.kind === 'Port' && (item as Resource<'Port'>).status?.addresses !== undefined, 200)
  const house = await openHouse({ store })
  await withNetwork(house)
  const { metadata: { uid } } = await house.make('Port', 'a/p', { subnet: 'one' })
  const given = async () => (await house.get('Port', 'a/p'))?.status
  const heard = () => house.caches.Port.get('a/p')?.status?.addresses
  while ((await given())?.addresses === undefined) await house.settle()
  assert.equal(heard(), undefined, 'the watch has not told of its report yet')
  const { vni = 0, addresses } = (await given())!
  await house.make('IPLock', `a/blue-${vni}-10-0-0-9`, { vni, subnet: 'one', address: '10.0.0.9', holder: { kind: 'Port', namespace: 'a', name: 'p', uid } })
  while (heard() === undefined) await pause(10)
  await house.settle()
  assert.deepEqual(await lockedAddresses(house), addresses)
  await house.close()
  await store.close()
})

test('a lock that another worker has taken from its node, by a past of its Port, is given back', async () => {
  const house = await openHouse()
  try {
    await withNetwork(house)
    const node = await house.make('Node', 'n1', {})
    await house.store.replaceForeignStatus(refOf(node), node.metadata.uid, { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] })
    await makePod(house, 'a/web', { node: 'n1' })
    await house.settle()
    const [lock] = await house.all('IPLock')
    assert.equal(lock?.spec.hostIP, '192.0.2.1')
    const { hostIP: _, ...taken } = lock.spec
    await house.store.update({ ...lock, spec: taken })
    await house.settle()
    assert.equal((await house.all('IPLock'))[0]?.spec.hostIP, '192.0.2.1')
  } finally {
    await house.close()
  }
})
