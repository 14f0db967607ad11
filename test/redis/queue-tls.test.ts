// Redis over TLS, with a redis-server and a Sentinel that speak nothing else.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Queues } from '../../core/contracts/queue.ts'
import { ConfigInvalid, QueueUnavailable } from '../../core/errors.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { findRedisServer } from '../../platform/redis-server/install.ts'
import { keep, type KeptServer } from '../../platform/redis-server/keep.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { redisSkip } from '../setup/redis.ts'
import { until } from '../setup/until.ts'

const life = { now: Date.now(), ms: 3_600_000 }
const [ours, others] = [makeAuthority('ours', life), makeAuthority('others', life)]

describe('the queue over Redis with TLS', { skip: redisSkip }, () => {
  const closers: (() => Promise<unknown>)[] = []
  let folder: string
  let l4Port = 0
  let sentinel = 0
  const file = (name: string): string => join(folder, name)
  const open = (redis: string, redisCa?: string): Queues => {
    const queues = openQueues({
      redis,
      ...(redisCa !== undefined && { redisCa: file(redisCa) }),
      prefix: randomUUID(),
      log: silentLog(),
      clock: realClock,
    })
    closers.push(() => queues.close())
    return queues
  }
  async function server(at: number, args: readonly string[]): Promise<KeptServer> {
    const own = file(`${at}`)
    await mkdir(own)
    const tls = [
      '--port',
      '0',
      '--tls-port',
      `${at}`,
      '--bind',
      '127.0.0.1',
      '--tls-cert-file',
      file('leaf.crt'),
      '--tls-key-file',
      file('leaf.key'),
      '--tls-ca-cert-file',
      file('ours.crt'),
      '--tls-auth-clients',
      'no',
      '--tls-replication',
      'yes',
    ]
    const each = await keep(findRedisServer()!, [...args, ...tls, '--dir', own], { log: join(own, 'log') })
    closers.push(() => each.stop())
    return each
  }
  async function isUsed(queues: Queues): Promise<void> {
    await until(() => queues.problem() === undefined, 'the queues are ready')
    const queue = queues.open('keys')
    const seen: string[] = []
    await queue.run((key) => Promise.resolve(seen.push(key)).then(() => undefined), { concurrency: 1, retryAfterMs: () => 1_000 })
    await queue.add('a')
    await until(() => seen.includes('a'), 'the key is looked at')
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-redis-tls-'))
    const leaf = issueLeaf(ours, ['127.0.0.1'], life)
    for (const [name, text] of Object.entries({
      'leaf.crt': leaf.cert,
      'leaf.key': leaf.key,
      'ours.crt': ours.cert,
      'others.crt': others.cert,
    }))
      await writeFile(file(name), text)
    ;[l4Port, sentinel] = (await freePorts(2)) as [number, number]
    await server(l4Port, ['--save', ''])
    await writeFile(file('sentinel.conf'), `sentinel monitor mymaster 127.0.0.1 ${l4Port} 1\n`)
    await server(sentinel, [file('sentinel.conf'), '--sentinel'])
  })
  after(async () => {
    for (const close of closers.toReversed()) await close()
    await rm(folder, { recursive: true })
  })

  test('is used where its certificate is of the authority that was named', () => isUsed(open(`rediss://127.0.0.1:${l4Port}`, 'ours.crt')))
  test('is found over TLS by a Sentinel that is asked over TLS', () =>
    isUsed(open(`rediss+sentinel://127.0.0.1:${sentinel}/mymaster`, 'ours.crt')))

  for (const [what, ca] of Object.entries({ 'another authority': 'others.crt', 'an authority that nobody named': undefined })) {
    test(`is not used where its certificate is of ${what}, and the problem says so`, async () => {
      const queues = open(`rediss://127.0.0.1:${l4Port}`, ca)
      await until(() => /certificate/.test(queues.problem() ?? ''), 'the problem is told')
      await assert.rejects(queues.open('keys').add('a'), QueueUnavailable)
    })
  }
  test('is ended at any moment of a handshake that comes to nothing, and that harms nobody', async () => {
    for (let ms = 0; ms < 20; ms++) {
      const queues = open(`rediss://127.0.0.1:${l4Port}`)
      await pause(ms)
      await queues.close()
    }
    // An error that nobody listens to comes with the answer of the server.
    await pause(200)
  })
  test('is asked for in vain where the server takes TLS alone', async () => {
    const queues = open(`redis://127.0.0.1:${l4Port}`)
    await assert.rejects(queues.open('keys').add('a'), QueueUnavailable)
  })
  test('an authority for a Redis without TLS, or in no file, is refused at once', () => {
    assert.throws(
      () => open(`redis://127.0.0.1:${l4Port}`, 'ours.crt'),
      (err) => err instanceof ConfigInvalid && /MEGREZ_REDIS_CA.*rediss/.test(err.message),
    )
    assert.throws(
      () => open(`rediss://127.0.0.1:${l4Port}`, 'none.crt'),
      (err) => err instanceof ConfigInvalid && /none\.crt/.test(err.message),
    )
  })
})
