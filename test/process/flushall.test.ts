// Redis emptied under a running server: nothing is lost, for Redis held nothing but keys.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Redis } from 'ioredis'
import { startRedisServer } from '../../platform/redis-server.ts'
import { redisSkip } from '../setup/redis.ts'
import { until } from '../setup/until.ts'
import { breaches } from './invariants.ts'
import { serve } from './server.ts'

const folder = await mkdtemp(join(tmpdir(), 'megrez-flush-'))
after(() => rm(folder, { recursive: true, force: true }))

test('FLUSHALL again and again while 300 pods come: all are served, none twice', { skip: redisSkip }, async () => {
  const server = await startRedisServer({ folder: join(folder, 'redis'), install: false })
  assert.ok('socket' in server)
  const { rest, end } = await serve(join(folder, 'data'), { env: { MEGREZ_REDIS: server.socket } })
  const redis = new Redis(server.socket)
  try {
    const base = '/v1/namespaces/flush'
    await rest.call('POST', `${base}/vpcs`, { apiVersion: 'megrez.io/v1alpha1', kind: 'Vpc', metadata: { name: 'v' }, spec: {} })
    await rest.call('POST', `${base}/subnets`, {
      apiVersion: 'megrez.io/v1alpha1',
      kind: 'Subnet',
      metadata: { name: 's' },
      spec: { vpc: 'v', ipv4: { cidr: '10.1.0.0/22' } },
    })
    await until(async () => (await rest.call('GET', `${base}/subnets/s`)).body.status?.phase === 'ready', 'the Subnet is ready')
    const pods = Array.from({ length: 300 }, (_, i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `p${i}` },
      spec: { containers: [{ name: 'c', image: 'example.org/c' }], vpc: 'v' },
    }))
    for (const [i, pod] of pods.entries()) {
      assert.equal((await rest.call('POST', `${base}/pods`, pod)).status, 201)
      if (i % 20 === 0) await redis.flushall()
    }
    const ready = async (): Promise<number> =>
      ((await rest.call('GET', `${base}/ports?limit=500`)).body.items ?? []).filter((port) => port.status?.phase === 'ready').length
    await until(async () => (await ready()) === 300, 'every pod has its Port', 60_000)
    assert.deepEqual(await breaches(rest), [])
  } finally {
    redis.disconnect()
    await end('SIGTERM')
    await server.stop()
  }
})
