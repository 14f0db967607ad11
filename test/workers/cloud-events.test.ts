// Events of a Cloud, over HTTPS to workers as they run, while their clock stands: whoever is looked at has been told of.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { TokenBearer } from '../../core/contracts/cloud.ts'
import { CloudUnreachable } from '../../core/errors.ts'
import type { SpecOf } from '../../core/kinds/index.ts'
import { realClock, TurnedClock } from '../../platform/clock.ts'
import { HttpClient, type HttpAnswer } from '../../platform/http/client.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { memory } from '../../workers/drivers/cloud/memory.ts'
import { MemoryCloud } from '../../workers/drivers/cloud/memory-cloud.ts'
import { isReason, reasonOf, until } from './cloud-site.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

const server_uuid = '00000000-0000-4000-8000-000000000001'
const neutron = 'token-of-neutrons-own'
const tenant = 'token-of-a-tenant'
const bearers: Readonly<Record<string, TokenBearer>> = {
  [neutron]: { name: 'neutron', roles: ['member', 'service'] },
  [tenant]: { name: 'tenant', roles: ['member', 'reader'] },
}

let folder: string
let ca: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'megrez-events-'))
  const life = { now: Date.now(), ms: 3_600_000 }
  const authority = makeAuthority('events', life)
  const { cert, key } = issueLeaf(authority, ['127.0.0.1'], life)
  ca = authority.cert
  await writeFile(join(folder, 'tls.crt'), cert)
  await writeFile(join(folder, 'tls.key'), key)
  await mkdir(join(folder, 'tenant'))
  await writeFile(join(folder, 'tenant', 'username'), 'tenant')
})
after(() => rm(folder, { recursive: true, force: true }))

interface Around {
  readonly cluster: TestCluster
  readonly cloud: MemoryCloud
  /** Tokens that Keystone was asked of. */
  readonly asked: string[]
  /** Keystone does not answer. */
  readonly faults: { keystone: boolean }
  /** The ID that Port a/p has there. */
  readonly id: () => Promise<string>
  post(
    body: unknown,
    how?: { readonly token?: string | undefined; readonly path?: string; readonly method?: 'GET' | 'POST' },
  ): Promise<HttpAnswer>
  counted(): Promise<string>
  close(): Promise<void>
}

const pathOf = (cloud: string): string => `/clouds/${cloud}/v2.1/os-server-external-events`

