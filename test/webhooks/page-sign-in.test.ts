// A browser at the page: its files, and how it signs in and out, over real HTTP.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { TurnedClock } from '../../platform/clock.ts'
import { pageFiles } from '../../webhooks/page/files.ts'
import { Tokens } from '../../webhooks/plugins/auth.ts'
import { Sessions } from '../../webhooks/page/sessions.ts'
import { holdToContract } from './rest-contract.ts'
import { openHarness, type Harness } from './rest-harness.ts'

const clock = new TurnedClock(Date.now())
let rest: Harness
let app: FastifyInstance
let sessions: Sessions
let folder = ''
let url = ''
let cookieName = ''
before(async () => {
  rest = await openHarness(undefined, clock)
  folder = await mkdtemp(join(tmpdir(), 'megrez-page-'))
  sessions = new Sessions(clock, randomBytes)
  app = rest.another({ tokens: new Tokens(rest.issuer.trust, clock), page: { sessions, files: pageFiles(folder) } })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port: l4Port } = app.server.address() as AddressInfo
  url = `http://127.0.0.1:${l4Port}`
  cookieName = `megrez-${l4Port}`
})
after(async () => {
  await app.close()
  await rest.close()
  await rm(folder, { recursive: true })
})

async function send(line: string, headers: Record<string, string> = {}, body?: object): Promise<Response> {
  const [method = '', path = ''] = line.split(' ')
  const answer = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.clone().text()
  const type = answer.headers.get('content-type') ?? ''
  holdToContract({ method, path: new URL(url + path).pathname, status: answer.status, type, body: text })
  return answer
}
const viewer = (namespaces?: readonly string[], seconds = 600): Promise<string> =>
  rest.issuer.issue({ subject: 'alice', scope: 'viewer', ...(namespaces && { namespaces }) }, seconds)
const setCookie = (answer: Response): string => answer.headers.get('set-cookie') ?? ''
const cookieOf = (answer: Response): string => setCookie(answer).split(';')[0] ?? ''

describe('the page', () => {
  test('says how it is built while it is not', async () => {
    const answer = await send('GET /')
    assert.equal(answer.status, 200)
    assert.match(await answer.text(), /npm run gui/)
    assert.equal((await send('GET /assets/a.js')).status, 404)
  })

  test('is served with what it was built from, under rules that let nothing else run', async () => {
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'index.html'), '<!doctype html><script type=module src=/assets/a-1.js></script>')
    await writeFile(join(folder, 'assets/a-1.js'), `console.log(1)\n${'// long enough to be packed\n'.repeat(50)}`)
    await writeFile(join(folder, 'secret.txt'), 'not of the page')
    const index = await send('GET /')
    const policy = index.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|http|\*/)
    assert.deepEqual(
      ['cache-control', 'x-content-type-options', 'content-type'].map((name) => index.headers.get(name)),
      ['no-cache', 'nosniff', 'text/html; charset=utf-8'],
    )
    const etag = index.headers.get('etag') ?? ''
    assert.equal((await send('GET /', { 'if-none-match': etag })).status, 304)
    const script = await send('GET /assets/a-1.js', { 'accept-encoding': 'gzip' })
    assert.deepEqual(
      ['cache-control', 'content-encoding', 'content-type', 'x-content-type-options'].map((name) => script.headers.get(name)),
      ['public, max-age=31536000, immutable', 'gzip', 'text/javascript; charset=utf-8', 'nosniff'],
    )
    assert.match(await script.text(), /^console\.log/)
    assert.equal((await send('GET /assets/a-1.js', { 'accept-encoding': 'gzip;q=0, br' })).headers.get('content-encoding'), null)
  })

  test('has no file but those of its build, whatever is asked for', async () => {
    for (const path of ['..%2Fsecret.txt', '..%2f..%2fpackage.json', 'secret.txt', '%2e%2e/secret.txt', 'a%00.js', 'A'.repeat(5000)])
      assert.equal((await send(`GET /assets/${path}`)).status, 404, path)
    assert.equal((await send('GET /secret.txt')).status, 404)
  })

  test('that is built anew is served anew, and what an open tab still asks for is there', async () => {
    await rm(join(folder, 'assets/a-1.js'))
    await writeFile(join(folder, 'assets/a-2.js'), 'console.log(2)')
    await writeFile(join(folder, 'index.html'), '<!doctype html><p>second')
    await utimes(join(folder, 'index.html'), 1, 1)
    assert.match(await (await send('GET /')).text(), /second/)
    assert.equal((await send('GET /assets/a-2.js')).status, 200)
    assert.equal((await send('GET /assets/a-1.js')).status, 200)
  })
})

