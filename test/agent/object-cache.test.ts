import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ObjectCache } from '../../agent/sources/object-cache.ts'
import { setBackClock } from '../doubles/set-back-clock.ts'
import { openTestCluster } from '../workers/test-cluster.ts'
import { withNetwork } from '../workers/network.ts'

test('what was heard before the clock was set back is asked for anew all the same, once it is old', async (t) => {
  const cluster = await openTestCluster()
  t.after(() => cluster.close())
  await withNetwork(cluster)
  const clock = setBackClock()
  const objects = new ObjectCache(cluster.store, clock)
  const labelled = async (): Promise<unknown> => (await objects.get('Subnet', 'a/one'))?.metadata.labels
  assert.equal(await labelled(), undefined)
  const subnet = (await cluster.get('Subnet', 'a/one'))!
  await cluster.store.update({ ...subnet, metadata: { ...subnet.metadata, labels: { news: 'yes' } } })
  clock.setBack(3_600_000)
  clock.advance(29_000)
  assert.equal(await labelled(), undefined)
  clock.advance(2_000)
  assert.deepEqual(await labelled(), { news: 'yes' })
  objects.forget()
  assert.deepEqual(await labelled(), { news: 'yes' })
})
