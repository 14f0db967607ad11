// From the request that caused a change to whoever is told of it: one trace.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HTTP, type CloudEvent } from 'cloudevents'
import type { Resource } from '../../core/kinds/index.ts'
import { until } from '../setup/until.ts'
import type { Received } from '../workers/notify-receiver.ts'
import { using, type Site } from './rest-site.ts'

const traceparent = (digit: string): string => `00-${digit.repeat(32)}-00f067aa0ba902b7-00`
const traceOf = ({ headers }: Received): string | undefined =>
  /^00-([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-0[01]$/.exec(headers['traceparent'] ?? '')?.[1]
const find = ({ receiver }: Site, name: string, phase: string): Received | undefined =>
  receiver.taken.find((each) => each.phase === phase && each.body.includes(`"name":"${name}"`))
const receivedOf = async (site: Site, name: string, phase: string): Promise<Received> => {
  await until(() => find(site, name, phase) !== undefined, `${name} is told to be ${phase}`)
  return find(site, name, phase)!
}
const vpcs = '/v1/namespaces/a/vpcs'

describe('the trace of a request', () => {
  test('goes with what is told of its change, each sending a span of its own; and of the end, that of its deletion', () =>
    using(async (site) => {
      const { call, whole, receiver } = site
      await whole.subscribe('a/nfvo', { sink: receiver.url })
      const made = await call(`POST ${vpcs}`, {
        body: { metadata: { name: 'blue' }, spec: {} },
        headers: { traceparent: traceparent('a') },
      })
      assert.equal(made.status, 201)
      const ready = await receivedOf(site, 'blue', 'ready')
      assert.equal(traceOf(ready), 'a'.repeat(32))
      assert.ok(!ready.headers['traceparent']?.includes('00f067aa0ba902b7'), 'a span of our own')
      assert.match(ready.headers['traceparent'] ?? '', /-00$/, 'what the caller does not record we do not either')
      const gone = await call(`DELETE ${vpcs}/blue`, { headers: { 'if-match': made.headers['etag'] ?? '', traceparent: traceparent('b') } })
      assert.ok(gone.status < 300, gone.text)
      assert.equal(traceOf(await receivedOf(site, 'blue', 'deleted')), 'b'.repeat(32))
    }))

  test('takes along what the systems on its way have added', () =>
    using(async (site) => {
      const { call, whole, receiver } = site
      await whole.subscribe('a/nfvo', { sink: receiver.url })
      const tracestate = 'vendor=t61rcWkgMzE, 0af@mesh=1'
      const made = await call(`POST ${vpcs}`, {
        body: { metadata: { name: 'blue' }, spec: {} },
        headers: { traceparent: traceparent('a'), tracestate },
      })
      assert.equal(made.status, 201)
      assert.equal((await receivedOf(site, 'blue', 'ready')).headers['tracestate'], 'vendor=t61rcWkgMzE,0af@mesh=1')
    }))

  test('and the time of the last request that wanted something else stand on an object', () =>
    using(async ({ call, rest }) => {
      const at = async (): Promise<string | undefined> =>
        (await rest.store.get({ kind: 'Vpc', namespace: 'a', name: 'blue' }))?.metadata.annotations?.['megrez.io/requested-at']
      const patch = async (body: object): Promise<void> =>
        assert.equal((await call(`PATCH ${vpcs}/blue`, { body, headers: { 'if-match': '*' } })).status, 200)
      await call(`POST ${vpcs}`, { body: { metadata: { name: 'blue' }, spec: {} } })
      const first = await at()
      await patch({ metadata: { labels: { a: 'b' } } })
      assert.deepEqual([typeof first, await at()], ['string', first], 'a label is nothing that is waited for')
      await patch({ metadata: { annotations: { 'megrez.io/requested-at': '2001-01-01T00:00:00Z' } } })
      assert.equal(await at(), first, 'nobody else says when he asked')
      await until(() => Date.now() > Date.parse(first!), 'a millisecond is over')
      await patch({ spec: { mtu: 1_400 } })
      assert.notEqual(await at(), first)
    }))

  test('is that of the last request, is none after one that names none, and never rubbish', () =>
    using(async ({ call, rest }) => {
      const kept = async (): Promise<string | undefined> =>
        (await rest.store.get({ kind: 'Vpc', namespace: 'a', name: 'blue' }))?.metadata.annotations?.['megrez.io/traceparent']
      const patch = async (mtu: number, headers: Record<string, string>): Promise<void> =>
        assert.equal((await call(`PATCH ${vpcs}/blue`, { body: { spec: { mtu } }, headers: { 'if-match': '*', ...headers } })).status, 200)
      await call(`POST ${vpcs}`, { body: { metadata: { name: 'blue' }, spec: {} }, headers: { traceparent: 'rubbish' } })
      assert.equal(await kept(), undefined)
      await patch(1_400, { traceparent: traceparent('c') })
      assert.equal(await kept(), traceparent('c'))
      await patch(1_300, {})
      assert.equal(await kept(), undefined)
    }))

  test('goes through a pod to the Ports that are made for it, and into CloudEvents as their extension', () =>
    using(
      async (site) => {
        const { call, whole, receiver, rest } = site
        await rest.network('a')
        await whole.subscribe('a/events', { sink: receiver.url, profile: 'cloudevents', filter: { kinds: ['Port'] } })
        const made = await call('POST /v1/namespaces/a/pods', {
          body: {
            metadata: { name: 'web' },
            spec: {
              containers: [{ name: 'c', image: 'example.org/c' }],
              vpc: 'vpc-1a2b3c4d',
              nics: [{ name: 'eth0', subnet: 'subnet-1' }],
            },
          },
          headers: { traceparent: traceparent('d') },
        })
        assert.equal(made.status, 201, made.text)
        await until(() => receiver.taken.some(({ phase }) => phase === 'ready'), 'its Port is told to be ready')
        const { headers, body } = receiver.taken.find(({ phase }) => phase === 'ready')!
        const event = HTTP.toEvent<Resource>({ headers, body }) as CloudEvent<Resource>
        assert.deepEqual([event.type, event['traceparent']], ['io.megrez.port.ready', traceparent('d')])
        assert.equal(headers['traceparent']?.slice(3, 35), 'd'.repeat(32))
      },
      ({ method }, response) => {
        if (method !== 'OPTIONS') return 204
        response.writeHead(200, { 'webhook-allowed-origin': '*' }).end()
        return undefined
      },
    ))
})
