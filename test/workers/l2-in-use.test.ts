// What carries the VLANs of somebody stays until nobody needs it, with his name, and then goes by itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, withFabric, type Site } from './fabric-site.ts'
import { openTestCluster, type TestCluster, type TestClusterOptions } from './test-cluster.ts'
import { withLateWatch } from './late-watch.ts'

const open = ['tor1/n1: 100', 'tor2/n2: 100']
const network = { 'k8s.v1.cni.cncf.io/networks': 'att' }

/** An attachment of VLAN 100 that a pod uses. */
async function inCluster(run: (cluster: TestCluster, fabric: Site) => Promise<void>, options: TestClusterOptions = {}): Promise<void> {
  const fabric = site()
  const cluster = await openTestCluster({ ...options, fabricRegistry: fabric.registry })
  try {
    await withFabric(cluster)
    await cluster.make('L2Service', 'a/s', { segmentationID: 100 })
    await cluster.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await cluster.settle()
    await cluster.make('Pod', 'a/p', { containers: [{ name: 'main' }] }, { annotations: network })
    await cluster.settle()
    await run(cluster, fabric)
  } finally {
    await cluster.close()
  }
}
const remove = (cluster: TestCluster, kind: 'NodePool' | 'Subnet' | 'L2ServiceAttachment' | 'Pod', name: string): Promise<unknown> =>
  cluster.store.delete({ kind, name, ...(kind !== 'NodePool' && { namespace: 'a' }) })
const pool = async (cluster: TestCluster): Promise<string> => {
  const item = await cluster.get('NodePool', 'pool')
  return item === undefined ? 'gone' : `${item.status?.phase ?? 'new'}: ${item.status?.message ?? ''}`
}

test('a NodePool whose interfaces carry the VLANs of a pod stays with them, and goes by itself after the last', () =>
  inCluster(async (cluster, fabric) => {
    assert.deepEqual(fabric.lines(), open)
    await remove(cluster, 'NodePool', 'pool')
    await cluster.advance(60_000)
    assert.deepEqual([await pool(cluster), fabric.lines()], ['terminating: L2ServiceAttachment a/att still uses it', open])
    await remove(cluster, 'L2ServiceAttachment', 'att')
    await cluster.advance(60_000)
    assert.deepEqual([await pool(cluster), fabric.lines()], ['terminating: L2ServiceAttachment a/att still uses it', open])
    await remove(cluster, 'Pod', 'p')
    await cluster.settle()
    assert.deepEqual([await pool(cluster), fabric.lines()], ['gone', []])
  }))

test('a NodePool stays until its VLANs are closed, where a switch does not answer', () =>
  inCluster(async (cluster, fabric) => {
    fabric.cut.add('tor2')
    await remove(cluster, 'NodePool', 'pool')
    await remove(cluster, 'L2ServiceAttachment', 'att')
    await cluster.store.delete({ kind: 'L2Service', namespace: 'a', name: 's' })
    await remove(cluster, 'Pod', 'p')
    for (let i = 0; i < 3; i++) await cluster.advance(30_000)
    assert.deepEqual([await pool(cluster), fabric.lines()], ['terminating: L2Service a/s still uses it', ['tor2/n2: 100']])
    fabric.cut.clear()
    for (let i = 0; i < 3; i++) await cluster.advance(30_000)
    assert.deepEqual([await pool(cluster), fabric.lines()], ['gone', []])
  }))

test('a NodePool of another ConnectionPoint, or whose interface is down, goes at once', () =>
  inCluster(async (cluster, fabric) => {
    await cluster.make('NodePool', 'other', {
      nodes: ['n1'],
      interfaces: [
        { name: 'ens1', connectionPoint: 'other' },
        { name: 'ens2', connectionPoint: 'cp', state: 'down' },
      ],
    })
    await cluster.settle()
    await remove(cluster, 'NodePool', 'other')
    await cluster.settle()
    assert.equal(await cluster.get('NodePool', 'other'), undefined)
    assert.deepEqual(fabric.lines(), open)
  }))

test('a NodePool stays for an attachment that no watch has told of yet', async () => {
  const store = withLateWatch(({ kind }) => kind === 'L2ServiceAttachment', 200)
  await inCluster(
    async (cluster) => {
      await remove(cluster, 'NodePool', 'pool')
      await cluster.settle()
      assert.equal(cluster.caches.L2ServiceAttachment.size, 0)
      assert.equal(await pool(cluster), 'terminating: L2ServiceAttachment a/att still uses it')
    },
    { store },
  )
  await store.close()
})

const subnet = async (cluster: TestCluster, name = 'v4'): Promise<string> => {
  const item = await cluster.get('Subnet', `a/${name}`)
  return item === undefined ? 'gone' : `${item.status?.phase ?? 'new'}: ${item.status?.message ?? ''}`
}
const lists = async (cluster: TestCluster, subnets: readonly string[]): Promise<void> => {
  const service = (await cluster.get('L2Service', 'a/s'))!
  await cluster.store.update({ ...service, spec: { ...service.spec, subnets: [...subnets] } })
  await cluster.settle()
}
const config = async (cluster: TestCluster): Promise<string> =>
  (await cluster.get('NetworkAttachmentDefinition', 'a/att'))?.spec.config ?? ''

test('a Subnet that an attached L2Service lists stays in its definitions, and goes by itself after the attachment', () =>
  inCluster(async (cluster) => {
    await cluster.make('Subnet', 'a/v4', { l2Service: 's', ipv4: { cidr: '10.9.0.0/24' } })
    await lists(cluster, ['v4'])
    const before = await config(cluster)
    assert.match(before, /10\.9\.0\.0\/24/)
    await remove(cluster, 'Subnet', 'v4')
    await cluster.advance(60_000)
    assert.deepEqual([await subnet(cluster), await config(cluster)], ['terminating: L2Service s lists it and is attached', before])
    await remove(cluster, 'L2ServiceAttachment', 'att')
    await cluster.settle()
    assert.equal(await subnet(cluster), 'terminating: L2Service s lists it and is attached')
    await remove(cluster, 'Pod', 'p')
    await cluster.settle()
    assert.equal(await subnet(cluster), 'gone')
  }))

test('a Subnet goes by itself once its L2Service lists it no more, and at once where nobody lists it', () =>
  inCluster(async (cluster) => {
    for (const [name, cidr] of [
      ['v4', '10.9.0.0/24'],
      ['spare', '10.8.0.0/24'],
    ] as const)
      await cluster.make('Subnet', `a/${name}`, { l2Service: 's', ipv4: { cidr } })
    await lists(cluster, ['v4'])
    await remove(cluster, 'Subnet', 'v4')
    await remove(cluster, 'Subnet', 'spare')
    await cluster.settle()
    assert.deepEqual([await subnet(cluster), await subnet(cluster, 'spare')], ['terminating: L2Service s lists it and is attached', 'gone'])
    await lists(cluster, [])
    assert.equal(await subnet(cluster), 'gone')
  }))
