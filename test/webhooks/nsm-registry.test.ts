// Network Service Mesh's registry as webhooks serve it: from settings and files of certificates, on one store.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import type { ServiceError } from '@grpc/grpc-js'
import { printRfc3339 } from '../../core/nsm/rfc3339.ts'
import {
  NetworkService,
  NetworkServiceEndpoint,
  NetworkServiceEndpointQuery,
  networkServiceEndpointRegistry,
  NetworkServiceEndpointResponse,
  networkServiceRegistry,
  type NetworkServiceEndpointDraft,
} from '../../core/wire/nsm/registry.ts'
import { Empty, msOf } from '../../core/wire/nsm/well-known.ts'
import { openCaches } from '../../platform/cache/caches.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { openChannel, type CallOptions, type Channel } from '../../platform/grpc/channel.ts'
import { method } from '../../platform/grpc/method.ts'
import { silentLog } from '../../platform/log.ts'
import { makeMetrics } from '../../platform/metrics.ts'
import { spiffeTokens } from '../../platform/nsm/tokens/spiffe-tokens.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { issueLeaf, makeAuthority, type Issued } from '../../platform/tls/authority.ts'
import { Certificates } from '../../platform/tls.ts'
import { startNsm, type NsmServed } from '../../webhooks/nsm/start.ts'
import { until } from '../setup/until.ts'

const register = method(networkServiceEndpointRegistry, 'Register', NetworkServiceEndpoint, NetworkServiceEndpoint)
const unregister = method(networkServiceEndpointRegistry, 'Unregister', NetworkServiceEndpoint, Empty)
const find = method(networkServiceEndpointRegistry, 'Find', NetworkServiceEndpointQuery, NetworkServiceEndpointResponse)
const registerService = method(networkServiceRegistry, 'Register', NetworkService, NetworkService)
const unregisterService = method(networkServiceRegistry, 'Unregister', NetworkService, Empty)

const life = { now: Date.now(), ms: 86_400_000 }
const authority = makeAuthority('nsm.test', life)
const leaf = (name: string): Issued => issueLeaf(authority, ['localhost', `spiffe://nsm.test/${name}`], life, 'serverAuth', 'clientAuth')
const registryId = 'spiffe://nsm.test/registry'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'megrez-nsm-'))
  const own = leaf('registry')
  for (const [file, text] of Object.entries({ 'tls.crt': own.cert, 'tls.key': own.key, 'ca.crt': authority.cert }))
    await writeFile(join(folder, file), text)
})
after(() => rm(folder, { recursive: true }))

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const open = (): SqliteStore => {
  const store = SqliteStore.open(':memory:')
  closers.push(() => store.close())
  return store
}

/** One process; its clock is turned by hand. */
async function serve(store: SqliteStore, env: Readonly<Record<string, string>> = {}) {
  const clock = new TurnedClock(Date.now())
  const at = (name: string): string => join(folder, name)
  const config = readConfig({
    MEGREZ_NSM_CERT: at('tls.crt'),
    MEGREZ_NSM_KEY: at('tls.key'),
    MEGREZ_NSM_CA: at('ca.crt'),
    MEGREZ_NSM_NAMESPACE: 'mesh',
    ...env,
  })
  const caches = openCaches(store, { only: ['NetworkService', 'NetworkServiceEndpoint'] })
  const following = new AbortController()
  await caches.start(following.signal)
  const metrics = makeMetrics()
  const served: NsmServed = await startNsm('tcp://127.0.0.1:0', config, {
    store,
    caches,
    metrics: metrics.set,
    clock,
    random: Math.random,
    log: silentLog(),
  })
  closers.push(() => following.abort())
  closers.push(() => served.stop())
  return { target: served.address.replace('tcp://', ''), clock, metrics, stop: () => served.stop() }
}

/** A client by that name, and how it calls. */
function client({ target, clock }: { readonly target: string; readonly clock: TurnedClock }, name: string) {
  const pair = leaf(name)
  const channel: Channel = openChannel({ target, tls: { ca: authority.cert, serverName: 'localhost', pair } })
  closers.push(() => channel.close())
  const tokens = spiffeTokens({ certificate: new Certificates(pair), lifeMs: 600_000, clock })
  const headers = async (path = '{"Index":0,"PathSegments":null}'): Promise<CallOptions> => {
    const { token, expires } = await tokens.make({ spiffeId: registryId, endsMs: life.now + life.ms })
    return { headers: { 'nsm-client-token': token, 'nsm-client-token-expires': printRfc3339(expires), path } }
  }
  return {
    channel,
    headers,
    register: async (draft: NetworkServiceEndpointDraft, path?: string) =>
      channel.unary(register, draft, { timeoutMs: 5_000, ...(await headers(path)) }),
    unregister: async (draft: NetworkServiceEndpointDraft) => channel.unary(unregister, draft, { timeoutMs: 5_000, ...(await headers()) }),
    registerService: async (draft: Parameters<typeof NetworkService.encode>[0]) => channel.unary(registerService, draft, await headers()),
    unregisterService: async (name: string) => channel.unary(unregisterService, { name }, await headers()),
    async find(query = {}): Promise<string[]> {
      const names: string[] = []
      for await (const { networkServiceEndpoint } of channel.serverStream(find, { networkServiceEndpoint: query }))
        names.push(networkServiceEndpoint?.name ?? '')
      return names
    },
  }
}

