// Queues that have gone for good, and others in their place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { memoryQueues } from '../../platform/queue/memory.ts'
import { replaceable } from '../../platform/queue/takeover.ts'
import { queueLaws } from '../laws/queue.ts'
import { until } from '../setup/until.ts'

const make = (): ReturnType<typeof memoryQueues> => memoryQueues({ log: silentLog(), clock: realClock })
const options = { concurrency: 10, retryAfterMs: () => 1 }

queueLaws('queues that may be replaced', { open: () => Promise.resolve(replaceable(make(), make)) })
queueLaws('queues that have been replaced', {
  async open() {
    const queues = replaceable(make(), make)
    await queues.takeOver()
    return queues
  },
})

test("whoever ran goes on with the others: what is added is looked at, the first's looks are told to end, and all is to be added anew", async () => {
  const [first, second] = [make(), make()]
  const queues = replaceable(first, () => second)
  const queue = queues.open('pods')
  let lost = 0
  queues.onLoss(() => lost++)
  const reconciled: string[] = []
  let underWay = 0
  const runner = await queue.run(
    async (key, signal) => {
      reconciled.push(key)
      underWay += 1
      assert.ok(underWay <= 1, 'one at a time')
      if (key === 'held' && reconciled.length === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      underWay -= 1
      return undefined
    },
    { ...options, concurrency: 1 },
  )
  await queue.add('held')
  await until(() => reconciled.length === 1, 'it is looked at')
  await queues.takeOver()
  await queues.takeOver()
  assert.equal(lost, 1)
  await queue.add('held')
  await queues.open('pods').add('other')
  await until(() => reconciled.length === 3, 'both are looked at')
  assert.deepEqual(reconciled, ['held', 'held', 'other'])
  await runner.close()
  await queue.add('late')
  assert.equal(await second.open('pods').depth(), 1)
  await queues.close()
})
