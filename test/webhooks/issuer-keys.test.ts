// Issuers elsewhere: their key sets, discovery, rotation, floods and outages. Time is turned by hand; key sets are read from a map.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { webcrypto } from 'node:crypto'
import { before, beforeEach, describe, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'
import { IssuerUnavailable, Unauthorized } from '../../core/errors.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { Tokens, type Trust } from '../../webhooks/plugins/auth.ts'
import { remoteKeys, type KeySource } from '../../webhooks/plugins/keys.ts'

const blue = 'https://blue.example.org'
const red = 'https://red.example.org/realm'
const begun = Date.parse('2026-11-21T12:00:00Z')

interface Pair {
  readonly key: webcrypto.CryptoKey
  readonly jwk: JWK
}
let pairs: Readonly<Record<'one' | 'two', Pair>>
before(async () => {
  const make = async (kid: string): Promise<Pair> => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    return { key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }
  }
  pairs = { one: await make('one'), two: await make('two') }
})

let clock: TurnedClock
let served: Map<string, unknown>
let requests: string[]
let down: boolean
beforeEach(() => {
  clock = new TurnedClock(begun)
  served = new Map<string, unknown>([[`${blue}/keys`, { keys: [pairs.one.jwk] }]])
  requests = []
  down = false
})
const read = async (url: string): Promise<unknown> => {
  requests.push(url)
  if (down || !served.has(url)) throw new TypeError('no answer')
  return served.get(url)
}
const trust = (source: KeySource, more: Partial<Trust> = {}): Trust => ({
  issuer: source.issuer,
  audience: 'megrez',
  algorithms: ['ES256'],
  keys: remoteKeys(source, clock, read),
  ...more,
})
const token = ({ key, jwk }: Pair, claims: object = {}, header: object = {}): Promise<string> => {
  const now = Math.floor(clock.now() / 1000)
  return new SignJWT({ iss: blue, aud: 'megrez', sub: 'eve', iat: now, exp: now + 3600, scope: 'viewer', ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: String(jwk.kid), ...header })
    .sign(key)
}
const subjectOf = async (tokens: Tokens, text: string): Promise<string> => (await tokens.callerOf(`Bearer ${text}`)).subject
const refused = (tokens: Tokens, text: string, as: typeof Unauthorized | typeof IssuerUnavailable = Unauthorized) =>
  assert.rejects(async () => tokens.callerOf(`Bearer ${text}`), as)