describe('a link with a code', () => {
  test('signs in once, by a cookie that no script reads and no other site sends', async () => {
    const code = sessions.offer(await viewer())
    const answer = await send(`GET /sign-in?code=${code}`)
    assert.deepEqual([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')], [303, '/', 'no-store'])
    assert.match(setCookie(answer), new RegExp(`^${cookieName}=[^;]+; Path=/; HttpOnly; SameSite=Strict; Max-Age=\\d+$`))
    const me = await send('GET /v1/me', { cookie: cookieOf(answer) })
    assert.equal(((await me.json()) as { subject: string }).subject, 'alice')
    const again = await send(`GET /sign-in?code=${code}`)
    assert.deepEqual([again.status, setCookie(again)], [403, ''])
  })

  test('is worth nothing after a quarter of an hour, nor when it was never given out', async () => {
    const code = sessions.offer(await viewer(undefined, 7200))
    clock.advance(15 * 60_000)
    assert.equal((await send(`GET /sign-in?code=${code}`)).status, 403)
    for (const other of ['', 'x', code.slice(0, -1), 'A'.repeat(500)]) assert.equal((await send(`GET /sign-in?code=${other}`)).status, 403)
    assert.equal((await send('GET /sign-in?cod=x')).status, 400)
  })
})

describe('a token', () => {
  const origin = (): Record<string, string> => ({ origin: url })

  test('becomes the cookie, which may what the token may', async () => {
    const answer = await send('POST /session', origin(), { token: await viewer(['blue']) })
    assert.equal(answer.status, 204)
    const cookie = cookieOf(answer)
    assert.equal((await send('GET /v1/namespaces/blue/ports', { cookie })).status, 200)
    assert.equal((await send('GET /v1/namespaces/red/ports', { cookie })).status, 403)
    assert.deepEqual(await (await send('GET /session', { cookie })).json(), { signedIn: true, ways: ['token'] })
    assert.deepEqual(await (await send('GET /session')).json(), { signedIn: false, ways: ['token'] })
  })

  test('that REST would not take, or that no cookie holds, signs nobody in', async () => {
    for (const [token, status] of [
      ['x.y.z', 401],
      [`${'x'.repeat(9000)}.y.z`, 401],
      ['', 422],
    ] as const) {
      const answer = await send('POST /session', origin(), { token })
      assert.deepEqual([answer.status, setCookie(answer)], [status, ''])
    }
    const long = await rest.issuer.issue({ subject: 'a'.repeat(256), scope: `viewer ${'x'.repeat(3600)}` }, 60)
    assert.equal((await send('POST /session', origin(), { token: long })).status, 403)
    assert.equal((await send('POST /session', origin(), { tokens: 'x' })).status, 422)
  })

  test('is not taken from a page of another origin, nor from none', async () => {
    const token = await viewer()
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }, { ...origin(), 'sec-fetch-site': 'cross-site' }])
      assert.equal((await send('POST /session', headers as Record<string, string>, { token })).status, 403)
  })
})

