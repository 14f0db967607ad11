import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import assert from 'node:assert/strict'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { nicsAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import { finalizersFor } from '../../core/admit/object/finalizers.ts'
import { keyOfItem, refOf, type Resource } from '../../core/kinds/index.ts'
import { portNameOf } from '../../core/net/names.ts'
import { openTestCluster } from './test-cluster.ts'
import { withLateWatch } from './late-watch.ts'
import { deletePod, lockedAddresses, makePod, withNetwork } from './network.ts'

const usable = Array.from({ length: 253 }, (_, i) => `10.0.0.${i + 2}`).sort()

test('two workers racing on a /24 hand out exactly its usable addresses, each once', async () => {
  const store = SqliteStore.open(':memory:')
  const [one, two] = [await openTestCluster({ store, seed: 1 }), await openTestCluster({ store, seed: 2 })]
  await withNetwork(one)
  await Promise.all(Array.from({ length: 260 }, (_, i) => makePod(one, `a/p${i}`)))
  for (let round = 0; round < 6; round++) await Promise.all([one.advance(5_000), two.advance(5_000)])
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
  const [one, two] = [await openTestCluster({ store, seed: 3 }), await openTestCluster({ store, seed: 4 })]
  await withNetwork(one, { ipv4: { cidr: '10.0.0.0/16' }, ipv6: { cidr: '2001:db8::/64' } })
  await Promise.all(Array.from({ length: 100 }, (_, i) => one.make('Port', `a/p${i}`, { subnet: 'one' })))
  for (let round = 0; round < 3; round++) await Promise.all([one.advance(5_000), two.advance(5_000)])
  const ports = await one.all('Port')
  assert.deepEqual([...new Set(ports.map((port) => `${port.status?.phase ?? ''} ${port.status?.addresses?.length ?? 0}`))], ['ready 2'])
  assert.deepEqual(await lockedAddresses(one), ports.flatMap((port) => port.status?.addresses ?? []).sort())
  await Promise.all([one.close(), two.close()])
  await store.close()
})

test('a Port that another worker has made for a pod of a name that was there before is kept, though the watch of pods is late', async () => {
  let late = false
  const store = withLateWatch(({ kind }) => late && kind === 'Pod', 200)
  const cluster = await openTestCluster({ store })
  await withNetwork(cluster)
  const before = await makePod(cluster, 'a/web-0')
  await cluster.settle()
  late = true
  await deletePod(cluster, 'a/web-0')
  const metadata = { namespace: 'a', name: 'web-0', annotations: { [vpcAnnotation]: 'blue', [nicsAnnotation]: '[{"name":"net1"}]' } }
  const {
    metadata: { uid },
  } = await store.create({ kind: 'Pod', metadata, spec: { containers: [{ name: 'main' }] } })
  const claim = { pod: 'web-0', nic: 'net1', owner: 'Pod/web-0', podUID: uid }
  const spec = { subnet: 'one', claim, podUID: uid }
  const port = await store.create({
    kind: 'Port',
    metadata: {
      namespace: 'a',
      name: portNameOf({ name: 'web-0', uid }, 'net1'),
      finalizers: finalizersFor('Port', { metadata: {}, spec }),
    },
    spec,
  })
  assert.equal(cluster.caches.Pod.get('a/web-0')?.metadata.uid, before.metadata.uid, 'the watch has not told of the new one yet')
  await cluster.settle()
  const kept = await store.get({ kind: 'Port', namespace: 'a', name: port.metadata.name })
  assert.deepEqual([kept?.metadata.uid, kept?.metadata.deletionTimestamp, kept?.status?.phase], [port.metadata.uid, undefined, 'ready'])
  await cluster.close()
  await store.close()
})

test('an address that a Port was served twice with is given back, though its report is heard of after both locks', async () => {
  const store = withLateWatch((item) => item.kind === 'Port' && (item as Resource<'Port'>).status?.addresses !== undefined, 200)
  const cluster = await openTestCluster({ store })
  await withNetwork(cluster)
  const {
    metadata: { uid },
  } = await cluster.make('Port', 'a/p', { subnet: 'one' })
  const given = async () => (await cluster.get('Port', 'a/p'))?.status
  const heard = () => cluster.caches.Port.get('a/p')?.status?.addresses
  while ((await given())?.addresses === undefined) await cluster.settle()
  assert.equal(heard(), undefined, 'the watch has not told of its report yet')
  const { vni = 0, addresses } = (await given())!
  await cluster.make('IPLock', `a/blue-${vni}-10-0-0-9`, {
    vni,
    subnet: 'one',
    address: '10.0.0.9',
    holder: { kind: 'Port', namespace: 'a', name: 'p', uid },
  })
  while (heard() === undefined) await pause(10)
  await cluster.settle()
  assert.deepEqual(await lockedAddresses(cluster), addresses)
  await cluster.close()
  await store.close()
})

test('a lock that another worker has taken from its node, by a past of its Port, is given back', async () => {
  const cluster = await openTestCluster()
  try {
    await withNetwork(cluster)
    const node = await cluster.make('Node', 'n1', {})
    await cluster.store.replaceForeignStatus(refOf(node), node.metadata.uid, { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] })
    await makePod(cluster, 'a/web', { node: 'n1' })
    await cluster.settle()
    const [lock] = await cluster.all('IPLock')
    assert.equal(lock?.spec.hostIP, '192.0.2.1')
    const { hostIP: _, ...taken } = lock.spec
    await cluster.store.update({ ...lock, spec: taken })
    await cluster.settle()
    assert.equal((await cluster.all('IPLock'))[0]?.spec.hostIP, '192.0.2.1')
  } finally {
    await cluster.close()
  }
})

for (const hostIP of [undefined, '192.0.2.9'])
  test(`a lock that another worker has bound to ${hostIP ?? 'no node'}, and its Port with it, is given back`, async () => {
    const cluster = await openTestCluster()
    try {
      await withNetwork(cluster)
      const node = await cluster.make('Node', 'n1', {})
      await cluster.store.replaceForeignStatus(refOf(node), node.metadata.uid, {
        addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
      })
      await makePod(cluster, 'a/web', { node: 'n1' })
      await cluster.settle()
      const [[lock], [port]] = [await cluster.all('IPLock'), await cluster.all('Port')]
      assert.deepEqual([lock?.spec.hostIP, port?.status?.hostIP], ['192.0.2.1', '192.0.2.1'])
      const { addresses, mac, vni, ifcName } = port!.status!
      const bound = hostIP === undefined ? {} : { hostIP }
      await cluster.store.patchStatus<'Port'>(
        { ref: refOf(port!), uid: port!.metadata.uid },
        { address: { addresses: addresses!, mac: mac!, vni: vni!, ifcName: ifcName!, ...bound } },
      )
      await cluster.settle()
      assert.equal(cluster.caches.Port.get(keyOfItem(port!))?.status?.hostIP, hostIP)
      const { hostIP: _, ...spec } = lock!.spec
      await cluster.store.update({ ...lock!, spec: { ...spec, ...bound } })
      await cluster.settle()
      const [[again], [told]] = [await cluster.all('IPLock'), await cluster.all('Port')]
      assert.deepEqual([again?.spec.hostIP, told?.status?.hostIP], ['192.0.2.1', '192.0.2.1'])
    } finally {
      await cluster.close()
    }
  })
