import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf } from '../../core/plan/events.ts'
import { Batch } from '../../workers/commit.ts'
import { openHouse } from './house.ts'

test('an Event that a pass before has told of keeps nothing else of this one from being written', async (t) => {
  const house = await openHouse()
  t.after(() => house.close())
  const vpc = await house.make('Vpc', 'a/blue', {})
  const event = eventOf(vpc, { type: 'Normal', reason: 'Ready', note: 'it is', sequence: 1 }, Date.now())
  await house.store.commit([event])
  const batch = new Batch(house, new AbortController().signal)
  await batch.commit([event, { do: 'create', draft: { kind: 'Subnet', metadata: { namespace: 'a', name: 'one' }, spec: { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } } } }])
  assert.equal((await house.get('Subnet', 'a/one'))?.spec.vpc, 'blue')
  assert.equal((await house.all('Event')).length, 1)
})
