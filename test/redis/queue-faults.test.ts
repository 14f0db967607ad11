import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Queues } from '../../core/contracts/queue.ts'
import { QueueUnavailable } from '../../core/errors.ts'
import { TurnedClock, realClock } from '../../platform/clock.ts'
import { makeLog, silentLog } from '../../platform/log.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { reconcileOnce } from '../../platform/queue/reconcile-once.ts'
import { RedisRunner } from '../../platform/queue/redis-runner.ts'
import { connect } from '../../platform/queue/redis.ts'
import { startRedisServer } from '../../platform/redis-server.ts'
import type { RedisServer } from '../../platform/redis-server.ts'
import { door } from '../laws/queue.ts'
import { redisSkip, redisSocket } from '../setup/redis.ts'
import { until } from '../setup/until.ts'

const closers: (() => Promise<unknown>)[] = []
after(async () => {
  for (const close of closers.toReversed()) await close()
})

async function opened(redis: string, prefix: string = randomUUID()): Promise<Queues> {
  const queues = openQueues({ redis, prefix, log: silentLog(), clock: realClock })
  closers.push(() => queues.close())
  await until(() => queues.problem() === undefined, 'the queues are ready')
  return queues
}

function client(socket: string): Redis {
  const redis = new Redis(socket)
  redis.on('error', () => undefined)
  closers.push(() => Promise.resolve(redis.disconnect()))
  return redis
}

/** A server that a test may stop, flush and kill. */
async function ownServer(): Promise<{ server: RedisServer; again: () => Promise<RedisServer> }> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-queue-'))
  closers.push(() => rm(folder, { recursive: true }))
  const again = async () => {
    const server = await startRedisServer({ folder, install: false })
    assert.ok('socket' in server, JSON.stringify(server))
    closers.push(() => server.stop())
    return server
  }
  return { server: await again(), again }
}

/** A worker in a process of its own; resolves once it runs. */
async function child(redis: string, prefix: string, first: string) {
  const program = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'queue-child.ts'), redis, prefix, first],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  closers.push(() => Promise.resolve(program.kill('SIGKILL')))
  const lines: string[] = []
  createInterface({ input: program.stdout }).on('line', (line) => lines.push(line))
  await until(() => lines.includes('ready'), 'the child runs')
  return { lines, kill: () => program.kill('SIGKILL') }
}

const quiet = { concurrency: 10, retryAfterMs: () => 60_000 }

