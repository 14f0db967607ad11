import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf } from '../../core/plan/events.ts'
import { Batch } from '../../workers/loop/write-batch.ts'
import { openTestCluster } from './test-cluster.ts'

test('an Event that a pass before has told of keeps nothing else of this one from being written', async (t) => {
  const cluster = await openTestCluster()
  t.after(() => cluster.close())
  const vpc = await cluster.make('Vpc', 'a/blue', {})
  const event = eventOf(vpc, { type: 'Normal', reason: 'Ready', note: 'it is', sequence: 1 }, Date.now())
  await cluster.store.commit([event])
  const batch = new Batch(cluster, new AbortController().signal)
  await batch.commit([
    event,
    {
      do: 'create',
      draft: { kind: 'Subnet', metadata: { namespace: 'a', name: 'one' }, spec: { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } } },
    },
  ])
  assert.equal((await cluster.get('Subnet', 'a/one'))?.spec.vpc, 'blue')
  assert.equal((await cluster.all('Event')).length, 1)
})
