import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TurnedClock } from '../../platform/clock.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { CircuitBreakers } from '../../workers/notify/pace/circuit-breakers.ts'
import { OldestFirst } from '../../workers/notify/pace/oldest-first.ts'
import { fileNotices } from '../bench/lib/callback-notices.ts'
import { seeded } from './test-cluster.ts'
import { openPost } from './notify-post.ts'

describe('the oldest first', () => {
  test('whoever comes, goes and comes again with another number is taken by the number that it has, and once', () => {
    const random = seeded(7)
    const line = new OldestFirst()
    const waiting = new Map<string, number>()
    for (let step = 0; step < 20_000; step++) {
      const item = `i${Math.floor(random() * 200)}`
      const what = random()
      if (what < 0.6) {
        const number = Math.floor(random() * 1_000)
        line.add(item, number)
        waiting.set(item, number)
      } else if (what < 0.9) {
        line.delete(item)
        waiting.delete(item)
      } else {
        const count = Math.floor(random() * 10)
        const taken = line.take(count)
        const lowest = [...waiting.values()].sort((a, b) => a - b).slice(0, count)
        assert.deepEqual(
          taken.map((each) => waiting.get(each)),
          lowest,
        )
        for (const each of taken) waiting.delete(each)
      }
      assert.equal(line.size, waiting.size)
    }
  })

  test('of those that wait for room at a receiver the one with the oldest notice is woken first, whoever came first', () => {
    const woken: string[] = []
    const clock = new TurnedClock(0)
    const gates = new CircuitBreakers({ firstMs: 500, maxMs: 1_000 }, (key) => void woken.push(key), clock)
    const to = { url: 'http://receiver.example/told' }
    for (let i = 0; i < 4; i++) assert(gates.enterNow(to, { key: `under way ${i}`, filed: i }))
    for (const filed of [50, 20, 90, 10, 70]) assert(gates.waits(to, { key: `waits ${filed}`, filed }))
    gates.leave(to, { kind: 'refused', status: 500 }, clock.now(), 0)
    assert.deepEqual(woken, ['waits 10', 'waits 20', 'waits 50', 'waits 70', 'waits 90'])
    gates.stop()
  })

  test('of very many Notices that one receiver has not had the older half is told before the younger', async () => {
    const store = SqliteStore.open(':memory:')
    const count = 2_000
    await fileNotices(store, { count, url: () => 'memory:204' })
    const told: number[] = []
    const post = await openPost({
      store,
      notifier: {
        async send({ body }) {
          await new Promise((resolve) => setImmediate(resolve))
          told.push(Number((JSON.parse(body) as { metadata: { name: string } }).metadata.name.slice(1)))
          return { kind: 'accepted', status: 204 }
        },
        close: () => Promise.resolve(),
      },
    })
    await post.empty(30_000)
    await post.stop()
    await store.close()
    assert.equal(told.length, count)
    // Whoever is let in before all are known may be any, and so may who stands in line by then.
    const early = new Set(told.slice(0, count / 2 + 300))
    assert.deepEqual(
      Array.from({ length: count / 2 }, (_, i) => i).filter((i) => !early.has(i)),
      [],
    )
  })
})
