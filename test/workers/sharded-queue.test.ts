import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reconcile, Queues, WorkQueue } from '../../core/contracts/queue.ts'
import { realClock, TurnedClock, type Clock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { memoryQueues } from '../../platform/queue/memory.ts'
import { ShardedQueue, lingerMs } from '../../workers/notify/sharded-queue.ts'
import { until } from '../setup/until.ts'

const log = silentLog()
const open = (clock: Clock = realClock): Queues => memoryQueues({ log, clock })
const shardedOn = (queues: Queues, clock: Clock = realClock): ShardedQueue =>
  new ShardedQueue({ queue: queues.open('notices'), clock, log, concurrency: 8, retryAfterMs: () => 1 })
/** Of one object, and so of one shard. */
const of = (target: number): string => `2f6f2a0c-7a55-4f0e-9d58-0b8f4c1a7a11.${target}`

describe('delivery queues of a sharded queue', () => {
  test('that hang hold up no other of their shard', async () => {
    const sharded = shardedOn(open())
    const seen = new Set<string>()
    const hang = Promise.withResolvers<undefined>()
    const runner = await sharded.run((key) => {
      seen.add(key)
      return key === of(0) ? hang.promise : Promise.resolve(undefined)
    })
    for (let i = 0; i < 100; i++) sharded.wake(of(i))
    await until(() => seen.size === 100, 'all are reconciled')
    sharded.wake(of(200))
    await until(() => seen.has(of(200)), 'and those that come later')
    hang.resolve(undefined)
    await runner.close()
  })

  test('that are woken during a reconcile are reconciled once more, never twice at once, by whichever of two processes', async () => {
    const queues = open()
    const both = [shardedOn(queues), shardedOn(queues)]
    const reconciles = new Map<string, number>()
    let at = 0
    let most = 0
    const reconcile: Reconcile = async (key) => {
      reconciles.set(key, (reconciles.get(key) ?? 0) + 1)
      most = Math.max(most, ++at)
      for (const each of both) if (reconciles.get(key) === 1) each.wake(key)
      await new Promise((resolve) => setImmediate(resolve))
      at -= 1
      return undefined
    }
    const runners = await Promise.all(both.map((each) => each.run(reconcile)))
    for (const each of both) each.wake(of(1))
    await until(() => (reconciles.get(of(1)) ?? 0) >= 2 && at === 0, 'it is reconciled once more')
    await Promise.all(runners.map((runner) => runner.close()))
    assert.equal(most, 1)
  })

  test('are reconciled again when they asked for it, and by another process where theirs has stopped', async () => {
    const clock = new TurnedClock(0)
    const queues = open(clock)
    const [first, second] = [shardedOn(queues, clock), shardedOn(queues, clock)]
    const seen: string[] = []
    const runner = await first.run(async () => {
      seen.push('first')
      return 60_000
    })
    for (const each of [first, second]) each.wake(of(1))
    await until(() => seen.length === 1, 'it is reconciled')
    await runner.close()
    const next = await second.run(async () => {
      seen.push('second')
      return undefined
    })
    await until(() => {
      clock.advance(1_100)
      return seen.length > 1
    }, 'the other one reconciles')
    assert.deepEqual(seen, ['first', 'second'])
    await next.close()
    await queues.close()
  })

  test('that are woken in the moment in which their shard is let go are reconciled again when they asked for it', async () => {
    for (const ms of [lingerMs - 1, lingerMs, lingerMs + 1]) {
      const clock = new TurnedClock(0)
      const queues = open(clock)
      const sharded = shardedOn(queues, clock)
      let reconciles = 0
      const runner = await sharded.run(async () => (++reconciles === 2 ? 5_000 : undefined))
      sharded.wake(of(1))
      await until(() => reconciles === 1, 'it is reconciled')
      clock.after(ms, () => sharded.wake(of(1)))
      clock.advance(ms)
      await until(() => reconciles === 2, 'it is reconciled once more')
      await until(() => {
        clock.advance(1_100)
        return reconciles === 3
      }, `and when it said so, woken after ${ms} ms`)
      await runner.close()
      await queues.close()
    }
  })

  test('that are empty are forgotten, and asked for by nobody', async () => {
    const clock = new TurnedClock(0)
    const queues = open(clock)
    const sharded = shardedOn(queues, clock)
    sharded.wake(of(1))
    sharded.forget(of(1))
    const seen: string[] = []
    const runner = await sharded.run(async (key) => void seen.push(key))
    sharded.wake(of(2))
    await until(() => seen.length > 0, 'the other one is reconciled')
    assert.deepEqual(seen, [of(2)])
    await runner.close()
    await queues.close()
  })

  test('whose reconcile is cut off as their shard is lost are asked for again, also where it was given to this process twice', async () => {
    const asked: string[] = []
    let given: Reconcile = async () => undefined
    const queue: WorkQueue = {
      add: async (key) => void asked.push(key),
      depth: async () => 0,
      run: async (reconcile) => {
        given = reconcile
        return { close: async () => undefined }
      },
    }
    const clock = new TurnedClock(0)
    const sharded = new ShardedQueue({ queue, clock, log, concurrency: 8, retryAfterMs: () => 1 })
    const runner = await sharded.run((_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))))
    sharded.wake(of(1))
    const [shard] = asked
    const lost = [new AbortController(), new AbortController()]
    const holds = lost.map(({ signal }) => given(shard!, signal))
    // The first ends at once: the second is what counts from here on.
    await holds[0]
    clock.advance(10_000)
    asked.length = 0
    for (const each of lost) each.abort()
    assert.equal(await holds[1], 0)
    clock.advance(10_000)
    assert.ok(asked.includes(shard!), 'the shard is asked for')
    await runner.close()
  })
})
