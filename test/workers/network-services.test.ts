// Endpoints that nobody refreshes go, once it is certain that their time is over, and an Event says when a service has none left.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SpecOf } from '../../core/kinds/index.ts'
import { clockDriftMs } from '../../core/plan/nsm/endpoint.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

const inCluster = async (run: (cluster: TestCluster) => Promise<void>): Promise<void> => {
  const cluster = await openTestCluster()
  try {
    await cluster.make('NetworkService', 'a/svc', { name: 'other-name' })
    await run(cluster)
  } finally {
    await cluster.close()
  }
}
const lifeMs = 60_000
/** At a time of the cluster's clock. */
const timeAt = (ms: number): NonNullable<SpecOf<'NetworkServiceEndpoint'>['expiration_time']> => ({
  seconds: Math.floor(ms / 1000),
  nanos: (ms % 1000) * 1_000_000,
})
const register = (cluster: TestCluster, name: string, expiresMs?: number) =>
  cluster.make('NetworkServiceEndpoint', `a/${name}`, {
    network_service_names: ['other-name'],
    ...(expiresMs !== undefined && { expiration_time: timeAt(expiresMs) }),
  })
const there = async (cluster: TestCluster): Promise<string> =>
  (await cluster.all('NetworkServiceEndpoint')).map(({ metadata }) => metadata.name).join(' ')
const eventNotes = async (cluster: TestCluster): Promise<readonly string[]> =>
  (await cluster.all('Event')).filter(({ spec }) => spec.reason === 'NoEndpoints').map(({ spec }) => `${spec.regarding.name}: ${spec.note}`)

test('an endpoint goes once its time and the drift of clocks are over, one without a time never, and one that is refreshed stays', () =>
  inCluster(async (cluster) => {
    const start = cluster.clock.now()
    await register(cluster, 'left', start + lifeMs)
    const kept = await register(cluster, 'refreshed', start + lifeMs)
    await register(cluster, 'for-good')
    await cluster.settle()
    cluster.clock.advance(lifeMs + clockDriftMs - 1)
    await cluster.settle()
    assert.equal(await there(cluster), 'for-good left refreshed')
    await cluster.store.commit([{ do: 'update', item: { ...kept, spec: { ...kept.spec, expiration_time: timeAt(start + 10 * lifeMs) } } }])
    cluster.clock.advance(1)
    await cluster.settle()
    assert.equal(await there(cluster), 'for-good refreshed')
    assert.deepEqual(await eventNotes(cluster), [])
  }))

test('when the last endpoint of a service has gone, an Event says so once', () =>
  inCluster(async (cluster) => {
    await register(cluster, 'one', cluster.clock.now() + lifeMs)
    await register(cluster, 'two')
    await cluster.settle()
    cluster.clock.advance(lifeMs + clockDriftMs)
    await cluster.settle()
    assert.deepEqual([await there(cluster), await eventNotes(cluster)], ['two', []])
    await cluster.store.delete({ kind: 'NetworkServiceEndpoint', namespace: 'a', name: 'two' })
    await cluster.settle()
    assert.deepEqual(await eventNotes(cluster), [
      'svc: no endpoint serves other-name any more: two was the last, and was unregistered or has expired',
    ])
  }))
