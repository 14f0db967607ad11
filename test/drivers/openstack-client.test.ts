// The way to a service of OpenStack: tokens, what is asked for anew, and how fast.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { CloudUnreachable, retryOf } from '../../core/errors.ts'
import type { HttpRequest } from '../../platform/http/client.ts'
import { OpenStackClient, type OpenStackOptions } from '../../workers/drivers/openstack/client.ts'
import { realClock, TurnedClock } from '../../platform/clock.ts'

type Answer = Awaited<ReturnType<NonNullable<OpenStackOptions['ask']>>>
const endpoints = ['public', 'internal'].flatMap((face) =>
  ['one', 'two'].map((region) => ({ interface: face, region_id: region, url: `http://${face}.${region}/v2.0/` })),
)

/** A cloud whose tokens are good as long as they stand in `good`. */
function cloud(answers: (request: HttpRequest) => Answer | undefined = () => undefined) {
  const asked: HttpRequest[] = []
  const good = new Set<string>()
  let tokens = 0
  const ask = (request: HttpRequest): Promise<Answer> => {
    asked.push(request)
    const answer = answers(request)
    if (answer !== undefined) return Promise.resolve(answer)
    if (!request.url.endsWith('/v3/auth/tokens'))
      return Promise.resolve(
        good.has(request.headers?.['x-auth-token'] ?? '')
          ? { status: 200, headers: {}, body: { ports: [] } }
          : {
              status: 401,
              headers: {},
              body: { error: { title: 'Unauthorized', message: 'The request you have made requires authentication.' } },
            },
      )
    const token = `token-${++tokens}`
    good.add(token)
    const [issued_at, expires_at] = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z']
    const body = { token: { issued_at, expires_at, catalog: [{ type: 'network', endpoints }] } }
    return Promise.resolve({ status: 201, headers: { 'x-subject-token': token }, body })
  }
  return { asked, good, ask }
}

const clock = new TurnedClock()
const client = (more: Partial<OpenStackOptions>): OpenStackClient =>
  new OpenStackClient({
    unreachable: (reason, cause) => new CloudUnreachable({ cloud: 'c', reason, ...(cause !== undefined && { cause }) }),
    service: 'network',
    endpoint: 'http://keystone/v3/',
    credentials: { username: 'u', password: 'p', project: 'a' },
    endpoints: { interface: 'public' },
    clock,
    random: () => 0.5,
    ...more,
  })
const list = { method: 'GET', path: '/v2.0/ports', tenant: 'a', signal: new AbortController().signal } as const
const bodiesOf = (asked: readonly HttpRequest[]): unknown[] =>
  asked.flatMap(({ body }) => (body === undefined ? [] : [JSON.parse(body) as unknown]))

test('one token is asked for by all who ask at once, and the endpoint is the one of region and interface', async () => {
  const { asked, ask } = cloud()
  const api = client({ ask, endpoints: { region: 'two', interface: 'internal' } })
  await Promise.all([api.send(list), api.send(list)])
  assert.deepEqual(
    asked.map(({ url }) => url),
    ['http://keystone/v3/auth/tokens', 'http://internal.two/v2.0/ports', 'http://internal.two/v2.0/ports'],
  )
})

test('a token that is no longer taken is asked for anew, once', async () => {
  const { asked, good, ask } = cloud()
  const api = client({ ask })
  await api.send(list)
  good.clear()
  assert.equal((await api.send(list)).status, 200)
  assert.equal(asked.filter(({ url }) => url.endsWith('tokens')).length, 2)
})

test('one that is refused each time says so in the words of the cloud', async () => {
  const { ask } = cloud(({ url }) =>
    url.endsWith('tokens') ? undefined : { status: 401, headers: {}, body: { error: { message: 'no' } } },
  )
  await assert.rejects(client({ ask }).send(list), { message: 'cloud c does not answer: 401 no' })
})

test('a token is asked for anew a minute before its end', async () => {
  const { asked, ask } = cloud()
  const api = client({ ask })
  await api.send(list)
  clock.advance(3_539_000)
  await api.send(list)
  clock.advance(2_000)
  await api.send(list)
  assert.equal(asked.filter(({ url }) => url.endsWith('tokens')).length, 2)
})

test('passwords, application credentials and tokens are what Keystone is asked with, and nobody where there are none', async () => {
  const bodyWith = async (credentials: OpenStackOptions['credentials']): Promise<unknown> => {
    const { asked, ask } = cloud()
    await client({ ask, credentials }).send(list)
    return bodiesOf(asked)[0]
  }
  const domain = { name: 'd' }
  const scope = { project: { name: 'a', domain } }
  assert.deepEqual(await bodyWith({ username: 'u', password: 'p', project: 'a', domain: 'd' }), {
    auth: { identity: { methods: ['password'], password: { user: { name: 'u', password: 'p', domain } } }, scope },
  })
  assert.deepEqual(await bodyWith({ applicationCredentialID: 'i', applicationCredentialSecret: 's', project: 'a' }), {
    auth: { identity: { methods: ['application_credential'], application_credential: { id: 'i', secret: 's' } } },
  })
  assert.deepEqual(await bodyWith({ token: 't', project: 'a', domain: 'd' }), {
    auth: { identity: { methods: ['token'], token: { id: 't' } }, scope },
  })
  const { asked, ask } = cloud(() => ({ status: 200, headers: {}, body: {} }))
  await client({ ask, endpoint: 'http://neutron/', credentials: {} }).send(list)
  assert.deepEqual(
    [asked[0]!.url, Object.keys(asked[0]!.headers ?? {}).filter((name) => name.startsWith('x-'))],
    ['http://neutron/v2.0/ports', []],
  )
})

