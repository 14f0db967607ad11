// A Redis cluster of three masters and three replicas, whose replicas take over while keys are added.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Redis } from 'ioredis'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { findRedisServer } from '../../platform/redis-server/install.ts'
import { keep, type KeptServer } from '../../platform/redis-server/keep.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { redisSkip } from '../setup/redis.ts'
import { until } from '../setup/until.ts'

interface Node {
  readonly l4Port: number
  readonly redis: Redis
  readonly kept: KeptServer
}
const nodes: Node[] = []
let folder: string

const isWell = async ({ redis }: Node): Promise<boolean> => (await redis.cluster('INFO')).includes('cluster_state:ok')
const roleOf = async ({ redis }: Node): Promise<string> => (/^role:(\w+)/m.exec(await redis.info('replication')) ?? [])[1] ?? ''

async function start(l4Port: number, bus: number): Promise<void> {
  const own = join(folder, `${l4Port}`)
  await mkdir(own)
  const cluster = [
    '--cluster-enabled',
    'yes',
    '--cluster-port',
    `${bus}`,
    '--cluster-announce-ip',
    '127.0.0.1',
    '--cluster-node-timeout',
    '2000',
  ]
  const kept = await keep(findRedisServer()!, ['--port', `${l4Port}`, '--bind', '127.0.0.1', '--dir', own, '--save', '', ...cluster], {
    log: join(own, 'log'),
  })
  const redis = new Redis(l4Port, '127.0.0.1')
  redis.on('error', () => undefined)
  nodes.push({ l4Port, redis, kept })
  await until(
    () =>
      redis.ping().then(
        () => true,
        () => false,
      ),
    `redis-server answers on ${l4Port}`,
  )
}

describe('the queue over a Redis cluster of six', { skip: redisSkip }, () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-six-'))
    const l4Ports = await freePorts(12)
    for (let i = 0; i < 6; i++) await start(l4Ports[2 * i]!, l4Ports[2 * i + 1]!)
    for (const [i, { l4Port }] of nodes.entries())
      if (i > 0) await nodes[0]!.redis.call('CLUSTER', 'MEET', '127.0.0.1', `${l4Port}`, `${l4Ports[2 * i + 1]!}`)
    await until(
      async () =>
        (await Promise.all(nodes.map(({ redis }) => redis.cluster('INFO')))).every((info) => info.includes('cluster_known_nodes:6')),
      'all know each other',
    )
    for (const [i, from, to] of [
      [0, 0, 5460],
      [1, 5461, 10922],
      [2, 10923, 16383],
    ] as const)
      await nodes[i]!.redis.cluster('ADDSLOTSRANGE', from, to)
    for (const i of [0, 1, 2]) await nodes[i + 3]!.redis.cluster('REPLICATE', String(await nodes[i]!.redis.call('CLUSTER', 'MYID')))
    await until(async () => (await Promise.all(nodes.map(isWell))).every(Boolean), 'the cluster is up')
    await until(
      async () =>
        (await Promise.all(nodes.slice(3).map(({ redis }) => redis.info('replication')))).every((info) =>
          info.includes('master_link_status:up'),
        ),
      'the replicas follow',
    )
  })
  after(async () => {
    for (const { redis, kept } of nodes) {
      redis.disconnect()
      await kept.stop()
    }
    await rm(folder, { recursive: true })
  })

  test('keys that were added while a replica took over, and are lost with the old master, are added again', async (t) => {
    const queues = openQueues({
      redis: `redis+cluster://${nodes.map(({ l4Port }) => `127.0.0.1:${l4Port}`).join(',')}`,
      prefix: randomUUID(),
      log: silentLog(),
      clock: realClock,
    })
    t.after(() => queues.close())
    await until(() => queues.problem() === undefined, 'the queues are ready')
    // Several queues, so that each of the masters has some.
    const names = Array.from({ length: 12 }, (_, i) => `keys${i}`)
    const opened = names.map((name) => ({ name, queue: queues.open(name) }))
    const wanted = new Set<string>()
    let losses = 0
    let taken = 0
    /** Nobody knows whether they were taken. */
    let unknown = 0
    const add = (keys: Iterable<string>): Promise<unknown> =>
      Promise.all(
        opened.flatMap(({ name, queue }) =>
          [...keys].map((key) =>
            queue.add(`${name} ${key}`).then(
              () => void taken++,
              () => void unknown++,
            ),
          ),
        ),
      )
    const addAll = (): Promise<unknown> => add(wanted)
    const depth = async (): Promise<number> =>
      (await Promise.all(opened.map(({ queue }) => queue.depth()))).reduce((sum, each) => sum + each, 0)
    let relists = false
    queues.onLoss(() => {
      losses++
      if (relists) void addAll()
    })
    await until(
      async () =>
        (
          await Promise.all(
            opened.map(({ queue }) =>
              queue.add('first').then(
                () => true,
                () => false,
              ),
            ),
          )
        ).every(Boolean),
      'each queue takes keys',
    )
    // The marks are there, and have been looked at once.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    assert.equal(losses, 0)

    // Nothing is replicated from now on: replicas cannot log in.
    for (const { redis } of nodes.slice(3)) await redis.config('SET', 'masterauth', 'wrong')
    for (const { redis } of nodes.slice(0, 3)) await redis.call('CLIENT', 'KILL', 'TYPE', 'replica')
    for (let i = 0; i < 20; i++) wanted.add(`key ${i}`)
    await addAll()
    assert.equal(await depth(), names.length * 21)
    // Others go on adding: masters that are replaced take what comes until they have heard of it.
    const adding = (async () => {
      for (let i = 0; losses === 0; i++) {
        wanted.add(`late ${i}`)
        await add([`late ${i}`])
      }
    })()
    for (const { redis } of nodes.slice(3)) await redis.call('CLUSTER', 'FAILOVER', 'TAKEOVER')
    await until(
      async () => (await Promise.all(nodes.slice(3).map(roleOf))).every((role) => role === 'master'),
      'the replicas have taken over',
    )

    const seen = new Set<string>()
    await until(() => losses > 0, 'the loss is told of', 30_000)
    await adding
    t.diagnostic(`${wanted.size - 20} keys for each queue were added during the takeover`)
    assert.ok(wanted.size > 20)
    // Each master that is replaced tells what it has until it has heard of that; of one of them it is known already.
    await until(async () => (await depth()) <= taken + unknown - names.length * 19, 'those of before are lost')
    relists = true
    await addAll()
    for (const { queue } of opened) await queue.run(async (key) => void seen.add(key), { concurrency: 5, retryAfterMs: () => 1_000 })
    const all = opened.flatMap(({ name }) => [...wanted].map((key) => `${name} ${key}`))
    await until(() => all.every((key) => seen.has(key)), 'each key is looked at', 60_000)
  })
})
