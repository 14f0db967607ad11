import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { TurnedClock, realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { Fifo } from '../../platform/queue/fifo.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { queueLaws } from '../laws/queue.ts'

queueLaws('the queue in memory', { open: () => Promise.resolve(openQueues({ log: silentLog(), clock: realClock })) })

test("time is the clock's: an hour passes when it is turned", async () => {
  const clock = new TurnedClock()
  const queue = openQueues({ log: silentLog(), clock }).open('pods')
  let reconciles = 0
  const runner = await queue.run(() => Promise.resolve(++reconciles && undefined), { concurrency: 1, retryAfterMs: () => 1 })
  await queue.add('a', 3_600_000)
  clock.advance(3_599_999)
  await turn()
  assert.equal(reconciles, 0)
  clock.advance(1)
  await turn()
  assert.equal(reconciles, 1)
  await runner.close()
})

test('looks that never wait for anything leave the event loop its turns', async () => {
  const queue = openQueues({ log: silentLog(), clock: realClock }).open('pods')
  const runner = await queue.run(() => Promise.resolve(0), { concurrency: 10, retryAfterMs: () => 1 })
  for (let i = 0; i < 100; i++) await queue.add(`key ${i}`)
  for (let i = 0; i < 10; i++) await turn()
  await runner.close()
})

test('a queue of strings keeps order and lets each in once, over many turns of its array', () => {
  const fifo = new Fifo()
  const out: string[] = []
  for (let i = 0; i < 10_000; i++) {
    fifo.push(`${i}`)
    fifo.push(`${i}`)
    if (i % 2 === 1) out.push(fifo.shift()!)
  }
  assert.equal(fifo.size, 5_000)
  assert.ok(fifo.has('9999') && !fifo.has('0'))
  for (let next = fifo.shift(); next !== undefined; next = fifo.shift()) out.push(next)
  assert.deepEqual(
    out,
    Array.from({ length: 10_000 }, (_, i) => `${i}`),
  )
})