const nse = { name: 'nse-1', networkServiceNames: ['svc-a'], url: 'tcp://192.0.2.7:5001' }
const refused = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'taken',
    (err: { cause?: ServiceError }) => `${err.cause?.code} ${err.cause?.details}`,
  )
const forbidden = /^7 registry: an error occurred during authorization policy check: .*no sufficient privileges$/
const stored = (store: SqliteStore, name = 'nse-1') => store.get({ kind: 'NetworkServiceEndpoint', namespace: 'mesh', name })

describe("webhooks, as NSM's registry", () => {
  test('keeps a registration as an object, and writes few of its refreshes', async () => {
    const store = open()
    const served = await serve(store)
    const { clock } = served
    const { register: again } = client(served, 'nse')
    const first = await again(nse)
    assert.deepEqual(first.pathIds, ['spiffe://nsm.test/nse', registryId])
    assert.equal(msOf(first.expirationTime!), clock.now() + 60_000)
    const versions = new Set<string>()
    for (let i = 0; i < 20; i++) {
      clock.advance(40_000)
      const { expirationTime, initialRegistrationTime } = await again({ ...nse, pathIds: first.pathIds })
      assert.equal(msOf(expirationTime!), clock.now() + 60_000)
      assert.deepEqual(initialRegistrationTime, first.initialRegistrationTime)
      const item = (await stored(store))!
      assert.ok((item.spec.expiration_time?.seconds ?? 0) * 1000 >= clock.now() + 60_000)
      versions.add(item.metadata.resourceVersion)
    }
    assert.equal(versions.size, 4)
  })

  test('takes it away when its time is over, less what its call had left', async () => {
    const store = open()
    const served = await serve(store)
    const { clock } = served
    const { register: again, find: found } = client(served, 'nse')
    await again(nse)
    clock.advance(54_000)
    assert.deepEqual(await found(), ['nse-1'])
    clock.advance(6_000)
    await until(async () => (await stored(store)) === undefined, 'it is gone')
    await until(async () => (await found()).length === 0, 'nobody finds it')
  })

  test('a refresh at another process keeps it there, and the first one no longer ends it', async () => {
    const store = open()
    const [one, other] = [await serve(store), await serve(store)]
    await client(one, 'nse').register(nse)
    await client(other, 'nse').register(nse)
    const finder = client(one, 'finder')
    await until(async () => (await finder.find()).length === 1, 'the first has heard of it')
    const { resourceVersion } = (await stored(store))!.metadata
    one.clock.advance(3_600_000)
    // The first passes its own calls in order: by then it would have taken it away.
    await client(one, 'nse-2').register({ ...nse, name: 'nse-2' })
    assert.equal((await stored(store))?.metadata.resourceVersion, resourceVersion)
    other.clock.advance(3_600_000)
    await until(async () => (await stored(store)) === undefined, 'the second takes it away')
  })

  test('tells a watch each step once, of objects that were made by others too', async () => {
    const store = open()
    const served = await serve(store)
    const one = client(served, 'nse')
    const told: string[] = []
    const leaving = new AbortController()
    const watching = (async () => {
      const stream = one.channel.serverStream(find, { networkServiceEndpoint: {}, watch: true }, { signal: leaving.signal })
      for await (const { networkServiceEndpoint: entry, deleted } of stream) told.push(`${deleted ? '-' : '+'}${entry?.name} ${entry?.url}`)
    })().catch(() => undefined)
    const expected: string[] = []
    const step = async (line: string): Promise<void> => {
      expected.push(line)
      await until(() => told.length === expected.length, line)
    }
    await one.register(nse)
    await step('+nse-1 tcp://192.0.2.7:5001')
    await one.register(nse)
    await step('+nse-1 tcp://192.0.2.7:5001')
    const made = await store.create({
      kind: 'NetworkServiceEndpoint',
      metadata: { namespace: 'elsewhere', name: 'by-hand' },
      spec: { url: 'tcp://192.0.2.8:1' },
    })
    await step('+by-hand tcp://192.0.2.8:1')
    await store.delete({ kind: 'NetworkServiceEndpoint', namespace: 'elsewhere', name: made.metadata.name })
    await step('-by-hand tcp://192.0.2.8:1')
    await one.unregister(nse)
    await step('-nse-1 tcp://192.0.2.7:5001')
    assert.deepEqual(told, expected)
    leaving.abort()
    await watching
  })

  test("refuses to replace or take away another's, also after a restart, and what a manifest has made", async () => {
    const store = open()
    const first = await serve(store)
    await client(first, 'nse').register(nse)
    await first.stop()
    const served = await serve(store)
    const [own, other] = [client(served, 'nse'), client(served, 'other')]
    assert.match(await refused(other.register({ ...nse, url: 'tcp://192.0.2.66:1' })), forbidden)
    assert.match(await refused(other.unregister(nse)), forbidden)
    assert.equal((await stored(store))?.spec.url, nse.url)
    await store.create({ kind: 'NetworkService', metadata: { namespace: 'mesh', name: 'svc-a' }, spec: { matches: [{ routes: [{}] }] } })
    await until(
      async () => (await refused(own.registerService({ name: 'svc-a', matches: [{ routes: [{}] }] }))) === 'taken',
      'said again it is taken',
    )
    assert.match(await refused(own.registerService({ name: 'svc-a' })), forbidden)
    assert.match(await refused(own.unregisterService('svc-a')), forbidden)
    assert.deepEqual((await store.get({ kind: 'NetworkService', namespace: 'mesh', name: 'svc-a' }))?.spec, { matches: [{ routes: [{}] }] })
    await own.unregister(nse)
    assert.equal(await stored(store), undefined)
    assert.equal(await refused(own.unregister({ name: 'never' })), 'taken')
  })

  test('believes no token but that of the caller, and no path that says more than it has', async () => {
    const store = open()
    const served = await serve(store)
    const caller = client(served, 'nse')
    const theirs = client(served, 'other')
    const { channel } = caller
    const call = async (options: CallOptions): Promise<string> => refused(channel.unary(register, nse, options))
    assert.match(await call({}), forbidden)
    assert.match(await call(await theirs.headers()), forbidden)
    assert.match(
      await refused(caller.register(nse, '{"Index":3,"PathSegments":[{"token":"x"}]}')),
      /^2 Path\.Index\+1==4 should be less or equal/,
    )
    assert.match(await refused(caller.register(nse, '{"Index":1,"PathSegments":[{"token":"x"},{"token":"y"}]}')), forbidden)
    assert.equal(await stored(store), undefined)
    // One that is no path is none, as for NSM.
    assert.equal(await refused(caller.register(nse, '{')), 'taken')
  })

  test('refuses what no object may be, by its field, and takes names that no object can have', async () => {
    const store = open()
    const served = await serve(store)
    const caller = client(served, 'nse')
    assert.match(await refused(caller.register({ ...nse, name: '' })), /^2 NetworkServiceEndpoint\.Name can not be zero valued$/)
    assert.match(await refused(caller.register({ ...nse, url: 'not a url' })), /^3 NetworkServiceEndpoint\/spec\/url: /)
    assert.match(await refused(caller.register({ ...nse, name: `a${'/..'.repeat(9)}` })), /^3 NetworkServiceEndpoint\/spec\/name: /)
    assert.match(await refused(caller.register({ ...nse, url: `tcp://${'x'.repeat(5 * 2 ** 20)}` })), /^8 /)
    assert.deepEqual((await store.list('NetworkServiceEndpoint')).items, [])
    await caller.register({ ...nse, name: 'Nse_1' })
    assert.deepEqual(await caller.find({ name: 'Nse_1' }), ['Nse_1'])
    const [item] = (await store.list('NetworkServiceEndpoint')).items
    assert.match(item!.metadata.name, /^nse-1-[a-z0-9]+$/)
  })

  test('counts calls by method and status', async () => {
    const served = await serve(open())
    const { metrics } = served
    const caller = client(served, 'nse')
    await caller.register(nse)
    await refused(caller.register({ ...nse, name: '' }))
    const text = await metrics.registry.metrics()
    assert.match(text, /megrez_nsm_calls_total\{method="registry\.NetworkServiceEndpointRegistry\/Register",code="OK"\} 1/)
    assert.match(text, /megrez_nsm_calls_total\{method="registry\.NetworkServiceEndpointRegistry\/Register",code="UNKNOWN"\} 1/)
  })

  test('does not start with a certificate that names no SPIFFE id, or with a key that cannot sign', async () => {
    const plain = issueLeaf(authority, ['localhost'], life)
    await writeFile(join(folder, 'plain.crt'), plain.cert)
    await writeFile(join(folder, 'plain.key'), plain.key)
    const env = { MEGREZ_NSM_CERT: join(folder, 'plain.crt'), MEGREZ_NSM_KEY: join(folder, 'plain.key') }
    await assert.rejects(serve(open(), env), /has to name one SPIFFE id/)
  })
})
