// Limits of callers that several processes count together in Redis.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { realClock } from '../../platform/clock.ts'
import { makeLog } from '../../platform/log.ts'
import { redisBuckets, type Buckets } from '../../platform/redis-buckets.ts'
import { startRedisServer, type RedisServer } from '../../platform/redis-server.ts'
import { SharedLimits } from '../../webhooks/plugins/shared-limits.ts'
import { redisSkip, redisSocket } from '../setup/redis.ts'
import { until } from '../setup/until.ts'

const answering = async (buckets: Buckets): Promise<Buckets> => {
  await until(async () => (await buckets.take(randomUUID(), 1)) !== undefined, 'Redis answers')
  return buckets
}

describe('limits in Redis', { skip: redisSkip }, () => {
  const redis = redisSocket ?? ''

  test('two processes together let through no more than one would', async () => {
    const [perSecond, ms, prefix] = [100, 2_000, randomUUID()]
    const children = [1, 2].map(() =>
      spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'rates-child.ts'), redis, prefix, `${perSecond}`, `${ms}`],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      ),
    )
    try {
      const lines = children.map(({ stdout }) => createInterface(stdout)[Symbol.asyncIterator]())
      for (const each of lines) assert.equal((await each.next()).value, 'ready')
      const began = performance.now()
      for (const { stdin } of children) stdin.write('go\n')
      const passed = await Promise.all(lines.map(async (each) => Number(/^passed (\d+)$/.exec(String((await each.next()).value))?.[1])))
      const mayPass = 2 * perSecond + (perSecond * (performance.now() - began)) / 1_000
      const sum = passed[0]! + passed[1]!
      assert.ok(sum <= mayPass, `${passed.join(' + ')} passed, at most ${mayPass} may`)
      assert.ok(sum >= 2 * perSecond && passed.every((each) => each > 0), `${passed.join(' and ')}: each has its part of the burst`)
    } finally {
      for (const child of children) child.kill('SIGKILL')
    }
  })

  test('a bucket gives what is in it, however it is asked, and each caller has his own', async () => {
    const buckets = await answering(redisBuckets({ redis, prefix: randomUUID(), perSecond: 0.001, burst: 10 }))
    try {
      const given = await Promise.all(Array.from({ length: 6 }, () => buckets.take('a', 3)))
      assert.deepEqual(given, [3, 3, 3, 1, 0, 0])
      assert.equal(await buckets.take('b', 99), 10)
    } finally {
      buckets.close()
    }
  })

  test('where Redis is away each process counts by itself, says so once, and says when it is over', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'megrez-rates-'))
    const lines: string[] = []
    const log = makeLog('info', { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) })
    const start = async (): Promise<RedisServer> => {
      const started = await startRedisServer({ folder, install: false })
      assert.ok(!('missing' in started), JSON.stringify(started))
      return started
    }
    let server = await start()
    const buckets = await answering(redisBuckets({ redis: server.socket, prefix: randomUUID(), perSecond: 5, burst: 10 }))
    const limits = new SharedLimits(5, buckets, { clock: realClock, log })
    const most = async (who: string): Promise<number> =>
      (await Promise.all(Array.from({ length: 30 }, async () => limits.take(who)))).filter((may) => may).length
    try {
      assert.ok((await most('a')) >= 10)
      await server.stop()
      const passed = await most('b')
      assert.ok(passed >= 10 && passed < 30, `${passed} passed`)
      await most('c')
      server = await start()
      await until(async () => {
        await limits.take(randomUUID())
        return lines.length > 1
      }, 'Redis answers again')
      assert.deepEqual(lines, [
        'Redis does not answer: the rates of callers are counted by this process alone',
        'Redis answers again: the rates of callers are counted over all processes',
      ])
    } finally {
      buckets.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
