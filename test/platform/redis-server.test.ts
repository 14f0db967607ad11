import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRedisServer } from '../../platform/redis-server.ts'

test('where there is no redis-server, declining its installation is answered with the reason', async (t) => {
  const path = process.env.PATH
  t.after(() => (process.env.PATH = path))
  process.env.PATH = '/nowhere'
  assert.deepEqual(await startRedisServer({ folder: '/nowhere', install: false }), {
    missing: 'redis-server: it is not on PATH, and installing it was declined',
  })
})
