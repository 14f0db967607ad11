// What a Subscription begins to be told of has our finalizer, whatever kind it is of, so that its end can be told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticeFinalizer } from '../../core/kinds/annotations.ts'
import { allKinds, keyOfItem } from '../../core/kinds/index.ts'
import { isTold } from '../../core/kinds/told.ts'
import { isReconciled } from '../../workers/queues.ts'
import { site, withFabric } from './fabric-site.ts'
import { openHouse } from './house.ts'
import { makePod, withNetwork } from './network.ts'

test('each kind that is told of has a controller that looks after it', () => {
  assert.deepEqual(allKinds.filter((kind) => isTold(kind) && !isReconciled(kind)), [])
})

test('what was there before its Subscription gets our finalizer, of whatever kind it is', async () => {
  const house = await openHouse({ fabricRegistry: site().registry })
  try {
    await withFabric(house)
    await house.make('Vpc', 'a/v', { provider: 'builtin' })
    await house.make('Subnet', 'a/n', { vpc: 'v', ipv4: { cidr: '10.0.0.0/24' } })
    await house.make('Port', 'a/p', { subnet: 'n' })
    await house.make('SecurityGroup', 'a/g', { rules: [] })
    await house.make('L2Service', 'a/s', { segmentationID: 100, physicalNW: ['physnet'] })
    await house.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await makePod(house, 'a/web', { node: 'n1' })
    await house.settle()
    await house.make('Subscription', `${house.config.namespace}/all`, { filter: {} })
    await house.settle()
    for (const kind of allKinds.filter(isTold)) {
      const items = await house.all(kind)
      assert.ok(items.length > 0, `a ${kind}`)
      assert.deepEqual(items.filter(({ metadata }) => metadata.finalizers?.includes(noticeFinalizer) !== true).map(keyOfItem), [], kind)
    }
  } finally {
    await house.close()
  }
})

test('a Port that is made for a pod is born with our finalizer where somebody asks about it', async (t) => {
  const house = await openHouse()
  t.after(() => house.close())
  await withNetwork(house)
  await house.make('Subscription', 'a/ports', { filter: { kinds: ['Port'] } })
  await house.settle()
  const born: (readonly string[] | undefined)[] = []
  const { commit } = house.store
  t.mock.method(house.store, 'commit', (...[writes, ...more]: Parameters<typeof commit>) => {
    for (const write of writes) if (write.do === 'create' && write.draft.kind === 'Port') born.push(write.draft.metadata.finalizers)
    return commit.call(house.store, writes, ...more)
  })
  await makePod(house, 'a/web', { node: 'n1' })
  await house.settle()
  assert.deepEqual(born.map((finalizers) => finalizers?.includes(noticeFinalizer)), [true])
})
