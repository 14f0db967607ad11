import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ground } from '../../agent/ground.ts'
import { setBackClock } from '../doubles/set-back-clock.ts'
import { openHouse } from '../workers/house.ts'
import { withNetwork } from '../workers/network.ts'

test('what was heard before the clock was set back is asked for anew all the same, once it is old', async (t) => {
  const house = await openHouse()
  t.after(() => house.close())
  await withNetwork(house)
  const clock = setBackClock()
  const ground = new Ground(house.store, clock)
  const labelled = async (): Promise<unknown> => (await ground.get('Subnet', 'a/one'))?.metadata.labels
  assert.equal(await labelled(), undefined)
  const subnet = (await house.get('Subnet', 'a/one'))!
  await house.store.update({ ...subnet, metadata: { ...subnet.metadata, labels: { news: 'yes' } } })
  clock.setBack(3_600_000)
  clock.turn(29_000)
  assert.equal(await labelled(), undefined)
  clock.turn(2_000)
  assert.deepEqual(await labelled(), { news: 'yes' })
  ground.forget()
  assert.deepEqual(await labelled(), { news: 'yes' })
})
