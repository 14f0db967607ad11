// Many kinds on one stream, over real HTTP: who sees what, going on, and readers that are slow.
import assert from 'node:assert/strict'
import { connect, type AddressInfo } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { WatchEvent } from '../../core/contracts/store.ts'
import type { AccessRequest } from '../../core/admit/rest/roles.ts'
import { TurnedClock } from '../../platform/clock.ts'
import type { SqliteStore } from '../../platform/store/sqlite.ts'
import { backlogMax } from '../../webhooks/rest/across/backlog.ts'
import { until } from '../setup/until.ts'
import { readEvents, type EventReader } from './event-reader.ts'
import { openHarness, type Harness } from './rest-harness.ts'

let rest: Harness
let url: string
before(async () => {
  rest = await openHarness()
  url = await listen(rest.app)
})
after(() => rest.close())
const open: EventReader[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.stop()
})

async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}
async function watch(path: string, { token = rest.token, last = '', at = url } = {}): Promise<EventReader> {
  const reader = await readEvents(`${at}/v1/watch?${path}`, {
    authorization: `Bearer ${token}`,
    ...(last !== '' && { 'last-event-id': last }),
  })
  open.push(reader)
  return reader
}
const group = (namespace: string, name: string) => rest.store.create({ kind: 'SecurityGroup', metadata: { namespace, name }, spec: {} })
const vpc = (namespace: string, name: string) =>
  rest.store.create({ kind: 'Vpc', metadata: { namespace, name }, spec: { provider: 'builtin' } })
const viewer = (...namespaces: readonly string[]): Promise<string> =>
  rest.issuer.issue({ subject: 'alice', scope: 'viewer', namespaces }, 600)

describe('a watch of many kinds', () => {
  test('says what is watched, then all there is of each, then each change', async () => {
    await group('k1', 'a')
    await vpc('k1', 'v')
    const reader = await watch('kinds=SecurityGroup,vpcs&namespace=k1')
    assert.deepEqual([reader.status, reader.answer.headers.get('content-type')], [200, 'text/event-stream'])
    const begin = await reader.next()
    assert.deepEqual(begin.data, {
      parts: [
        { kind: 'SecurityGroup', namespace: 'k1' },
        { kind: 'Vpc', namespace: 'k1' },
      ],
      resumed: false,
    })
    assert.deepEqual((await reader.words(2)).sort(), ['all SecurityGroup@k1 k1/a', 'all Vpc@k1 k1/v'])
    await group('k1', 'b')
    await group('other', 'c')
    await vpc('k1', 'w')
    await rest.store.delete({ kind: 'SecurityGroup', namespace: 'k1', name: 'b' })
    const told = await reader.words(3)
    assert.deepEqual(
      told.filter((each) => each.includes('SecurityGroup')),
      ['put SecurityGroup k1/b', 'gone SecurityGroup k1/b'],
    )
    assert.ok(told.includes('put Vpc k1/w'))
  })

  test('by names tells nothing of what there is, and of what changes the name alone', async () => {
    await group('k9', 'a')
    const reader = await watch('kinds=SecurityGroup&namespace=k9&names=true')
    await reader.next()
    const all = await reader.next()
    assert.deepEqual([all.event, (all.data as { readonly items: readonly unknown[] }).items], ['all', []])
    await group('k9', 'b')
    const put = await reader.next()
    assert.deepEqual([put.event, put.data], ['put', { kind: 'SecurityGroup', metadata: { namespace: 'k9', name: 'b' } }])
    reader.stop()
    await group('k9', 'c')
    const again = await watch('kinds=SecurityGroup&namespace=k9&names=true', { last: put.id! })
    await again.next()
    assert.deepEqual(await again.words(1), ['put SecurityGroup k9/c'])
  })

  test('goes on after what was seen of each kind', async () => {
    await group('k2', 'a')
    const first = await watch('kinds=SecurityGroup,Vpc&namespace=k2')
    await first.next()
    await first.next()
    const last = (await first.next()).id!
    first.stop()
    await vpc('k2', 'v')
    await group('k2', 'b')
    const second = await watch('kinds=SecurityGroup,Vpc&namespace=k2', { last })
    assert.equal((await second.next()).data.resumed, true)
    assert.deepEqual((await second.words(2)).sort(), ['put SecurityGroup k2/b', 'put Vpc k2/v'])
  })

  test('asked for other kinds than before begins anew, and what is no place of it is refused', async () => {
    const first = await watch('kinds=SecurityGroup&namespace=k3')
    await first.next()
    const last = (await first.next()).id!
    const other = await watch('kinds=Vpc&namespace=k3', { last })
    assert.equal((await other.next()).data.resumed, false)
    assert.deepEqual(await other.words(1), ['all Vpc@k3'])
    for (const bad of ['7', `${last}.x`, `${last}${'.1'.repeat(300)}`, '../..', '"'])
      assert.equal((await watch('kinds=SecurityGroup&namespace=k3', { last: bad })).status, 400, bad)
  })

  test('refuses what it cannot mean, by parameter', async () => {
    const cases: Readonly<Record<string, string>> = {
      '': 'kinds',
      'kinds=': 'kinds',
      'kinds=Prot': 'kinds',
      'kinds=Secret': 'kinds',
      'kinds=Port,': 'kinds',
      'kinds=Port&kinds=Vpc': 'kinds',
      'kinds=Port&namespace=A': 'namespace',
      'kinds=Port&namespace=': 'namespace',
      'kinds=Port&namespaces=a': 'namespaces',
      [`kinds=${'x'.repeat(8000)}`]: 'kinds',
      [`kinds=Port&namespace=${encodeURIComponent('a\u202e<b>')}`]: 'namespace',
    }
    for (const [query, parameter] of Object.entries(cases)) {
      const { status, problem } = await rest.ask(`GET /v1/watch?${query}`)
      assert.deepEqual([status, problem.errors?.[0]?.parameter], [400, parameter], query.slice(0, 60))
    }
    assert.match((await rest.ask('GET /v1/watch?kinds=Prot')).problem.detail, /did you mean Port\?/)
    const head = await fetch(`${url}/v1/watch?kinds=Port`, { method: 'HEAD', headers: { authorization: `Bearer ${rest.token}` } })
    assert.equal(head.status, 405)
  })
})