/** Port a/p of Cloud `c`, which says that its ports are bound at once, and active once they are plugged in. */
async function around(events: SpecOf<'Cloud'>['events'] | null = {}): Promise<Around> {
  const clock = new TurnedClock(Date.parse('2026-01-01T00:00:00Z'))
  const cloud = new MemoryCloud({ now: () => clock.now(), takesMs: 0, activates: 'plugged' })
  const asked: string[] = []
  const faults = { keystone: false }
  const cluster = await openTestCluster({
    clock,
    config: {
      agents: false,
      cloudCredentials: folder,
      listenHost: '127.0.0.1',
      cloudEventsL4Port: 0,
      cloudEventsCert: join(folder, 'tls.crt'),
      cloudEventsKey: join(folder, 'tls.key'),
    },
    cloudRegistry: {
      neutron: ({ metadata }) => ({
        ...memory(cloud, { landsWithinMs: 5_000, installation: metadata.uid }),
        // It tells nobody of a change, as Neutron tells nobody but Nova.
        onChange: () => () => undefined,
        bearer(token) {
          asked.push(token)
          return faults.keystone
            ? Promise.reject(new CloudUnreachable({ cloud: metadata.name, reason: 'no answer' }))
            : Promise.resolve(bearers[token])
        },
      }),
    },
  })
  const spec = { provider: 'neutron', endpoint: 'https://keystone', credentials: 'tenant' } as const
  await cluster.make('Cloud', 'c', { ...spec, ...(events !== null && { events }) })
  await cluster.make('Cloud', 'silent', spec)
  await cluster.make('Vpc', 'a/blue', { provider: 'neutron', cloud: 'c' })
  await cluster.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } })
  await cluster.make('Node', 'n1', {})
  await cluster.make('Port', 'a/p', { subnet: 'one', node: 'n1' })
  await until(cluster, isReason({ cluster }, 'Port', 'a/p', 'Plugged'))
  // Whoever was told of a change looks once more after ten seconds; from now on the clock stands.
  await cluster.advance(30_000)
  const http = new HttpClient({ clock: realClock, timeoutMs: 20_000, tls: { ca } })
  return {
    cluster,
    cloud,
    asked,
    faults,
    id: async () => (await cluster.get('Port', 'a/p'))!.status!.providerID!,
    post: (body, { token = neutron, path = pathOf('c'), method = 'POST' } = {}) =>
      http.ask({
        method,
        url: `https://127.0.0.1:${cluster.cloudEventsL4Port}${path}`,
        headers: { 'content-type': 'application/json', ...(token !== '' && { 'x-auth-token': token }) },
        ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    counted: async () => (await cluster.metrics.registry.getSingleMetricAsString('megrez_cloud_events_total')).replace(/^#.*\n/gm, ''),
    async close() {
      await http.close()
      await cluster.close()
    },
  }
}

const plugged = (tag: string, name = 'network-vif-plugged'): object => ({ name, server_uuid, status: 'completed', tag })

test('a Port is ready once its Cloud has told that it is plugged in, though no time has passed', async () => {
  const { cluster, cloud, id, post, counted, close } = await around()
  cloud.plug(await id())
  await cluster.settle()
  assert.equal(reasonOf(await cluster.get('Port', 'a/p')), 'Plugged', 'nobody has told of it')
  const { status, body } = await post({ events: [plugged(await id())] })
  assert.deepEqual([status, body], [200, { events: [{ ...plugged(await id()), code: 200 }] }])
  await cluster.settle()
  assert.equal(reasonOf(await cluster.get('Port', 'a/p')), 'Active')
  assert.match(await counted(), /\{cloud="c",result="looked"\} 1/)
  await close()
})

test('one that is told of before the Cloud says it itself is looked at once more, a second later', async () => {
  const { cluster, cloud, id, post, close } = await around()
  assert.equal((await post({ events: [plugged(await id())] })).status, 200)
  await cluster.settle()
  assert.equal(reasonOf(await cluster.get('Port', 'a/p')), 'Plugged', 'an event is not believed')
  cloud.plug(await id())
  await cluster.advance(1_000)
  assert.equal(reasonOf(await cluster.get('Port', 'a/p')), 'Active')
  await close()
})

test('a port that somebody deletes at its Cloud is made again as soon as that is told of', async () => {
  const { cluster, cloud, id, post, close } = await around()
  const first = await id()
  cloud.remove('port', first)
  await cluster.settle()
  assert.equal(await id(), first, 'nobody has told of it')
  assert.equal((await post({ events: [plugged(first, 'network-vif-deleted')] })).status, 200)
  await until(cluster, async () => cloud.all('port').length === 1 && (await id()) !== first, 2, 100)
  await close()
})

test('whoever shows no token, one of nobody, or one of a tenant has nothing looked at', async () => {
  const { cluster, cloud, id, post, counted, close } = await around()
  cloud.plug(await id())
  const events = { events: [plugged(await id())] }
  const statuses = [
    (await post(events, { token: '' })).status,
    (await post(events, { token: 'of-nobody-at-all' })).status,
    (await post(events, { token: tenant })).status,
  ]
  await cluster.settle()
  assert.deepEqual(statuses, [401, 401, 403])
  assert.equal((await post(events, { token: '' })).headers['www-authenticate'], 'Keystone uri="https://keystone"')
  assert.equal(reasonOf(await cluster.get('Port', 'a/p')), 'Plugged')
  assert.match(await counted(), /unauthorized"\} 3\n.*forbidden"\} 1/)
  await close()
})

test('the Cloud says which roles are heard', async () => {
  const { id, post, close } = await around({ roles: ['reader'] })
  const events = { events: [plugged(await id())] }
  assert.deepEqual([(await post(events, { token: tenant })).status, (await post(events)).status], [200, 403])
  await close()
})

test('a Cloud that does not hear events looks like one that is not there', async () => {
  const { post, asked, close } = await around(null)
  const answers = await Promise.all(['c', 'silent', 'nowhere'].map((name) => post({ events: [] }, { path: pathOf(name) })))
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    answers.map(() => [404, answers[0]!.body]),
  )
  assert.deepEqual([(await post('', { path: '/' })).status, asked], [404, []])
  await close()
})

