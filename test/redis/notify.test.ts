import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Redis } from 'ioredis'
import type { Queues } from '../../core/contracts/queue.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { startRedisServer } from '../../platform/redis-server.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { redisSkip } from '../setup/redis.ts'
import { until } from '../setup/until.ts'
import { end, makeVpc, openPost, changePhase } from '../workers/notify-post.ts'
import { openReceiver, changesTaken } from '../workers/notify-receiver.ts'

describe('callbacks with the queue in Redis', { skip: redisSkip }, () => {
  const closers: (() => Promise<unknown>)[] = []
  after(async () => {
    for (const close of closers.toReversed()) await close()
  })
  async function server(): Promise<{ readonly socket: string; readonly open: () => Promise<Queues> }> {
    const folder = await mkdtemp(join(tmpdir(), 'megrez-notify-'))
    closers.push(() => rm(folder, { recursive: true }))
    const started = await startRedisServer({ folder, install: false })
    assert.ok('socket' in started, JSON.stringify(started))
    closers.push(() => started.stop())
    const { socket } = started
    return {
      socket,
      async open() {
        const queues = openQueues({ redis: socket, log: silentLog(), clock: realClock })
        await until(() => queues.problem() === undefined, 'the queues are ready')
        return queues
      },
    }
  }

  test('FLUSHALL while notices wait loses none of them', async () => {
    const { socket, open } = await server()
    const queues = await open()
    const receiver = await openReceiver({ answer: () => 500 })
    const post = await openPost({ queues, retry: { firstMs: 3_600_000, maxMs: 3_600_000 } })
    const client = new Redis(socket)
    closers.push(() => Promise.resolve(client.disconnect()))
    const vpcs = await Promise.all(Array.from({ length: 10 }, (_, i) => makeVpc(post.store, `v${i}`, receiver.url)))
    for (const phase of ['pending', 'ready'] as const) await Promise.all(vpcs.map((vpc) => changePhase(post.store, vpc, phase)))
    await until(() => receiver.heard.length > 0, 'the receiver has refused')
    await client.flushall()
    receiver.answer = () => 204
    await Promise.all(vpcs.map((vpc) => end(post.store, vpc)))
    await post.stop()
    // The hour of waiting was this dispatcher's own; the next one reads the store.
    const next = await openPost({ store: post.store, queues })
    await next.empty()
    for (const vpc of vpcs) assert.deepEqual(changesTaken(receiver.taken, vpc.metadata.uid), ['1 pending', '2 ready', '3 deleted'])
    await next.stop()
    await queues.close()
    await post.store.close()
    await receiver.close()
  })

  test('FLUSHALL again and again while notices are sent loses none, and keeps the order', async () => {
    const { socket, open } = await server()
    const queues = await open()
    let count = 0
    const receiver = await openReceiver({ answer: () => (count++ % 3 === 0 ? 503 : 204) })
    const post = await openPost({ queues })
    const client = new Redis(socket)
    closers.push(() => Promise.resolve(client.disconnect()))
    const vpcs = await Promise.all(Array.from({ length: 30 }, (_, i) => makeVpc(post.store, `v${i}`, receiver.url)))
    const phases = ['pending', 'ready', 'error', 'ready', 'terminating'] as const
    for (const phase of phases) {
      await Promise.all(vpcs.map((vpc) => changePhase(post.store, vpc, phase)))
      await client.flushall()
    }
    await post.empty(60_000)
    for (const vpc of vpcs)
      assert.deepEqual(
        [...new Set(changesTaken(receiver.taken, vpc.metadata.uid))],
        phases.map((phase, i) => `${i + 1} ${phase}`),
      )
    await post.stop()
    await queues.close()
    await post.store.close()
    await receiver.close()
  })

  test("two processes' worth of dispatchers share the work, and no object is told of twice at once", async () => {
    const { open } = await server()
    const store = SqliteStore.open(':memory:')
    const [one, two] = [await open(), await open()]
    const receiver = await openReceiver()
    const posts = [await openPost({ store, queues: one }), await openPost({ store, queues: two })]
    const vpcs = await Promise.all(Array.from({ length: 50 }, (_, i) => makeVpc(store, `v${i}`, receiver.url)))
    for (const phase of ['pending', 'ready', 'error'] as const) await Promise.all(vpcs.map((vpc) => changePhase(store, vpc, phase)))
    await posts[0]!.empty()
    for (const vpc of vpcs) assert.deepEqual(changesTaken(receiver.taken, vpc.metadata.uid), ['1 pending', '2 ready', '3 error'])
    assert.equal(receiver.mostAtOnce(), 1)
    for (const post of posts) await post.stop()
    for (const queues of [one, two]) await queues.close()
    await store.close()
    await receiver.close()
  })
})
