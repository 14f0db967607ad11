import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reconcile, Queues, WorkQueue } from '../../core/contracts/queue.ts'
import { realClock, TurnedClock, type Clock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { memoryQueues } from '../../platform/queue/memory.ts'
import { lingerMs } from '../../platform/queue/sharded/shard.ts'
import { ShardedQueue, shardedQueues } from '../../platform/queue/sharded/sharded-queue.ts'
import { queueLaws } from '../laws/queue.ts'
import { until } from '../setup/until.ts'

const log = silentLog()
const open = (clock: Clock = realClock): Queues => memoryQueues({ log, clock })
const groupOf = (key: string): string => key.split('.')[0]!
/** One process's. */
const shardedOn = (queues: Queues, clock: Clock = realClock): ShardedQueue => shardedQueues(queues, { clock, log, groupOf }).open('notices')
const options = { concurrency: 8, retryAfterMs: () => 1 }
/** Of one group, and so of one shard. */
const of = (target: number): string => `2f6f2a0c-7a55-4f0e-9d58-0b8f4c1a7a11.${target}`

queueLaws('a sharded queue', {
  open: () => {
    const carriers = open()
    const queues = shardedQueues(carriers, { clock: realClock, log })
    const close = async (): Promise<void> => void (await Promise.all([queues.close(), carriers.close()]))
    return Promise.resolve({ ...queues, close })
  },
})

describe('keys of a sharded queue', () => {
  test('that hang hold up no other of their shard', async () => {
    const sharded = shardedOn(open())
    const seen = new Set<string>()
    const hang = Promise.withResolvers<undefined>()
    const runner = await sharded.run((key) => {
      seen.add(key)
      return key === of(0) ? hang.promise : Promise.resolve(undefined)
    }, options)
    for (let i = 0; i < 100; i++) await sharded.add(of(i))
    await until(() => seen.size === 100, 'all are reconciled')
    await sharded.add(of(200))
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
      for (const each of both) if (reconciles.get(key) === 1) await each.add(key)
      await new Promise((resolve) => setImmediate(resolve))
      at -= 1
      return undefined
    }
    const runners = await Promise.all(both.map((each) => each.run(reconcile, options)))
    for (const each of both) await each.add(of(1))
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
    }, options)
    for (const each of [first, second]) await each.add(of(1))
    await until(() => seen.length === 1, 'it is reconciled')
    await runner.close()
    const next = await second.run(async () => {
      seen.push('second')
      return undefined
    }, options)
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
      const runner = await sharded.run(async () => (++reconciles === 2 ? 5_000 : undefined), options)
      await sharded.add(of(1))
      await until(() => reconciles === 1, 'it is reconciled')
      clock.after(ms, () => void sharded.add(of(1)))
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
    await sharded.add(of(1))
    sharded.forget(of(1))
    const seen: string[] = []
    const runner = await sharded.run(async (key) => void seen.push(key), options)
    await sharded.add(of(2))
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
    const sharded = new ShardedQueue(queue, { clock, log, groupOf })
    const untilCutOff: Reconcile = (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
    const runner = await sharded.run(untilCutOff, options)
    await sharded.add(of(1))
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

  test('are reconciled only where they were added: a process that knows of none in a shard lets it go, to whoever is asked next', async () => {
    const clock = new TurnedClock(0)
    const queues = open(clock)
    const [adder, other] = [shardedOn(queues, clock), shardedOn(queues, clock)]
    const seen: string[] = []
    // The queue in memory gives to the first that runs, while it has room.
    const first = await other.run(async () => void seen.push('other'), options)
    const second = await adder.run(async () => void seen.push('adder'), options)
    await adder.add(of(1))
    await until(async () => (await queues.open('notices').depth()) === 0, 'the other has been given the shard, and has let it go')
    assert.deepEqual(seen, [])
    await first.close()
    clock.advance(1_000)
    await until(() => seen.length > 0, 'it is reconciled')
    assert.deepEqual(seen, ['adder'])
    await second.close()
    await queues.close()
  })

  test('are in the same shard in every release, all of a group in one, and those of others in others', async () => {
    const asked = new Set<string>()
    const carrier: WorkQueue = {
      add: async (shard) => void asked.add(shard),
      depth: async () => 0,
      run: async () => ({ close: async () => undefined }),
    }
    const sharded = new ShardedQueue(carrier, { clock: new TurnedClock(0), log, groupOf })
    const runner = await sharded.run(async () => undefined, options)
    for (let i = 0; i < 10; i++) await sharded.add(of(i))
    assert.deepEqual([...asked], ['shard-30'])
    await sharded.add('0a1b2c3d-7a55-4f0e-9d58-0b8f4c1a7a11')
    assert.deepEqual([...asked], ['shard-30', 'shard-28'])
    await runner.close()
  })

  test('wait in their process while the carrier loses what it was given, and are asked for again', async () => {
    const asked: string[] = []
    let lose = (): void => undefined
    const carrier: WorkQueue = {
      add: async (shard) => void asked.push(shard),
      depth: async () => 0,
      run: async () => ({ close: async () => undefined }),
    }
    const carriers: Queues = { ...open(), open: () => carrier, onLoss: (listener) => void (lose = listener) }
    const sharded = shardedOn(carriers, new TurnedClock(0))
    const runner = await sharded.run(async () => undefined, options)
    await sharded.add(of(1))
    await sharded.add(of(2))
    assert.equal(asked.length, 1)
    lose()
    assert.deepEqual(asked, [asked[0], asked[0]])
    assert.equal(await sharded.depth(), 2)
    await runner.close()
  })
})
