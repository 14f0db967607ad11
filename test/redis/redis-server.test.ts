import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { Redis } from 'ioredis'
import { ping } from '../../platform/redis-server/ping.ts'
import { startRedisServer } from '../../platform/redis-server.ts'
import type { RedisServer } from '../../platform/redis-server.ts'
import { redisSkip } from '../setup/redis.ts'
import { until } from '../setup/until.ts'

async function started(folder: string): Promise<RedisServer> {
  const server = await startRedisServer({ folder, install: false })
  assert.ok('socket' in server, JSON.stringify(server))
  return server
}

const alive = (pid: number) => existsSync(`/proc/${pid}`)

describe('a private redis-server', { skip: redisSkip }, () => {
  test('answers on its socket, listens on no port, and leaves no process and no socket', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'megrez-redis-'))
    t.after(() => rm(folder, { recursive: true }))
    const server = await started(folder)
    assert.equal(await ping(server.socket), '+PONG')
    const client = new Redis(server.socket)
    assert.deepEqual(await client.config('GET', 'port'), ['port', '0'])
    assert.deepEqual(await client.config('GET', 'maxmemory-policy'), ['maxmemory-policy', 'noeviction'])
    await client.quit()
    await server.stop()
    await server.stop()
    assert.equal(alive(server.pid), false)
    assert.equal(await ping(server.socket), undefined)
    assert.ok(!(await readdir(folder)).includes('redis.sock'))
  })

  test('what was written is there after a stop and a start', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'megrez-redis-'))
    t.after(() => rm(folder, { recursive: true }))
    for (const expected of [null, 'yes']) {
      const server = await started(folder)
      const client = new Redis(server.socket)
      assert.equal(await client.get('kept'), expected)
      await client.set('kept', 'yes')
      await client.quit()
      await server.stop()
    }
  })

  test('a folder with a long path gets its socket elsewhere, and that place is removed', async (t) => {
    const parent = await mkdtemp(join(tmpdir(), 'megrez-redis-'))
    t.after(() => rm(parent, { recursive: true }))
    const server = await started(join(parent, 'x'.repeat(100)))
    assert.ok(Buffer.byteLength(server.socket) <= 100, server.socket)
    assert.equal(await ping(server.socket), '+PONG')
    const second = await startRedisServer({ folder: join(parent, 'x'.repeat(100)), install: false, leaveMs: 100 })
    assert.ok('missing' in second && second.missing.includes('another redis-server'), JSON.stringify(second))
    await server.stop()
    assert.equal(existsSync(join(server.socket, '..')), false)
  })

  test('ends when the process that started it is killed', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'megrez-redis-'))
    t.after(() => rm(folder, { recursive: true }))
    const owner = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../setup/redis-owner.ts'), folder],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const [line] = await once(createInterface(owner.stdout), 'line')
    const { pid, socket } = JSON.parse(String(line)) as { pid: number; socket: string }
    assert.equal(await ping(socket), '+PONG')
    owner.kill('SIGKILL')
    await until(() => !alive(pid), 'the server is gone')
    await (await started(folder)).stop()
  })

  test('a server that others run in the same folder is left alone', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'megrez-redis-'))
    t.after(() => rm(folder, { recursive: true }))
    const first = await started(folder)
    const second = await startRedisServer({ folder, install: false, leaveMs: 100 })
    assert.ok('missing' in second && second.missing.includes('another redis-server'), JSON.stringify(second))
    assert.equal(await ping(first.socket), '+PONG')
    await first.stop()
  })
})