describe('a session', () => {
  async function begun(scope = 'admin'): Promise<string> {
    const token = await rest.issuer.issue({ subject: 'alice', scope }, 600)
    return cookieOf(await send('POST /session', { origin: url }, { token }))
  }

  test('changes something only from the page itself', async () => {
    const cookie = await begun()
    const body = { metadata: { name: 'g' }, spec: {} }
    const line = 'POST /v1/namespaces/blue/securitygroups?dryRun=true'
    assert.equal((await send(line, { cookie, origin: url }, body)).status, 201)
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: url.replace('127.0.0.1', 'localhost') },
      { origin: `${url}0` },
      { origin: url, 'sec-fetch-site': 'same-site' },
    ])
      assert.equal((await send(line, { cookie, ...headers }, body)).status, 403, JSON.stringify(headers))
    // A bearer token is nothing that a browser sends by itself.
    assert.equal((await send(line, { authorization: `Bearer ${await rest.fresh()}` }, body)).status, 201)
  })

  test('is not read from by a page of another server on this machine', async () => {
    const cookie = await begun()
    assert.equal((await send('GET /v1/me', { cookie, 'sec-fetch-site': 'same-site' })).status, 403)
    assert.equal((await send('GET /v1/me', { cookie, 'sec-fetch-site': 'same-origin' })).status, 200)
  })

  test('that is ended is over, also for whoever has kept the cookie', async () => {
    const cookie = await begun()
    assert.equal((await send('POST /sign-out', { cookie })).status, 403, 'not by another site')
    const out = await send('POST /sign-out', { cookie, origin: url })
    assert.equal(out.status, 204)
    assert.match(setCookie(out), /Max-Age=0$/)
    assert.equal((await send('GET /v1/me', { cookie })).status, 401)
    assert.equal((await send('POST /sign-out', { origin: url })).status, 204, 'twice is no fault')
  })

  test('is nobody where there are two of them, and gives way to a token', async () => {
    const cookie = await begun('viewer')
    assert.equal((await send('GET /v1/me', { cookie: `${cookie}; ${cookie}` })).status, 401)
    const me = await send('GET /v1/me', { cookie: `${cookieName}=x.y.z`, authorization: `Bearer ${await rest.fresh()}` })
    assert.equal(me.status, 200)
  })
})

describe('who one is', () => {
  interface Me {
    readonly grants: readonly object[]
    readonly kinds: readonly {
      readonly kind: string
      readonly verbs: readonly { readonly verb: string; readonly namespaces?: string[] }[]
    }[]
  }
  const me = async (token: string, more = ''): Promise<Me> =>
    (await (await send(`GET /v1/me${more}`, { authorization: `Bearer ${token}` })).json()) as Me
  const verbs = ({ kinds }: Me, kind: string): readonly string[] =>
    kinds.find((each) => each.kind === kind)?.verbs.map(({ verb }) => verb) ?? []

  test('says what each role may of each kind, and nothing of kinds that it may do nothing with', async () => {
    const seen = await me(await viewer(['blue']))
    assert.deepEqual(seen.grants, [{ role: 'viewer', namespaces: ['blue'] }])
    assert.deepEqual([verbs(seen, 'Port'), verbs(seen, 'Node'), verbs(seen, 'Notice')], [['get', 'list'], [], []])
    assert.ok(seen.kinds.every((kind) => kind.verbs.every(({ namespaces }) => namespaces?.join() === 'blue')))
    const admin = await me(await rest.fresh())
    assert.deepEqual(verbs(admin, 'Port'), ['get', 'list', 'create', 'replace', 'patch', 'delete'])
    assert.deepEqual(verbs(admin, 'IPLock'), ['get', 'list'], 'written by Megrez alone')
    assert.ok(admin.kinds.every((kind) => kind.verbs.every(({ namespaces }) => namespaces === undefined)))
  })

  test('in one namespace says what one may there', async () => {
    const token = await rest.issuer.issue({ subject: 'bob', scope: 'viewer:red operator:blue' }, 600)
    assert.deepEqual(verbs(await me(token, '?namespace=red'), 'Port'), ['get', 'list'])
    assert.ok(verbs(await me(token, '?namespace=blue'), 'Port').includes('create'))
    assert.deepEqual((await me(token, '?namespace=green')).kinds, [])
  })
})
