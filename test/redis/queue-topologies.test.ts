import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Redis } from 'ioredis'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { keep } from '../../platform/redis-server/keep.ts'
import type { KeptServer } from '../../platform/redis-server/keep.ts'
import { findRedisServer } from '../../platform/redis-server/install.ts'
import { queueLaws } from '../laws/queue.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { redisSkip } from '../setup/redis.ts'
import { until } from '../setup/until.ts'

const kept: KeptServer[] = []
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'megrez-topology-'))
})
after(async () => {
  for (const each of kept) await each.stop()
  await rm(folder, { recursive: true })
})

/** A redis-server on a loopback port of its own, answering when this resolves. */
async function server(l4Port: number, more: readonly string[], config: readonly string[] = []): Promise<KeptServer> {
  const own = join(folder, `${l4Port}`)
  await mkdir(own)
  if (config.length > 0) await writeFile(join(own, 'own.conf'), config.join('\n'))
  const args = [
    ...(config.length > 0 ? [join(own, 'own.conf')] : []),
    '--port',
    `${l4Port}`,
    '--bind',
    '127.0.0.1',
    '--dir',
    own,
    '--save',
    '',
    ...more,
  ]
  const each = await keep(findRedisServer()!, args, { log: join(own, 'log') })
  kept.push(each)
  await until(() => ask(l4Port, (redis) => redis.ping().then(() => true)), `redis-server answers on ${l4Port}`)
  return each
}

async function ask<T>(l4Port: number, question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(l4Port, '127.0.0.1', { retryStrategy: () => null })
  redis.on('error', () => undefined)
  try {
    return await question(redis)
  } finally {
    redis.disconnect()
  }
}

const open = (redis: string) => openQueues({ redis, prefix: randomUUID(), log: silentLog(), clock: realClock })

queueLaws('the queue over a Redis cluster', {
  skip: redisSkip,
  async open() {
    const [l4Port, bus] = (await freePorts(2)) as [number, number]
    await server(l4Port, ['--cluster-enabled', 'yes', '--cluster-port', `${bus}`, '--cluster-announce-ip', '127.0.0.1'])
    await ask(l4Port, (redis) => redis.cluster('ADDSLOTSRANGE', 0, 16383))
    await until(async () => (await ask(l4Port, (redis) => redis.cluster('INFO'))).includes('cluster_state:ok'), 'the cluster is up')
    return open(`redis+cluster://127.0.0.1:${l4Port}`)
  },
})

describe('the queue over Redis with Sentinel', { skip: redisSkip }, () => {
  test('after a failover the loss is told of, and keys are looked at again', async () => {
    const [first, second, sentinel] = (await freePorts(3)) as [number, number, number]
    const master = await server(first, [])
    await server(second, ['--replicaof', '127.0.0.1', `${first}`])
    await until(
      async () => (await ask(second, (redis) => redis.info('replication'))).includes('master_link_status:up'),
      'the replica follows',
    )
    await server(
      sentinel,
      ['--sentinel'],
      [
        `sentinel monitor mymaster 127.0.0.1 ${first} 1`,
        'sentinel down-after-milliseconds mymaster 1000',
        'sentinel failover-timeout mymaster 5000',
      ],
    )
    await until(
      async () => String(await ask(sentinel, (redis) => redis.call('SENTINEL', 'replicas', 'mymaster'))).includes(`${second}`),
      'the sentinel knows the replica',
    )
    const queues = open(`redis+sentinel://127.0.0.1:${sentinel}/mymaster`)
    try {
      await until(() => queues.problem() === undefined, 'the queues are ready')
      const queue = queues.open('keys')
      let losses = 0
      queues.onLoss(() => (losses += 1))
      const seen: string[] = []
      await queue.run((key) => Promise.resolve(seen.push(key)).then(() => undefined), { concurrency: 5, retryAfterMs: () => 1_000 })
      await queue.add('a')
      await until(() => seen.includes('a'), 'the key is looked at')
      await master.stop()
      await until(() => losses > 0 && queues.problem() === undefined, 'the replica has taken over', 30_000)
      await queue.add('b')
      await until(() => seen.includes('b'), 'keys are looked at again')
      assert.equal(losses, 1)
    } finally {
      await queues.close()
    }
  })
})