describe('the keys of an issuer', () => {
  test('are asked for once, whoever comes meanwhile', async () => {
    const tokens = new Tokens(trust({ issuer: blue, keysUrl: `${blue}/keys` }), clock)
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => token(pairs.one, { sub: `s${i}` })))
    assert.deepEqual(
      await Promise.all(all.map((each) => subjectOf(tokens, each))),
      all.map((_, i) => `s${i}`),
    )
    assert.equal(requests.length, 1)
  })

  test('are discovered, and only an issuer that names itself is believed', async () => {
    served
      .set(`${red}/.well-known/openid-configuration`, { issuer: red, jwks_uri: 'https://keys.example.org/red' })
      .set('https://keys.example.org/red', { keys: [pairs.two.jwk] })
    const tokens = new Tokens([trust({ issuer: blue, keysUrl: `${blue}/keys` }), trust({ issuer: red })], clock)
    assert.equal(await subjectOf(tokens, await token(pairs.two, { iss: red })), 'eve')
    assert.equal(await subjectOf(tokens, await token(pairs.one)), 'eve')
    await refused(tokens, await token(pairs.two))
    await refused(tokens, await token(pairs.one, { iss: red }))
    await refused(tokens, await token(pairs.one, { iss: 'https://green.example.org' }))
    served.set(`${red}/.well-known/openid-configuration`, { issuer: blue, jwks_uri: 'https://keys.example.org/red' })
    await refused(new Tokens(trust({ issuer: red }), clock), await token(pairs.two, { iss: red }), IssuerUnavailable)
  })

  test('that are new are found as soon as somebody brings one, and those taken back end within ten minutes', async () => {
    const tokens = new Tokens(trust({ issuer: blue, keysUrl: `${blue}/keys` }), clock)
    const old = await token(pairs.one)
    assert.equal(await subjectOf(tokens, old), 'eve')
    served.set(`${blue}/keys`, { keys: [pairs.two.jwk] })
    clock.advance(31_000)
    assert.equal(await subjectOf(tokens, await token(pairs.two)), 'eve')
    assert.equal(requests.length, 2)
    clock.advance(600_000)
    await refused(tokens, old)
  })

  test('are asked for at most every 30 s, however many unknown ones come', async () => {
    const tokens = new Tokens(trust({ issuer: blue, keysUrl: `${blue}/keys` }), clock)
    const flood = async (): Promise<void> => {
      for (let i = 0; i < 50; i++) await refused(tokens, await token(pairs.two, {}, { kid: `unknown-${i}` }))
    }
    for (let minute = 0; minute < 5; minute++) {
      await flood()
      clock.advance(30_000)
      await flood()
      clock.advance(30_000)
    }
    assert.ok(requests.length <= 1 + 10, `${requests.length} in five minutes`)
    assert.ok(requests.length >= 9, 'a new key is still found')
  })

  test('are asked for at most every 30 s of an issuer that is down, and callers are told to come back', async () => {
    down = true
    const tokens = new Tokens(trust({ issuer: blue, keysUrl: `${blue}/keys` }), clock)
    for (let i = 0; i < 50; i++) await refused(tokens, await token(pairs.one, { jti: `${i}` }), IssuerUnavailable)
    assert.equal(requests.length, 1)
    down = false
    clock.advance(30_000)
    assert.equal(await subjectOf(tokens, await token(pairs.one)), 'eve')
  })

  test('that are held serve a day while the issuer is down, and no longer', async () => {
    const tokens = new Tokens(trust({ issuer: blue, keysUrl: `${blue}/keys` }), clock)
    assert.equal(await subjectOf(tokens, await token(pairs.one)), 'eve')
    down = true
    clock.advance(23 * 3_600_000)
    assert.equal(await subjectOf(tokens, await token(pairs.one)), 'eve')
    clock.advance(2 * 3_600_000)
    await refused(tokens, await token(pairs.one), IssuerUnavailable)
  })

  test('are read over HTTP: not beyond a redirect, not without end, not what is no JSON', async () => {
    let hits = 0
    const server = createServer((request, response) => {
      hits++
      if (request.url === '/keys') response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [pairs.one.jwk] }))
      else if (request.url === '/moved') response.writeHead(302, { location: '/keys' }).end()
      else if (request.url === '/large') response.end('x'.repeat(300 * 1024))
      else if (request.url === '/text') response.end('keys')
      else response.writeHead(500).end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      const at = (path: string): Tokens =>
        new Tokens(
          {
            ...trust({ issuer: blue }),
            keys: remoteKeys({ issuer: blue, keysUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}` }, clock),
          },
          clock,
        )
      assert.equal(await subjectOf(at('/keys'), await token(pairs.one)), 'eve')
      assert.equal(hits, 1)
      for (const path of ['/moved', '/large', '/text', '/broken']) await refused(at(path), await token(pairs.one), IssuerUnavailable)
      assert.equal(hits, 5, 'one look each')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

describe('an issuer with words of its own', () => {
  const grantsOf = async (more: Partial<Trust>, claims: object) =>
    (await new Tokens(trust({ issuer: blue, keysUrl: `${blue}/keys` }, more), clock).callerOf(`Bearer ${await token(pairs.one, claims)}`))
      .grants
  test('names roles in a claim of its choice, somewhere inside, in a list', async () => {
    assert.deepEqual(
      await grantsOf(
        { rolesClaim: 'realm_access.roles' },
        { scope: 'admin', realm_access: { roles: ['offline', 'megrez:operator:blue', 'viewer'] } },
      ),
      [
        { role: 'operator', namespaces: new Set(['blue']) },
        { role: 'viewer', namespaces: undefined },
      ],
    )
  })
  test('is not believed beyond the namespaces that the token names', async () => {
    assert.deepEqual(
      await grantsOf({ rolesClaim: 'groups' }, { groups: ['operator:blue', 'admin:red', 'viewer'], namespaces: ['blue', 'green'] }),
      [
        { role: 'operator', namespaces: new Set(['blue']) },
        { role: 'viewer', namespaces: new Set(['blue', 'green']) },
      ],
    )
  })
  for (const [what, claims] of Object.entries({
    'no such claim': {},
    'a claim of another type': { groups: { admin: true } },
    'words of others only': { groups: ['cluster-admin', 'Admin'] },
    'an agent without a node': { groups: ['agent'] },
    'an agent whose node is no text': { groups: ['agent'], node: 1 },
    'a claim of the prototype': { groups: undefined },
  })) {
    test(`is refused with ${what}`, async () =>
      assert.rejects(grantsOf({ rolesClaim: what.endsWith('prototype') ? 'constructor.name' : 'groups' }, claims), Unauthorized))
  }
  test('says which node an agent is of', async () => {
    const caller = await new Tokens(trust({ issuer: blue, keysUrl: `${blue}/keys` }), clock).callerOf(
      `Bearer ${await token(pairs.one, { scope: 'agent', node: 'n1' })}`,
    )
    assert.deepEqual([caller.node, caller.grants], ['n1', [{ role: 'agent', namespaces: undefined }]])
  })
})
