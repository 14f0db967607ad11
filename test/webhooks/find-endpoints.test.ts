// Find over REST: which endpoints a client gets, once and as they change.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { SpecOf } from '../../core/kinds/index.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { readEvents, type EventReader } from './event-reader.ts'
import { openHarness, type Harness } from './rest-harness.ts'

let rest: Harness
let url = ''
const clock = new TurnedClock(1_800_000_000_000)
before(async () => {
  rest = await openHarness((store) => store, clock)
  await rest.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(rest.app.server.address() as AddressInfo).port}`
  await service('svc', {
    matches: [{ source_selector: { app: 'web' }, routes: [{ destination_selector: { zone: '{{.zone}}' } }] }, { routes: [{}] }],
  })
  await endpoint('nse-b', { zone: 'b' })
  await endpoint('nse-a', { zone: 'a' })
  await endpoint('other', { zone: 'a' }, { network_service_names: ['another'] })
  await rest.store.create({
    kind: 'NetworkServiceEndpoint',
    metadata: { namespace: 'elsewhere', name: 'nse-0' },
    spec: { network_service_names: ['svc'] },
  })
})
after(() => rest.close())

const at = '/v1/namespaces/a/networkservices/svc/endpoints'
const service = (name: string, spec: SpecOf<'NetworkService'>) =>
  rest.store.create({ kind: 'NetworkService', metadata: { namespace: 'a', name }, spec })
const endpoint = (name: string, labels: Record<string, string>, more: SpecOf<'NetworkServiceEndpoint'> = {}) =>
  rest.store.create({
    kind: 'NetworkServiceEndpoint',
    metadata: { namespace: 'a', name },
    spec: { network_service_names: ['svc'], network_service_labels: { svc: { labels } }, ...more },
  })
const names = (body: object): string =>
  (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name).join(' ')

describe('the endpoints of a client', () => {
  test('are those of the matches, in order, of its own namespace, without expired ones', async () => {
    await endpoint('late', { zone: 'b' }, { expiration_time: { seconds: 1 } })
    const found = async (query: string): Promise<string> => names((await rest.ask(`GET ${at}${query}`)).body)
    assert.equal(await found(''), 'nse-a nse-b')
    assert.equal(await found('?label=app=web&label=zone=b'), 'nse-b')
    assert.equal(await found('?label=app=web&label=zone=c'), '')
    const { body } = await rest.ask(`GET ${at}`)
    assert.deepEqual([(body as { service: string }).service, (body as { payload: string }).payload], ['svc', 'IP'])
  })

  test('a service that names itself otherwise is found by its object, and its endpoints by its name', async () => {
    await service('object', { name: 'another', payload: 'ETHERNET' })
    const { body } = await rest.ask('GET /v1/namespaces/a/networkservices/object/endpoints')
    assert.deepEqual(
      [(body as { service: string }).service, (body as { payload: string }).payload, names(body)],
      ['another', 'ETHERNET', 'other'],
    )
  })

  test('one that is not there is not found, and a question that is none is refused with its parameter', async () => {
    assert.equal((await rest.ask('GET /v1/namespaces/a/networkservices/none/endpoints')).status, 404)
    for (const query of ['?label=x', '?label==x', '?label=a=1&label=a=2', '?lable=a=b', '?watch=yes'])
      assert.equal((await rest.ask(`GET ${at}${query}`)).status, 400, query)
    assert.equal((await rest.ask(`GET ${at}?label=x`)).problem.errors?.[0]?.parameter, 'label')
  })

  test('followed, tell what comes, is refreshed, goes and expires, and all anew where the matches change', async () => {
    const reader = await readEvents(`${url}${at}?watch=true&label=app=web&label=zone=b`, { authorization: `Bearer ${rest.token}` })
    const told = async (): Promise<string> => wordsOf(await reader.next())
    try {
      assert.equal(await told(), 'all nse-b')
      const seconds = Math.floor(clock.now() / 1000) + 60
      const made = await endpoint('nse-0', { zone: 'b' }, { expiration_time: { seconds } })
      assert.equal(await told(), 'all nse-0 nse-b')
      await rest.store.commit([{ do: 'update', item: { ...made, spec: { ...made.spec, expiration_time: { seconds: seconds + 60 } } } }])
      assert.equal(await told(), 'put nse-0')
      clock.advance(121_000)
      assert.equal(await told(), 'gone nse-0', 'by the clock alone')
      await rest.store.commit([{ do: 'delete', ref: { kind: 'NetworkServiceEndpoint', namespace: 'a', name: 'nse-b' } }])
      assert.equal(await told(), 'gone nse-b')
      const svc = (await rest.store.get({ kind: 'NetworkService', namespace: 'a', name: 'svc' }))!
      await rest.store.commit([{ do: 'update', item: { ...svc, spec: {} } }])
      assert.equal(await told(), 'all nse-a')
    } finally {
      reader.stop()
    }
  })
})

type ReadEvent = Awaited<ReturnType<EventReader['next']>>
const wordsOf = ({ event, data }: ReadEvent): string =>
  `${event} ${(data.items ?? [data]).map(({ metadata }) => metadata?.name).join(' ')}`.trim()
