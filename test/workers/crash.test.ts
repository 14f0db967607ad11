// A cluster's store may be cut off anywhere in a commit: workers that stop after any number of writes, and others that start
// over, leave what uninterrupted ones leave.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { interrupted } from './cut-store.ts'
import { deletePod, makePod, toldOf } from './network.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

const vni = 5000
async function everything(cluster: TestCluster): Promise<void> {
  await cluster.make('Vpc', 'a/blue', { vni })
  await cluster.make('Subnet', 'a/one', { vpc: 'blue', ipv6: { cidr: '2001:db8::/64' } })
  await cluster.make('Port', 'a/mine', { subnet: 'one', portID: 'mine' })
  await makePod(cluster, 'a/web', {
    nics: [
      { name: 'net1', subnet: 'one' },
      { name: 'net2', portID: 'mine' },
    ],
  })
}
async function nothing(cluster: TestCluster): Promise<void> {
  await deletePod(cluster, 'a/web')
  for (const [kind, name] of [
    ['Port', 'mine'],
    ['Subnet', 'one'],
    ['Vpc', 'blue'],
  ] as const)
    await cluster.store.delete({ kind, namespace: 'a', name })
}

async function checkServed(store: SqliteStore, where: string): Promise<void> {
  const cluster = await openTestCluster({ store })
  const ports = await cluster.all('Port')
  assert.deepEqual([ports.map((port) => port.status?.phase), (await toldOf(cluster, 'a/web')).phase], [['ready', 'ready'], 'ready'], where)
  const locks = await cluster.all('IPLock')
  const addresses = locks.flatMap((lock) => lock.spec.address ?? []).sort()
  assert.deepEqual(
    addresses,
    ports.flatMap((port) => port.status?.addresses ?? []).sort(),
    `${where}: an address for each Port and no more`,
  )
  assert.deepEqual(locks.map((lock) => lock.metadata.name.split('-')[0]).sort(), ['id', 'mac', 'mac', 'v1', 'v1'], where)
  await cluster.close()
}

test('cut off anywhere while all is made, and started over: everything is there once', async () => {
  for (let k = 0, cut = true; cut; k++) {
    const store = SqliteStore.open(':memory:')
    cut = await interrupted(store, k, everything)
    await checkServed(store, `after ${k} writes`)
    await store.close()
  }
})

test('cut off anywhere while all is deleted, and started over: nothing is left', async () => {
  for (let k = 0, cut = true; cut; k++) {
    const store = SqliteStore.open(':memory:')
    await interrupted(store, Number.POSITIVE_INFINITY, everything)
    cut = await interrupted(store, k, nothing)
    for (const kind of ['Pod', 'Port', 'Subnet', 'Vpc', 'IPLock', 'SegmentLock'] as const)
      assert.deepEqual(
        (await store.list(kind)).items.map((item) => item.metadata.name),
        [],
        `${kind} after ${k} writes`,
      )
    await store.close()
  }
})