test('a region that the catalogue does not have is named', async () => {
  const { ask } = cloud()
  await assert.rejects(client({ ask, endpoints: { region: 'three', interface: 'public' } }).send(list), {
    message: 'cloud c does not answer: its catalogue has no public endpoint of network in region three',
  })
})

test('one that fails three times in a row is let alone for a while, or as long as it says', async () => {
  let [status, headers]: [number, Record<string, string>] = [503, {}]
  const { asked, ask } = cloud(() => ({ status, headers, body: 'busy' }))
  const api = client({ ask, credentials: {} })
  for (let i = 0; i < 3; i++) await assert.rejects(api.send(list), (err) => retryOf(err) === 'later')
  await assert.rejects(api.send(list), { message: 'cloud c does not answer: it has failed, and is asked again in 1 s' })
  assert.equal(asked.length, 3)
  clock.advance(1_000)
  ;[status, headers] = [200, {}]
  await api.send(list)
  ;[status, headers] = [429, { 'retry-after': '7' }]
  await assert.rejects(api.send(list))
  await assert.rejects(api.send(list), { message: 'cloud c does not answer: it has failed, and is asked again in 7 s' })
})

test('a tenant who asks much waits, and no other does', async () => {
  const { asked, ask } = cloud(() => ({ status: 200, headers: {}, body: {} }))
  const api = client({ ask, credentials: {}, pace: { rate: 10, burst: 2 } })
  const much = Promise.all(Array.from({ length: 4 }, () => api.send(list)))
  await api.send({ ...list, tenant: 'b' })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(asked.length, 3)
  clock.advance(100)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(asked.length, 4)
  clock.advance(100)
  await much
})

test('a revision goes along, and what is refused is an answer', async () => {
  const { asked, ask } = cloud(() => ({ status: 412, headers: {}, body: {} }))
  const answer = await client({ ask, credentials: {} }).send({ ...list, method: 'PUT', revision: '5', body: {} })
  assert.deepEqual([answer.status, asked[0]!.headers?.['if-match']], [412, 'revision_number=5'])
})

test('a request is given up after its time', { timeout: 20_000 }, async () => {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const api = client({ endpoint, credentials: {}, endpoints: endpoint, clock: realClock, timeoutMs: 100 })
  await assert.rejects(api.send(list), CloudUnreachable)
  await api.close()
  server.closeAllConnections()
  server.close()
})

const token = 'gAAAAA-a_token-of-somebody'
const late = new AbortController().signal

test('whose a token is is asked of Keystone with that token itself, and with nothing of our own', async () => {
  const { asked, ask } = cloud(({ headers = {} }) =>
    headers['x-subject-token'] === token
      ? {
          status: 200,
          headers: {},
          body: { token: { user: { name: 'neutron' }, roles: [{ id: '1', name: 'admin' }, { name: 'service' }] } },
        }
      : { status: 401, headers: {}, body: {} },
  )
  const of = client({ ask })
  assert.deepEqual(await of.bearer(token, late), { name: 'neutron', roles: ['admin', 'service'] })
  assert.equal(await of.bearer('gAAAAA-a_token-of-nobody', late), undefined)
  assert.deepEqual(
    asked.map(({ method, url, headers, body }) => [method, url, headers?.['x-auth-token'], body]),
    [token, 'gAAAAA-a_token-of-nobody'].map((each) => ['GET', 'http://keystone/v3/auth/tokens?nocatalog', each, undefined]),
  )
})

test('what can be no token is not shown to Keystone', async () => {
  const { asked, ask } = cloud()
  const of = client({ ask })
  for (const wrong of ['', 'short', 'with a space in it, and more', 'x'.repeat(4_097), 'token-with\r\nx-header: in-it'])
    assert.equal(await of.bearer(wrong, late), undefined)
  assert.deepEqual(asked, [])
})

test('tokens that break Keystone keep nobody from the cloud: whoever shows them is told that nobody knows', async () => {
  let isBroken = true
  const { ask } = cloud(({ headers = {} }) =>
    headers['x-subject-token'] === undefined ? undefined : { status: isBroken ? 500 : 200, headers: {}, body: '<html>oops</html>' },
  )
  const of = client({ ask })
  for (let i = 0; i < 10; i++) await assert.rejects(of.bearer(token, late), /500 of a token: <html>oops/)
  assert.equal((await of.send(list)).status, 200)
  isBroken = false
  await assert.rejects(of.bearer(token, late), CloudUnreachable, 'an answer without a user is none')
})