describe('a viewer of one namespace', () => {
  test('is told of it alone, whether or not the namespace is named', async () => {
    await group('blue', 'mine')
    await group('red', 'theirs')
    const token = await viewer('blue')
    const readers = [await watch('kinds=SecurityGroup', { token }), await watch('kinds=SecurityGroup&namespace=blue', { token })]
    for (const reader of readers) {
      assert.deepEqual((await reader.next()).data.parts, [{ kind: 'SecurityGroup', namespace: 'blue' }])
      assert.deepEqual(await reader.words(1), ['all SecurityGroup@blue blue/mine'])
    }
    await group('red', 'more')
    await group('blue', 'more')
    for (const reader of readers) assert.deepEqual(await reader.words(1), ['put SecurityGroup blue/more'])
  })

  test("is refused another's alike whether it is there or not, and nothing of the cluster is his", async () => {
    const token = await viewer('blue')
    const answers = await Promise.all(
      ['kinds=SecurityGroup&namespace=red', 'kinds=SecurityGroup&namespace=nowhere', 'kinds=Node', 'kinds=SecurityGroup,Fabric'].map(
        (query) => rest.ask(`GET /v1/watch?${query}`, { headers: { authorization: `Bearer ${token}` } }),
      ),
    )
    for (const each of answers) assert.deepEqual([each.status, each.text], [403, answers[0]?.text])
  })

  test('of two is told of both', async () => {
    const reader = await watch('kinds=SecurityGroup', { token: await viewer('blue', 'green') })
    assert.deepEqual(
      (await reader.next()).data.parts?.map(({ namespace }) => namespace),
      ['blue', 'green'],
    )
  })
})