test('ports of others, events of no port, and what is no event are refused as Nova refuses them', async () => {
  const { cluster, id, post, close } = await around()
  await cluster.make('Cloud', 'd', { provider: 'neutron', endpoint: 'https://keystone', credentials: 'tenant', events: {} })
  const foreign = plugged('00000000-0000-4000-8000-00000000000f')
  assert.equal((await post({ events: [foreign] })).status, 404)
  assert.equal((await post({ events: [plugged(await id())] }, { path: pathOf('d') })).status, 404, 'it is of another Cloud')
  const { tag: _, ...untagged } = plugged('') as { tag: string }
  const mixed = await post({ events: [foreign, plugged(await id()), untagged, plugged(await id(), 'power-update')] })
  const codes = (mixed.body as { events: { code: number }[] }).events.map(({ code }) => code)
  assert.deepEqual([mixed.status, codes], [207, [404, 200, 400, 422]])
  assert.equal((await post({ events: [plugged(await id(), 'network-vif-moved')] })).status, 400)
  assert.equal((await post('{"events":')).status, 400)
  assert.equal((await post(`{"events":"${'x'.repeat(200_000)}"}`)).status, 413)
  assert.equal((await post('', { method: 'GET' })).status, 405)
  await close()
})

test('Keystone is asked once for a token in half a minute, and of floods of tokens no faster than it may be', async () => {
  const { cluster, id, post, asked, close } = await around()
  const events = { events: [plugged(await id())] }
  await Promise.all([post(events), post(events), post(events)])
  await post(events)
  assert.deepEqual(asked, [neutron])
  const flood = await Promise.all(Array.from({ length: 50 }, (_, i) => post(events, { token: `of-nobody-at-all-${i}` })))
  assert.deepEqual([...new Set(flood.map(({ status }) => status))].sort(), [401, 429])
  assert.equal(flood.find(({ status }) => status === 429)?.headers['retry-after'], '1')
  assert.equal(asked.length, 10, 'of one address ten at once')
  assert.equal((await post(events)).status, 200, 'who is known is heard')
  await cluster.advance(29_000)
  await Promise.all(Array.from({ length: 20 }, (_, i) => post(events, { token: `once-more-nobody-${i}` })))
  await cluster.advance(2_000)
  await Promise.all(Array.from({ length: 20 }, (_, i) => post(events, { token: `again-of-nobody-${i}` })))
  assert.equal((await post(events)).status, 200, 'and asked of anew in the middle of a flood')
  assert.equal(asked.filter((each) => each === neutron).length, 2)
  await close()
})

test('a sender that may is heard a thousand times at once, and then as fast as the queue is worth', async () => {
  const { id, post, counted, close } = await around()
  const events = { events: Array.from({ length: 400 }, () => ({ name: 'network-changed', server_uuid, tag: '' })) }
  for (const event of events.events) event.tag = 'x'
  events.events[0]!.tag = await id()
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push((await post(events)).status)
  assert.deepEqual(statuses, [207, 207, 429, 429])
  assert.match(await counted(), /looked"\} 2/)
  await close()
})

test('while Keystone does not answer nobody is heard, and nothing is looked at', async () => {
  const { cluster, cloud, id, post, faults, close } = await around()
  cloud.plug(await id())
  faults.keystone = true
  const { status, body } = await post({ events: [plugged(await id())] })
  assert.deepEqual([status, JSON.stringify(body).includes('no answer')], [503, true])
  await cluster.settle()
  assert.equal(reasonOf(await cluster.get('Port', 'a/p')), 'Plugged')
  await close()
})
