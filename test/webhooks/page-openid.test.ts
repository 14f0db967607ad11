// A browser signs in at an OpenID provider: both over real HTTP, with what goes wrong on the way.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { TurnedClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { ownPath } from '../../webhooks/page/openid/attempt.ts'
import { OpenIdProvider, type ProviderOptions } from '../../webhooks/page/openid/provider.ts'
import { openIdOf } from '../../webhooks/page/openid/settings.ts'
import { Sessions } from '../../webhooks/page/sessions.ts'
import { Tokens, type Trust } from '../../webhooks/plugins/auth.ts'
import { remoteKeys } from '../../webhooks/plugins/keys.ts'
import { Signer } from '../../webhooks/plugins/signer.ts'
import { openProvider, type TestProvider } from './openid-provider.ts'
import { holdToContract } from './rest-contract.ts'
import { openHarness, type Harness } from './rest-harness.ts'

const clock = new TurnedClock(Date.now())
const client = 'megrez page'
let rest: Harness
let provider: TestProvider
let trust: Trust
const apps: FastifyInstance[] = []
let url = ''
let secret: string | undefined

/** One replica more; browsers come back to the first. */
async function openApp(options: { publicUrl: string }, key: Buffer, audience = 'megrez'): Promise<string> {
  const all: ProviderOptions = {
    issuer: provider.issuer,
    client,
    scopes: ['roles'],
    algorithms: trust.algorithms,
    keys: trust.keys,
    get publicUrl() {
      return options.publicUrl
    },
    get secret() {
      const text = secret
      return text === undefined ? undefined : async () => text
    },
  } as ProviderOptions
  const openid = { provider: new OpenIdProvider(all, clock), seal: new Signer(key), draw: randomBytes }
  const tokens = new Tokens([rest.issuer.trust, { ...trust, audience }], clock)
  const app = rest.another({ tokens, page: { sessions: new Sessions(clock, randomBytes), openid } })
  apps.push(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  options.publicUrl ||= `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}
before(async () => {
  rest = await openHarness(undefined, clock)
  provider = await openProvider(clock, { client, audience: 'megrez' })
  const { issuer } = provider
  trust = { issuer, audience: 'megrez', algorithms: ['ES256', 'RS256'], keys: remoteKeys({ issuer }, clock) }
  url = await openApp({ publicUrl: '' }, Buffer.alloc(32, 2))
})
beforeEach(() => {
  provider.behaviour = {}
  secret = undefined
})
after(async () => {
  for (const app of apps) await app.close()
  await provider.close()
  await rest.close()
})

async function get(address: string, cookie?: string): Promise<Response> {
  const answer = await fetch(address, {
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'cross-site', ...(cookie !== undefined && { cookie }) },
  })
  const type = answer.headers.get('content-type') ?? ''
  holdToContract({ method: 'GET', path: new URL(address).pathname, status: answer.status, type, body: await answer.clone().text() })
  return answer
}
const cookiesOf = (answer: Response): readonly string[] => answer.headers.getSetCookie()
const sessionIn = (answer: Response): string | undefined =>
  cookiesOf(answer)
    .find((each) => !each.includes('-sign-in='))
    ?.split(';')[0]

interface Begun {
  readonly cookie: string
  readonly back: URL
}
async function begin(to = '/', at = url): Promise<Begun> {
  const answer = await get(`${at}/sign-in?return=${encodeURIComponent(to)}`)
  assert.equal(answer.status, 302, await answer.clone().text())
  return { cookie: cookiesOf(answer)[0]!.split(';')[0]!, back: provider.authorize(answer.headers.get('location') ?? '') }
}
async function refused({ cookie, back }: { readonly cookie?: string; readonly back: URL }, status: number, reason: RegExp): Promise<void> {
  const answer = await get(back.href, cookie)
  const text = await answer.text()
  assert.deepEqual([answer.status, sessionIn(answer)], [status, undefined], text)
  assert.match(text, reason)
  for (const [name, value] of back.searchParams) if (name !== 'session_state') assert.ok(!text.includes(value), `${name} is not shown`)
}

describe('a sign-in at the provider', () => {
  test('asks by a code with PKCE, and leaves a Lax cookie of ten minutes', async () => {
    const answer = await get(`${url}/sign-in`)
    const { searchParams: query } = new URL(answer.headers.get('location') ?? '')
    const names = ['tenant', 'response_type', 'client_id', 'redirect_uri', 'scope', 'code_challenge_method']
    const right = ['a', 'code', client, `${url}/sign-in/callback`, 'openid roles', 'S256']
    assert.deepEqual(
      names.map((name) => query.get(name)),
      right,
    )
    assert.match(cookiesOf(answer).join(), /^megrez-\d+-sign-in=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/)
    assert.ok(
      !cookiesOf(answer)
        .join()
        .includes(query.get('code_challenge') ?? ''),
    )
  })

  test('ends with a page that goes on to where it began, and with the cookie of a session', async () => {
    const { cookie, back } = await begin('/?view=objects&kind=Port#x"<b>')
    const answer = await get(back.href, cookie)
    const text = await answer.text()
    assert.equal(answer.status, 200, text)
    assert.ok(text.includes('content="0;url=/?view=objects&amp;kind=Port#x%22%3Cb%3E"'), text)
    assert.match(cookiesOf(answer)[0] ?? '', /-sign-in=; .*Max-Age=0$/)
    assert.match(cookiesOf(answer)[1] ?? '', /HttpOnly; SameSite=Strict; Max-Age=\d+$/)
    const me = await fetch(`${url}/v1/me`, { headers: { cookie: sessionIn(answer) ?? '' } })
    assert.deepEqual([me.status, ((await me.json()) as { subject: string }).subject], [200, 'alice'])
    const session = await fetch(`${url}/session`, { headers: { cookie: sessionIn(answer) ?? '' } })
    assert.deepEqual(await session.json(), { signedIn: true, ways: ['openid', 'token'] })
    const out = await fetch(`${url}/sign-out`, { method: 'POST', headers: { cookie: sessionIn(answer) ?? '', origin: url } })
    assert.equal(out.status, 204)
    assert.equal((await fetch(`${url}/v1/me`, { headers: { cookie: sessionIn(answer) ?? '' } })).status, 401)
    const form = provider.asked.at(-1)!
    assert.deepEqual([form.authorization, form.form.get('client_id')], [undefined, client], 'a public client')
  })

  test('shows the secret of its client to the token endpoint alone', async () => {
    secret = 's: e%c\n'
    const { cookie, back } = await begin()
    assert.equal((await get(back.href, cookie)).status, 200)
    const { authorization = '', form } = provider.asked.at(-1)!
    assert.equal(Buffer.from(authorization.split(' ')[1] ?? '', 'base64').toString(), 'megrez+page:s%3A+e%25c')
    assert.equal(form.get('client_secret'), null)
  })

  test('takes the ID token where REST takes that and not the access token', async () => {
    const at = await openApp({ publicUrl: '' }, Buffer.alloc(32, 2), client)
    provider.behaviour = { accessToken: 'opaque', idClaims: { scope: 'viewer' } }
    const { cookie, back } = await begin('/', at)
    assert.equal((await get(back.href, cookie)).status, 200)
  })

  test('is finished by another replica with the same key, and by none with another', async () => {
    const options = { publicUrl: url }
    const others = [await openApp(options, Buffer.alloc(32, 2)), await openApp(options, Buffer.alloc(32, 3))]
    const { cookie, back } = await begin()
    const answers: number[] = []
    for (const at of [...others].reverse()) {
      const own = cookie.replace(/^megrez-\d+/, `megrez-${new URL(at).port}`)
      answers.push((await get(at + back.pathname + back.search, own)).status)
    }
    assert.deepEqual(answers, [403, 200])
  })
})

describe('nobody is signed in', () => {
  test('with another state, without the cookie, or with a changed one', async () => {
    const { cookie, back } = await begin()
    await refused({ back }, 403, /has begun no sign-in/)
    await refused({ cookie: `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`, back }, 403, /has begun no sign-in/)
    const { back: victims } = await begin()
    await refused({ cookie, back: victims }, 403, /another sign-in/)
    back.searchParams.append('state', 'x')
    await refused({ cookie, back }, 403, /another sign-in/)
  })

  test('after ten minutes', async () => {
    const { cookie, back } = await begin()
    clock.advance(601_000)
    await refused({ cookie, back }, 403, /within ten minutes/)
  })

  const now = (): number => Math.floor(clock.now() / 1000)
  const wrongs: readonly (readonly [string, () => TestProvider['behaviour'], RegExp])[] = [
    ['another nonce', () => ({ idClaims: { nonce: 'x' } }), /claim nonce/],
    ['no nonce', () => ({ idClaims: { nonce: undefined } }), /claim nonce/],
    ['an end that is past', () => ({ idClaims: { exp: now() - 60 } }), /has expired/],
    ['another audience', () => ({ idClaims: { aud: 'somebody' } }), /claim aud/],
    ['two audiences and no azp', () => ({ idClaims: { aud: [client, 'x'] } }), /claim azp/],
    ['the azp of another client', () => ({ idClaims: { azp: 'x' } }), /claim azp/],
    ['another issuer', () => ({ idClaims: { iss: 'https://x.example' } }), /claim iss/],
    ['no signature', () => ({ isUnsigned: true }), /not signed by a key/],
    ['the signature of another key', () => ({ isForged: true }), /not signed by a key/],
  ]
  for (const [what, behaviour, reason] of wrongs)
    test(`by an ID token with ${what}`, async () => {
      provider.behaviour = behaviour()
      await refused(await begin(), 403, reason)
    })

  test('by tokens that REST does not take, or the access token of somebody else', async () => {
    provider.behaviour = { accessClaims: { scope: 'other' } }
    await refused(await begin(), 403, /access token: .*names no role of ours; ID token: .*aud/)
    provider.behaviour = { accessClaims: { sub: 'mallory' } }
    await refused(await begin(), 403, /access token: it is of somebody else/)
  })

  test('by a code that was used before', async () => {
    const begun = await begin()
    assert.equal((await get(begun.back.href, begun.cookie)).status, 200)
    await refused(begun, 403, /does not take the code: invalid_grant/)
  })

  test('where the provider says no, or another one answers', async () => {
    const { cookie, back } = await begin()
    back.searchParams.delete('code')
    back.searchParams.set('error', 'access_denied')
    const said = await get(back.href, cookie)
    assert.match(await said.text(), /the provider says access_denied/)
    back.searchParams.set('error', '<script>')
    await refused({ cookie, back }, 403, /an unnamed error/)
    back.searchParams.set('iss', 'https://x.example')
    await refused({ cookie, back }, 403, /another provider has answered/)
  })

  test('where the token endpoint answers 5xx or what is no tokens', async () => {
    for (const [status, body, reason] of [
      [500, '{"error":"server_error"}', /answers 500/],
      [200, '<html>', /without an ID token/],
      [200, '{"id_token":7}', /without an ID token/],
      [302, '', /answers 302/],
      [200, `"${'x'.repeat(300_000)}"`, /does not answer/],
    ] as const) {
      provider.behaviour = { tokenAnswer: { status, body } }
      await refused(await begin(), 503, reason)
    }
  })

  test('while the provider is away, and soon after it is back', async () => {
    provider.behaviour = { isAway: true }
    const at = await openApp({ publicUrl: '' }, Buffer.alloc(32, 2))
    const answer = await get(`${at}/sign-in`)
    assert.deepEqual([answer.status, cookiesOf(answer)], [503, []])
    assert.match(await answer.text(), /discovery document/)
    provider.behaviour = {}
    assert.equal((await get(`${at}/sign-in`)).status, 503, 'it is not asked by each')
    clock.advance(5_000)
    assert.equal((await get(`${at}/sign-in`)).status, 302)
  })
})

test('a sign-in comes back to a path of this server, and to nothing else', () => {
  for (const path of ['/', '/?view=node&name=a', '/a/b?c=//d#e']) assert.equal(ownPath(path), path)
  assert.equal(ownPath('/?a="><b>'), '/?a=%22%3E%3Cb%3E')
  const others = ['//x.example', '/\\x.example', 'https://x.example', 'x', '', '/\t/x', '/.//x.example', '/a/..//x.example', '/ x']
  for (const path of [...others, undefined, `/${'x'.repeat(2000)}`]) assert.equal(ownPath(path), '/', path)
})

describe('the settings of the provider', () => {
  const settled = (env: Record<string, string>): Promise<unknown> =>
    openIdOf(readConfig(env), [trust], { clock, read: async (file) => (file === '/secret' ? 'x' : '') })
  const whole = (): Record<string, string> => ({
    MEGREZ_OPENID_ISSUER: provider.issuer,
    MEGREZ_OPENID_CLIENT: client,
    MEGREZ_OPENID_SECRET_FILE: '/secret',
    MEGREZ_PUBLIC_URL: 'https://megrez.example',
  })
  test('are none, or whole', async () => {
    assert.equal(await settled({}), undefined)
    assert.ok((await settled(whole())) instanceof OpenIdProvider)
    await assert.rejects(settled({ MEGREZ_OPENID_CLIENT: 'x' }), /MEGREZ_OPENID_ISSUER/)
    await assert.rejects(settled({ ...whole(), MEGREZ_OPENID_ISSUER: 'https://x.example' }), /REST would take none/)
    await assert.rejects(settled({ ...whole(), MEGREZ_OPENID_SECRET_FILE: '/none' }), /cannot be read, or is empty/)
    for (const name of ['MEGREZ_OPENID_CLIENT', 'MEGREZ_PUBLIC_URL'])
      await assert.rejects(settled({ ...whole(), [name]: '' }), new RegExp(name))
  })
})