describe('a stream that stands', () => {
  test('ends with its token, saying so', async () => {
    const token = await rest.issuer.issue({ subject: 'brief', scope: 'viewer' }, 2)
    const reader = await watch('kinds=Vpc', { token })
    await reader.next()
    await reader.next()
    const { event, data } = await reader.next()
    assert.deepEqual([event, data.reason], ['end', 'token'])
    assert.ok(await reader.ended())
  })

  test('ends where a right is taken back, and says to begin anew', async () => {
    const clock = new TurnedClock(Date.now())
    const own = await openHarness(undefined, clock)
    let denied = new Set<string>()
    const wouldAllow = async (_caller: unknown, { kind }: AccessRequest): Promise<boolean> => !denied.has(kind)
    const app = own.another({
      access: { wouldAllow, review: () => Promise.resolve(), storeFor: () => undefined, userOf: () => undefined },
    })
    try {
      const reader = await watch('kinds=Vpc,Port', { token: own.token, at: await listen(app) })
      for (let told = 0; told < 3; told++) await reader.next()
      clock.advance(31_000)
      denied = new Set(['Port'])
      let end:
        { readonly event?: string | undefined; readonly id?: string | undefined; readonly data: { readonly reason?: string } } | undefined
      void reader.next().then((event) => (end = event))
      await until(() => {
        clock.advance(1_000)
        return end !== undefined
      }, 'it has ended')
      assert.deepEqual([end?.event, end?.data.reason, end?.id], ['end', 'rights', ''])
    } finally {
      await app.close()
      await own.close()
    }
  })

  test('tells that the server stops, and does not keep it from stopping', async () => {
    const own = await openHarness()
    const reader = await watch('kinds=Vpc', { token: own.token, at: await listen(own.app) })
    await reader.next()
    await reader.next()
    await own.close()
    assert.deepEqual([(await reader.next()).data.reason, await reader.ended()], ['stopping', true])
  })

  test('whose reader takes nothing keeps a bounded backlog, and says to begin anew', async () => {
    let taken = 0
    let left = false
    const item = await group('slow', 'a')
    const large = { ...item, metadata: { ...item.metadata, annotations: { text: 'x'.repeat(10_000) } } }
    async function* endless(): AsyncGenerator<WatchEvent<'SecurityGroup'>> {
      try {
        for (; ; taken++) {
          yield { type: 'put', item: large }
          if (taken % 64 === 0) await new Promise((done) => setImmediate(done))
        }
      } finally {
        left = true
      }
    }
    const own = await openHarness((store) => Object.create(store, { watch: { value: endless } }) as SqliteStore)
    const l4Port = Number(new URL(await listen(own.app)).port)
    const socket = connect(l4Port, '127.0.0.1')
    try {
      socket.pause().write(`GET /v1/watch?kinds=SecurityGroup HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${own.token}\r\n\r\n`)
      await until(() => left, 'the store is let go of')
      assert.ok(taken < backlogMax + 8_000, `${taken} were taken`)
      let told = ''
      socket.on('data', (piece) => (told = (told + piece.toString()).slice(-2_000))).resume()
      await until(() => told.includes('event: end'), 'it is told')
      assert.match(told, /event: end\nid\ndata: \{"reason":"behind"/)
    } finally {
      socket.destroy()
      await own.close()
    }
  })

  test('gives sign of life, and lets go of a reader that is gone', async () => {
    const clock = new TurnedClock(Date.now())
    let left = 0
    const own = await openHarness(
      (store) =>
        Object.create(store, {
          watch: {
            value: async function* (...args: Parameters<SqliteStore['watch']>) {
              try {
                yield* store.watch(...args)
              } finally {
                left++
              }
            },
          },
        }) as SqliteStore,
      clock,
    )
    const socket = connect(Number(new URL(await listen(own.app)).port), '127.0.0.1')
    try {
      let told = ''
      socket.on('data', (piece) => (told += piece.toString()))
      socket.write(`GET /v1/watch?kinds=Vpc,Port HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${own.token}\r\n\r\n`)
      await until(() => told.split('event: all').length === 3, 'all is told')
      clock.advance(15_000)
      await until(() => told.includes(': still here\n\n'), 'a sign of life')
      socket.destroy()
      await until(() => left === 2, 'both watches are let go of')
    } finally {
      socket.destroy()
      await own.close()
    }
  })
})