describe('the queue over Redis', { skip: redisSkip }, () => {
  test('a key whose worker was killed is looked at by another, also when it was added again during the look', async () => {
    const prefix = randomUUID()
    const victim = await child(redisSocket!, prefix, 'hang')
    const queue = (await opened(redisSocket!, prefix)).open('keys')
    await queue.add('a')
    await until(() => victim.lines.includes('added a'), 'the child looks at it')
    const seen: string[] = []
    await queue.run((key) => Promise.resolve(seen.push(key)).then(() => undefined), quiet)
    victim.kill()
    await until(() => seen.includes('a'), 'another looks at it', 15_000)
    await until(async () => (await queue.depth()) === 0, 'nothing is left')
  })

  test('a runner that is held up loses its key to another, is told so, and goes on', async () => {
    const prefix = randomUUID()
    const held = await child(redisSocket!, prefix, 'block')
    const queue = (await opened(redisSocket!, prefix)).open('keys')
    await queue.add('a')
    await until(() => held.lines.includes('look a'), 'the child looks at it')
    const seen: string[] = []
    const runner = await queue.run((key) => Promise.resolve(seen.push(key)).then(() => undefined), quiet)
    await until(() => seen.includes('a'), 'another looks at it', 15_000)
    await until(() => held.lines.includes('aborted a'), 'its signal falls')
    await runner.close()
    for (let i = 0; i < 20; i++) await queue.add(`key ${i}`)
    await until(() => held.lines.filter((line) => line.startsWith('look key')).length === 20, 'it looks at other keys')
    await until(async () => (await queue.depth()) === 0, 'nothing is left')
  })

  test('a runner that takes its own key back after it was held up waits for its first look to end', async () => {
    const prefix = randomUUID()
    const held = await child(redisSocket!, prefix, 'deaf')
    await (await opened(redisSocket!, prefix)).open('keys').add('a')
    await until(() => held.lines.filter((line) => line === 'look a').length === 2, 'it is looked at again', 30_000)
    assert.deepEqual(held.lines, ['ready', 'look a', 'aborted a', 'ended a', 'look a'])
  })

  test('the signal falls when the lock is gone from Redis', async () => {
    const prefix = randomUUID()
    const queue = (await opened(redisSocket!, prefix)).open('keys')
    const redis = client(redisSocket!)
    let reconciles = 0
    await queue.run(async (_, signal) => {
      if (++reconciles > 1) return undefined
      const locks = await redis.keys(`${prefix}:keys:*:lock`)
      assert.equal(await redis.del(...locks), 1)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return undefined
    }, quiet)
    await queue.add('a')
    await until(() => reconciles === 2, 'the key comes back')
  })

  test('adds through two connections, as of two processes: no two looks at a key overlap, none misses the last state', async () => {
    const prefix = randomUUID()
    const queues = [(await opened(redisSocket!, prefix)).open('keys'), (await opened(redisSocket!, prefix)).open('keys')]
    const keys = Array.from({ length: 20 }, (_, i) => `key ${i}`)
    const state = new Map(keys.map((key) => [key, 0]))
    const seen = new Map<string, number>()
    const under = new Set<string>()
    let overlaps = 0
    let reconciles = 0
    for (const queue of queues) {
      await queue.run(
        async (key) => {
          if (under.has(key)) overlaps += 1
          under.add(key)
          const now = state.get(key)!
          await wait(reconciles++ % 3)
          seen.set(key, now)
          under.delete(key)
          // Some ask for another look: an add that comes first must not be put off by it.
          return reconciles % 5 === 0 && reconciles < 2_000 ? 30 : undefined
        },
        { concurrency: 25, retryAfterMs: () => 1_000 },
      )
    }
    await Promise.all(
      Array.from({ length: 50 }, async (_, adder) => {
        for (let i = 0; i < 100; i++) {
          const key = keys[(adder * 7 + i) % keys.length]!
          state.set(key, state.get(key)! + 1)
          await queues[(adder + i) % 2]!.add(key, i % 25 === 0 ? 20 : 0)
        }
      }),
    )
    for (const key of keys) await queues[0]!.add(key)
    await until(() => [...state].every(([key, last]) => seen.get(key) === last), "every key's last state is seen")
    assert.equal(overlaps, 0)
  })

  test('a flushed Redis is told of, and what is then added again is looked at', async () => {
    const { server } = await ownServer()
    const queues = await opened(server.socket)
    const queue = queues.open('keys')
    const redis = client(server.socket)
    const gate = door()
    const keys = Array.from({ length: 200 }, (_, i) => `key ${i}`)
    const seen = new Set<string>()
    let losses = 0
    queues.onLoss(() => {
      losses += 1
      for (const key of keys) void queue.add(key)
    })
    await until(async () => (await redis.keys('*:mark')).length === 1, 'the queue is marked')
    await queue.run(
      async (key) => {
        await gate.opened
        seen.add(key)
        return undefined
      },
      { concurrency: 20, retryAfterMs: () => 60_000 },
    )
    for (const key of keys) await queue.add(key)
    await until(
      async () => (await redis.llen(`${(await redis.keys('*:mark'))[0]!.replace(':mark', '')}:active`)) === 20,
      'twenty are looked at',
    )
    await redis.flushall()
    gate.open()
    await until(() => seen.size === keys.length, 'all are looked at')
    await until(async () => (await queue.depth()) === 0, 'nothing is left')
    assert.equal(losses, 1)
  })

  test('while Redis is away adds fail at once; when it is back its file has kept the keys, and the looks go on', async () => {
    const { server, again } = await ownServer()
    const queues = await opened(server.socket)
    const queue = queues.open('keys')
    const gate = door()
    let losses = 0
    queues.onLoss(() => (losses += 1))
    const seen: string[] = []
    await queue.run(
      async (key) => {
        await gate.opened
        seen.push(key)
        return undefined
      },
      { concurrency: 1, retryAfterMs: () => 60_000 },
    )
    for (const key of ['a', 'b', 'c']) await queue.add(key)
    await until(async () => (await queue.depth()) === 3, 'they are queued')
    // While a flush of the file is under way, Redis puts off the next write to it for up to two seconds: what it has not written dies with
    // it.
    const redis = client(server.socket)
    await until(async () => (await redis.info('persistence')).includes('aof_buffer_length:0\r\n'), 'they are in the file')
    process.kill(server.pid, 'SIGKILL')
    await until(() => queues.problem() !== undefined, 'the problem is told')
    const start = Date.now()
    await assert.rejects(queue.add('d'), QueueUnavailable)
    await assert.rejects(queue.depth(), QueueUnavailable)
    assert.ok(Date.now() - start < 1_000)
    gate.open()
    await again()
    await until(() => ['a', 'b', 'c'].every((key) => seen.includes(key)), 'the keys are looked at')
    await until(() => losses === 1 && queues.problem() === undefined, 'the restart is told of, and all is well')
    await queue.add('d')
    await until(() => seen.includes('d'), 'new keys are looked at')
  })

  test('closing while Redis is away comes to an end', async () => {
    const { server } = await ownServer()
    const queues = await opened(server.socket)
    const queue = queues.open('keys')
    const gate = door()
    let begun = 0
    let reconciles = 0
    await queue.run(async () => {
      begun += 1
      await gate.opened
      // It asks for another look, which cannot be put into Redis.
      return ++reconciles
    }, quiet)
    await queue.add('a')
    await until(() => begun === 1, 'the look is under way')
    await server.stop()
    await until(() => queues.problem() !== undefined, 'the problem is told')
    const closed = queues.close()
    gate.open()
    await closed
    assert.equal(reconciles, 1)
  })

  test('queues that begin before Redis does are ready when it is', async () => {
    const { server, again } = await ownServer()
    await server.stop()
    const queues = openQueues({ redis: server.socket, prefix: 'p', log: silentLog(), clock: realClock })
    closers.push(() => queues.close())
    const queue = queues.open('keys')
    const seen: string[] = []
    await queue.run((key) => Promise.resolve(seen.push(key)).then(() => undefined), quiet)
    assert.ok(queues.problem() !== undefined)
    await assert.rejects(queue.add('a'), QueueUnavailable)
    await again()
    await until(() => queues.problem() === undefined, 'the queues are ready')
    await queue.add('a')
    await until(() => seen.includes('a'), 'the key is looked at')
  })

  test('the first keys wait for the first connection, and nobody complains of it', async () => {
    const { server } = await ownServer()
    const lines: string[] = []
    const queues = openQueues({
      redis: server.socket,
      prefix: randomUUID(),
      log: makeLog('warn', { write: (line: string) => void lines.push(line) }),
      clock: realClock,
    })
    closers.push(() => queues.close())
    await queues.open('keys').add('a')
    await until(() => queues.problem() === undefined, 'the queues are ready')
    assert.deepEqual(lines, [])
  })

  test('a Redis that may drop keys is a problem, and says which setting is wrong', async () => {
    const { server } = await ownServer()
    await client(server.socket).config('SET', 'maxmemory-policy', 'allkeys-lru')
    const queues = openQueues({ redis: server.socket, log: silentLog(), clock: realClock })
    closers.push(() => queues.close())
    await until(() => queues.problem()?.includes('maxmemory-policy is allkeys-lru') === true, 'the problem is told')
  })

  test('nothing stays in Redis but what each queue keeps once', async () => {
    const prefix = randomUUID()
    const queue = (await opened(redisSocket!, prefix)).open('keys')
    let reconciles = 0
    await queue.run(
      () => {
        reconciles += 1
        if (reconciles % 3 === 0) return Promise.reject(new Error('again'))
        return Promise.resolve(reconciles % 3 === 1 && reconciles < 500 ? 5 : undefined)
      },
      { concurrency: 50, retryAfterMs: () => 2 },
    )
    await Promise.all(Array.from({ length: 500 }, (_, i) => queue.add(`key ${i}`, i % 2 === 0 ? 10 : 0)))
    const redis = client(redisSocket!)
    const once = ['events', 'id', 'mark', 'marker', 'meta', 'stalled-check'].map((name) => `${prefix}:keys:${name}`)
    await until(async () => (await redis.keys(`${prefix}:*`)).every((key) => once.includes(key)), 'all jobs are gone')
    assert.ok(reconciles > 500)
  })

  test('installations with prefixes of their own share nothing', async () => {
    const [ours, theirs] = [(await opened(redisSocket!)).open('keys'), (await opened(redisSocket!)).open('keys')]
    await theirs.add('a')
    const seen: string[] = []
    await ours.run((key) => Promise.resolve(seen.push(key)).then(() => undefined), quiet)
    await ours.add('b')
    await until(() => seen.length > 0, 'ours is looked at')
    assert.deepEqual(seen, ['b'])
    assert.equal(await theirs.depth(), 1)
  })

  test('a worker that takes nothing although keys wait is replaced', async () => {
    const prefix = randomUUID()
    const queue = (await opened(redisSocket!, prefix)).open('keys')
    const clock = new TurnedClock(Date.now())
    const workers = connect({ kind: 'one', path: redisSocket! }, 'workers')
    closers.push(() => Promise.resolve(workers.end()))
    const seen: string[] = []
    const runner = new RedisRunner({
      name: 'keys',
      prefix,
      client: workers.client,
      clock,
      log: silentLog(),
      concurrency: 1,
      reconcile: reconcileOnce((key) => Promise.resolve(seen.push(key)).then(() => undefined), quiet, silentLog()),
      under: new Map(),
      addAgain: () => Promise.resolve(),
      waiting: () => queue.depth(),
    })
    const first = runner.worker
    await first.waitUntilReady()
    await first.pause()
    await queue.add('a')
    clock.advance(14_000)
    assert.equal(runner.worker, first)
    await until(() => {
      clock.advance(1_000)
      return runner.worker !== first
    }, 'a new worker is made')
    await until(() => seen.includes('a'), 'the key is looked at')
    await runner.close()
  })
})
