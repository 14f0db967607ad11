// What workers of 2026-11-24 have left in Redis, run by today's (test/upgrade/2026-11-24/record.ts made it).
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Redis } from 'ioredis'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { until } from '../../platform/programs/until.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { noticesQueue, reconciledKinds } from '../../workers/queues.ts'
import { redisSkip, redisSocket } from '../setup/redis.ts'

type Stored =
  | { readonly type: 'hash'; readonly value: Record<string, string> }
  | { readonly type: 'list' | 'zset' | 'set'; readonly value: readonly string[] }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'stream' }

const recorded = JSON.parse(await readFile(join(import.meta.dirname, '../upgrade/2026-11-24/redis.json'), 'utf8')) as Record<string, Stored>

/** As it was, below a prefix of its own; what was due an hour later is due soon, and the locks of workers that were killed lapse. */
async function restore(redis: Redis, prefix: string): Promise<void> {
  const soon = Date.now() + 500
  for (const [key, stored] of Object.entries(recorded)) {
    const to = key.replace(/^megrez/, prefix)
    // Says when the workers of before last looked for jobs of killed ones; they had found those under way without a lock.
    if (key.endsWith(':stalled-check')) continue
    await restoreOne(redis, to, stored)
    if (key.endsWith(':active') && stored.type === 'list') await redis.sadd(to.replace(/active$/, 'stalled'), ...stored.value)
    // BullMQ's scores are times in milliseconds, times 4096.
    if (key.endsWith(':delayed') && stored.type === 'zset') await redis.zadd(to, String(soon * 0x1000), stored.value[0]!)
    if (key.endsWith(':marker')) await redis.zadd(to, String(soon), '1')
  }
}
async function restoreOne(redis: Redis, key: string, stored: Stored): Promise<void> {
  if (stored.type === 'hash') await redis.hset(key, stored.value)
  else if (stored.type === 'list') await redis.rpush(key, ...stored.value)
  else if (stored.type === 'set') await redis.sadd(key, ...stored.value)
  else if (stored.type === 'zset')
    for (let i = 0; i < stored.value.length; i += 2) await redis.zadd(key, stored.value[i + 1]!, stored.value[i]!)
  else if (stored.type === 'string') await redis.set(key, stored.value, 'PX', key.endsWith(':lock') ? 1 : 60_000)
}

describe('the Redis of a release before', { skip: redisSkip }, () => {
  test('what waited, what was due later and what a killed worker was at are reconciled where the queue has kept its name', async () => {
    const [redis, prefix] = [new Redis(redisSocket!), randomUUID()]
    await restore(redis, prefix)
    const queues = openQueues({ redis: redisSocket, prefix, log: silentLog(), clock: realClock })
    const done = new Set<string>()
    try {
      await queues.open(noticesQueue).run((key) => Promise.resolve(void done.add(key)), { concurrency: 4, retryAfterMs: () => 1_000 })
      await until(() => done.size === 3, 'all three are reconciled')
    } finally {
      await queues.close()
      redis.disconnect()
    }
    assert.deepEqual([...done].sort(), ['a/later', 'a/under-way', 'a/waits'])
  })

  test('queues that had another name are left alone: each has the name of its kind today', () => {
    const names = new Set(Object.keys(recorded).map((key) => key.split(':')[1]!))
    assert.deepEqual([...names].filter((name) => name !== noticesQueue).sort(), ['pod', 'port'])
    for (const name of names) assert.ok(!(reconciledKinds as readonly string[]).includes(name), name)
  })
})
