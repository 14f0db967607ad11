import assert from 'node:assert/strict'
import { connect, type AddressInfo } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import type { WatchEvent } from '../../core/contracts/store.ts'
import { TurnedClock } from '../../platform/clock.ts'
import type { SqliteStore } from '../../platform/store/sqlite.ts'
import { until } from '../setup/until.ts'
import { openHarness, type Harness } from './rest-harness.ts'

let rest: Harness
let url: string
before(async () => {
  rest = await openHarness()
  url = `http://127.0.0.1:${await listen(rest)}`
})
after(() => rest.close())
const open: AbortController[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.abort()
})

async function listen({ app }: Harness): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

interface StreamedEvent {
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: { readonly resourceVersion?: string; readonly items?: readonly Item[]; readonly metadata?: Item['metadata'] } | undefined
}
interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion: string }
}

/** A client as an EventSource is one, as far as we use it. */
async function watch(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; next: () => Promise<StreamedEvent>; ended: () => Promise<boolean>; type: string | null }> {
  const stop = new AbortController()
  open.push(stop)
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${rest.token}`, ...headers }, signal: stop.signal })
  const events = read(answer.body as ReadableStream<Uint8Array>)
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    async next() {
      const { value, done } = await events.next()
      assert.ok(done !== true && value !== undefined, 'the watch has ended')
      return value
    },
    async ended() {
      return (await events.next()).done === true
    },
  }
}

async function* read(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent, undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      text = text.slice(end + 2)
      const data = fields.get('data')
      if (fields.has('event'))
        yield {
          event: fields.get('event'),
          id: fields.get('id'),
          data: data === undefined ? undefined : (JSON.parse(data) as NonNullable<StreamedEvent['data']>),
        }
    }
  }
}

const make = (namespace: string, name: string, labels: Readonly<Record<string, string>> = {}) =>
  rest.store.create({ kind: 'SecurityGroup', metadata: { namespace, name, labels }, spec: {} })
const path = (namespace: string, more = '') => `/v1/namespaces/${namespace}/securitygroups?watch=true${more}`

describe('a watch', () => {
  test('begins with everything, then tells each change with its version', async () => {
    const a = await make('w1', 'a')
    const client = await watch(path('w1'))
    assert.deepEqual([client.status, client.type], [200, 'text/event-stream'])
    const all = await client.next()
    assert.deepEqual([all.event, all.data?.items?.map((each) => each.metadata.name)], ['all', ['a']])
    assert.equal(all.id, all.data?.resourceVersion)
    const b = await make('w1', 'b')
    await make('other', 'c')
    const changed = await rest.store.update({ ...a, spec: { callbackURL: 'https://example.org/' } })
    await rest.store.delete({ kind: 'SecurityGroup', namespace: 'w1', name: 'b' })
    const told = [await client.next(), await client.next(), await client.next()]
    assert.deepEqual(
      told.map(({ event, data }) => [event, data?.metadata?.name]),
      [
        ['put', 'b'],
        ['put', 'a'],
        ['gone', 'b'],
      ],
    )
    assert.deepEqual(told.map(({ id }) => id).slice(0, 2), [b.metadata.resourceVersion, changed.metadata.resourceVersion])
    assert.ok(Number(told[2]?.id) > Number(told[1]?.id))
  })

  test('goes on after the last event that was seen, told by header or address', async () => {
    const a = await make('w2', 'a')
    await make('w2', 'b')
    for (const client of [
      await watch(path('w2'), { 'last-event-id': a.metadata.resourceVersion }),
      await watch(path('w2', `&resourceVersion=${a.metadata.resourceVersion}`)),
    ]) {
      const { event, data } = await client.next()
      assert.deepEqual([event, data?.metadata?.name], ['put', 'b'])
    }
  })

  test('from a version that nobody knows begins anew', async () => {
    await make('w3', 'a')
    const client = await watch(path('w3'), { 'last-event-id': '999999999' })
    assert.equal((await client.next()).event, 'all')
  })

  test('follows a list without gap', async () => {
    await make('w4', 'a')
    const { metadata } = (await rest.ask('GET /v1/namespaces/w4/securitygroups')).body as { metadata: { resourceVersion: string } }
    await make('w4', 'b')
    const { event, data } = await (await watch(path('w4', `&resourceVersion=${metadata.resourceVersion}`))).next()
    assert.deepEqual([event, data?.metadata?.name], ['put', 'b'])
  })

  test('with a selector is told when something leaves the selection', async () => {
    const a = await make('w5', 'a', { tier: 'web' })
    const client = await watch(path('w5', '&labelSelector=tier%3Dweb'))
    assert.equal((await client.next()).data?.items?.length, 1)
    await rest.store.update({ ...a, metadata: { ...a.metadata, labels: { tier: 'db' } } })
    assert.deepEqual((await client.next()).event, 'gone')
  })

  test('of all namespaces is offered too, and HEAD is not', async () => {
    const client = await watch('/v1/securitygroups?watch=true&fieldSelector=metadata.name%3Donly')
    await client.next()
    await make('w6', 'only')
    assert.equal((await client.next()).data?.metadata?.name, 'only')
    assert.equal((await fetch(url + path('w6'), { method: 'HEAD', headers: { authorization: `Bearer ${rest.token}` } })).status, 405)
  })

  test('ends with the token', async () => {
    const token = await rest.issuer.issue({ subject: 'brief', scope: 'viewer' }, 2)
    const client = await watch(path('w7'), { authorization: `Bearer ${token}` })
    assert.equal((await client.next()).event, 'all')
    assert.ok(await client.ended())
  })

  test('takes no more from the store than its reader takes from it', async () => {
    let taken = 0
    let left = false
    const item = await make('w8', 'a', { large: 'x'.repeat(60) })
    const large = { ...item, metadata: { ...item.metadata, annotations: { text: 'x'.repeat(10_000) } } }
    async function* endless(): AsyncGenerator<WatchEvent<'SecurityGroup'>> {
      try {
        for (; ; taken++) yield { type: 'put', item: large }
      } finally {
        left = true
      }
    }
    const own = await openHarness((store) => Object.create(store, { watch: { value: endless } }) as SqliteStore)
    const socket = connect(await listen(own), '127.0.0.1')
    try {
      socket.pause().write(`GET ${path('w8')} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${own.token}\r\n\r\n`)
      let before = -1
      let still = 0
      await until(() => {
        still = taken === before && taken > 0 ? still + 1 : 0
        before = taken
        return still === 20
      }, 'nothing more is taken')
      assert.ok(taken * 10_000 < 32 * 1024 * 1024, `${taken} of 10 kB wait somewhere`)
      socket.destroy()
      await until(() => left, 'the store is let go of when the reader is gone')
    } finally {
      socket.destroy()
      await own.close()
    }
  })

  test('says that it is still there, and lets go of a reader that is stuck', async () => {
    const item = await make('w9', 'a')
    const large = { ...item, metadata: { ...item.metadata, annotations: { text: 'x'.repeat(100_000) } } }
    let flowing = false
    let left = 0
    async function* quietThenEndless(): AsyncGenerator<WatchEvent<'SecurityGroup'>> {
      try {
        yield { type: 'put', item }
        while (!flowing) await new Promise((done) => setImmediate(done))
        while (true) yield { type: 'put', item: large }
      } finally {
        left++
      }
    }
    const clock = new TurnedClock(Date.now())
    const own = await openHarness((store) => Object.create(store, { watch: { value: quietThenEndless } }) as SqliteStore, clock)
    const socket = connect(await listen(own), '127.0.0.1')
    try {
      let told = ''
      socket.on('data', (piece) => (told += piece.toString()))
      socket.write(`GET ${path('w9')} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${own.token}\r\n\r\n`)
      await until(() => told.includes('event: put'), 'the first is told')
      clock.advance(15_000)
      await until(() => told.includes(': still here\n\n'), 'a sign of life')
      socket.pause()
      flowing = true
      await until(() => {
        clock.advance(1_000)
        return left === 1
      }, 'the store is let go of')
    } finally {
      socket.destroy()
      await own.close()
    }
  })

  test('ends when the server stops, and does not keep it from stopping', async () => {
    const own = await openHarness()
    try {
      const answer = await fetch(`http://127.0.0.1:${await listen(own)}/v1/vpcs?watch=true`, {
        headers: { authorization: `Bearer ${own.token}` },
      })
      const events = read(answer.body as ReadableStream<Uint8Array>)
      assert.equal((await events.next()).value?.event, 'all')
      await own.app.close()
      assert.equal((await events.next()).done, true, 'an end, not a broken connection')
    } finally {
      await own.close()
    }
  })
})
