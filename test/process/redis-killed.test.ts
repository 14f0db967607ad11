// The redis-server of a standalone server killed under it, as by the kernel when memory runs out: what is asked for still becomes true.
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Redis } from 'ioredis'
import type { Rest } from '../../cli/demo/rest.ts'
import { findRedisServer } from '../../platform/redis-server/install.ts'
import { redisSkip } from '../setup/redis.ts'
import { until } from '../setup/until.ts'
import { serve, type Running } from './server.ts'

const folder = await mkdtemp(join(tmpdir(), 'megrez-oom-'))
after(() => rm(folder, { recursive: true, force: true }))

const base = '/v1/namespaces/oom'

async function vpcIsServed(rest: Rest, name: string): Promise<void> {
  assert.equal(
    (await rest.call('POST', `${base}/vpcs`, { apiVersion: 'megrez.io/v1alpha1', kind: 'Vpc', metadata: { name }, spec: {} })).status,
    201,
  )
  await until(async () => (await rest.call('GET', `${base}/vpcs/${name}`)).body.status?.phase === 'ready', `${name} is served`, 60_000)
}

async function killRedis(data: string): Promise<void> {
  const client = new Redis(join(data, 'redis/redis.sock'))
  const pid = Number(/^process_id:(\d+)/m.exec(await client.info('server'))?.[1])
  client.disconnect()
  process.kill(pid, 'SIGKILL')
}

const ready = async ({ line }: Running): Promise<number> => (await fetch(`${line.url}/readyz`)).status

test('it is started anew, three times running, and what was asked for meanwhile is served', { skip: redisSkip }, async () => {
  const data = join(folder, 'killed')
  const running = await serve(data, { args: ['--no-install'] })
  try {
    for (let kill = 0; kill < 3; kill++) {
      await killRedis(data)
      await vpcIsServed(running.rest, `v${kill}`)
      await until(async () => (await ready(running)) === 200, 'it is well again', 60_000)
    }
  } finally {
    assert.equal(await running.end('SIGTERM'), 0)
  }
})

test('where it cannot be started any more, this process queues by itself', { skip: redisSkip }, async () => {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const program = join(bin, 'redis-server')
  await writeFile(program, `#!/bin/sh\nexec ${findRedisServer() ?? ''} "$@"\n`)
  await chmod(program, 0o755)
  const data = join(folder, 'unusable')
  const running = await serve(data, { args: ['--no-install'], env: { PATH: `${bin}:${process.env.PATH ?? ''}` } })
  try {
    await vpcIsServed(running.rest, 'before')
    await writeFile(program, '#!/bin/sh\necho no memory >&2\nexit 1\n')
    await killRedis(data)
    await vpcIsServed(running.rest, 'after')
    await until(async () => (await ready(running)) === 200, 'it is well again', 60_000)
  } finally {
    assert.equal(await running.end('SIGTERM'), 0)
  }
})
