// What a Subscription begins to be told of has our finalizer, whatever kind it is of, so that its end can be told. That no key waits in a
// queue that nobody runs is asked by every test of a cluster (test-cluster.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticeFinalizer } from '../../core/kinds/annotations.ts'
import { allKinds, keyOfItem } from '../../core/kinds/index.ts'
import { isNotified } from '../../core/kinds/notify/notified.ts'
import { isReconciled } from '../../workers/queues.ts'
import { site, withFabric } from './fabric-site.ts'
import { openTestCluster } from './test-cluster.ts'
import { makePod, withNetwork } from './network.ts'

test('each kind that is told of has a controller that looks after it', () => {
  assert.deepEqual(
    allKinds.filter((kind) => isNotified(kind) && !isReconciled(kind)),
    [],
  )
})

test('what was there before its Subscription gets our finalizer, of whatever kind it is', async () => {
  const cluster = await openTestCluster({ fabricRegistry: site().registry })
  try {
    await withFabric(cluster)
    await cluster.make('UnifiedNetworkPolicy', 'a/u', { podSelector: {} })
    await cluster.make('Cloud', 'c', { provider: 'memory', endpoint: 'subscribed' })
    await cluster.make('Vpc', 'a/v', { provider: 'builtin' })
    await cluster.make('Subnet', 'a/n', { vpc: 'v', ipv4: { cidr: '10.0.0.0/24' } })
    await cluster.make('Port', 'a/p', { subnet: 'n' })
    await cluster.make('EgressClass', 'internet', { vpcs: [] })
    await cluster.make('VpcPeering', 'a/p', { vpc: 'v', peer: 'b/w' })
    await cluster.make('SecurityGroup', 'a/g', { rules: [] })
    await cluster.make('EndpointScaler', 'a/dns', { scaleTargetRef: { name: 'dns' } })
    await cluster.make('BGPSessionGroup', 'edge', { as: 64512 })
    await cluster.make('L2Service', 'a/s', { segmentationID: 100, physicalNW: ['physnet'] })
    await cluster.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await makePod(cluster, 'a/web', { node: 'n1' })
    await cluster.make('Port', 'a/client', { subnet: 'n', networkService: { name: 'a/dns', as: 'client' } })
    await cluster.settle()
    await cluster.make('Subscription', `${cluster.config.namespace}/all`, { filter: {} })
    await cluster.settle()
    for (const kind of allKinds.filter(isNotified)) {
      const items = await cluster.all(kind)
      assert.ok(items.length > 0, `a ${kind}`)
      assert.deepEqual(items.filter(({ metadata }) => metadata.finalizers?.includes(noticeFinalizer) !== true).map(keyOfItem), [], kind)
    }
  } finally {
    await cluster.close()
  }
})

test('the end of an L2ServiceAttachment that was there before its Subscription is told', async () => {
  const cluster = await openTestCluster({ fabricRegistry: site().registry })
  try {
    await withFabric(cluster)
    await cluster.make('L2Service', 'a/s', { segmentationID: 100, physicalNW: ['physnet'] })
    const { metadata } = await cluster.make('L2ServiceAttachment', 'a/att', {
      l2Services: ['s'],
      connectionPoint: 'cp',
      vlanType: 'access',
    })
    await cluster.settle()
    await cluster.make('Subscription', 'a/all', { filter: { kinds: ['L2ServiceAttachment'] } })
    await cluster.settle()
    await cluster.store.delete({ kind: 'L2ServiceAttachment', namespace: 'a', name: 'att' })
    await cluster.settle()
    const told = (await cluster.all('Notice')).filter(({ spec }) => spec.of.uid === metadata.uid).map(({ spec }) => spec.phase)
    assert.equal(told.at(-1), 'deleted', told.join())
  } finally {
    await cluster.close()
  }
})

test('a Port that is made for a pod is born with our finalizer where somebody asks about it', async (t) => {
  const cluster = await openTestCluster()
  t.after(() => cluster.close())
  await withNetwork(cluster)
  await cluster.make('Subscription', 'a/ports', { filter: { kinds: ['Port'] } })
  await cluster.settle()
  const born: (readonly string[] | undefined)[] = []
  const { commit } = cluster.store
  t.mock.method(cluster.store, 'commit', (...[writes, ...more]: Parameters<typeof commit>) => {
    for (const write of writes) if (write.do === 'create' && write.draft.kind === 'Port') born.push(write.draft.metadata.finalizers)
    return commit.call(cluster.store, writes, ...more)
  })
  await makePod(cluster, 'a/web', { node: 'n1' })
  await cluster.settle()
  assert.deepEqual(
    born.map((finalizers) => finalizers?.includes(noticeFinalizer)),
    [true],
  )
})
