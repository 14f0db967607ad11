import assert from 'node:assert/strict'
import { createHmac, createPrivateKey, generateKeyPairSync, sign as signBytes, type webcrypto } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { CompactEncrypt, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose'
import { MegrezError, Unauthorized } from '../../core/errors.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { Tokens, type Caller } from '../../webhooks/plugins/auth.ts'
import { openLocalIssuer, type LocalIssuer } from '../../webhooks/plugins/issuer.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const seconds = now / 1000
let folder: string
let clock: TurnedClock
let issuer: LocalIssuer
let tokens: Tokens
let key: webcrypto.CryptoKey
let jwk: JWK

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'megrez-auth-'))
  clock = new TurnedClock(now)
  issuer = await openLocalIssuer(folder, clock)
  tokens = new Tokens(issuer.trust, clock)
  jwk = JSON.parse(await readFile(join(folder, 'token-key.json'), 'utf8')) as JWK
  key = (await importJWK(jwk, 'ES256')) as webcrypto.CryptoKey
})
after(() => rm(folder, { recursive: true }))

const privateKey = () => createPrivateKey({ key: jwk, format: 'jwk' })
const b64 = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const head = () => ({ alg: 'ES256', typ: 'at+jwt', kid: String(jwk.kid) })
const claims = { iss: 'megrez', aud: 'megrez', sub: 'eve', iat: seconds, exp: seconds + 600, scope: 'admin' }
/** Signed with the right key, saying whatever is given; `undefined` takes a claim out. */
function signed(change: object, header: object = {}, by: webcrypto.CryptoKey = key): Promise<string> {
  const payload = Object.fromEntries(Object.entries({ ...claims, ...change }).filter(([, value]) => value !== undefined))
  return new SignJWT(payload).setProtectedHeader({ ...head(), ...header }).sign(by)
}
/** Signed with the right key over bytes that no library would make. */
function rawSigned(header: string, payload: string): string {
  const input = `${header}.${payload}`
  return `${input}.${signBytes('sha256', Buffer.from(input), { key: privateKey(), dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
const hmac = (header: object, secret: string | Buffer): string => {
  const input = `${b64(header)}.${b64(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}
const spki = async (): Promise<string> => {
  const { d: _d, ...shared } = jwk
  return exportSPKI((await importJWK(shared, 'ES256', { extractable: true })) as webcrypto.CryptoKey)
}
const callerOf = async (authorization: string | undefined): Promise<Caller> => tokens.callerOf(authorization)

type Make = () => Promise<string> | string
const bad: Readonly<Record<string, Make>> = {
  'alg none, unsigned': () => `${b64({ ...head(), alg: 'none' })}.${b64(claims)}.`,
  'alg none with some signature': () => `${b64({ ...head(), alg: 'none' })}.${b64(claims)}.AAAA`,
  'alg None': () => `${b64({ ...head(), alg: 'None' })}.${b64(claims)}.AAAA`,
  'alg missing': () => `${b64({ typ: 'at+jwt' })}.${b64(claims)}.AAAA`,
  'alg a number': () => `${b64({ ...head(), alg: 256 })}.${b64(claims)}.AAAA`,
  'HS256 keyed with our public key as PEM': async () => hmac({ ...head(), alg: 'HS256' }, await spki()),
  'HS256 keyed with our public key as JWK': () =>
    hmac({ ...head(), alg: 'HS256' }, JSON.stringify({ kty: 'EC', crv: 'P-256', x: jwk.x, y: jwk.y })),
  'HS256 keyed with nothing': () => hmac({ ...head(), alg: 'HS256' }, ''),
  'ES384 by a stranger': async () => signed({}, { alg: 'ES384' }, (await generateKeyPair('ES384')).privateKey),
  'RS256 by a stranger': async () => signed({}, { alg: 'RS256' }, (await generateKeyPair('RS256')).privateKey),
  'EdDSA by a stranger': async () => signed({}, { alg: 'EdDSA' }, (await generateKeyPair('EdDSA')).privateKey),
  'our algorithm by a stranger, our key id': async () => signed({}, {}, (await generateKeyPair('ES256')).privateKey),
  'an unknown key id': () => signed({}, { kid: 'another' }),
  'a key id that walks up folders': () => signed({}, { kid: '../../../../dev/null' }),
  'a key id that is SQL': () => signed({}, { kid: "' OR 1=1 --" }),
  "a stranger's key in jwk": async () => {
    const pair = await generateKeyPair('ES256', { extractable: true })
    return signed({}, { jwk: await exportJWK(pair.publicKey), kid: undefined }, pair.privateKey)
  },
  "a stranger's key set in jku": async () =>
    signed({}, { jku: 'https://example.org/keys', kid: 'x' }, (await generateKeyPair('ES256')).privateKey),
  "a stranger's certificate in x5u": async () =>
    signed({}, { x5u: 'https://example.org/c.pem', kid: undefined }, (await generateKeyPair('ES256')).privateKey),
  "a stranger's certificate in x5c": async () => signed({}, { x5c: ['MIIB'], kid: undefined }, (await generateKeyPair('ES256')).privateKey),
  'an extension that must be understood': () => rawSigned(b64({ ...head(), crit: ['exp2'], exp2: 1 }), b64(claims)),
  'an unencoded payload': () => rawSigned(b64({ ...head(), b64: false, crit: ['b64'] }), b64(claims)),
  'typ JWT, as an identity token has': () => signed({}, { typ: 'JWT' }),
  'typ of a logout token': () => signed({}, { typ: 'logout+jwt' }),
  'no typ': () => signed({}, { typ: undefined }),
  'another issuer': () => signed({ iss: 'https://example.org' }),
  'no issuer': () => signed({ iss: undefined }),
  'issuers in a list': () => signed({ iss: ['megrez'] }),
  'another audience': () => signed({ aud: 'someone' }),
  'several audiences, none of them us': () => signed({ aud: ['a', 'b'] }),
  'no audience': () => signed({ aud: undefined }),
  expired: () => signed({ exp: seconds - 31 }),
  'no expiry': () => signed({ exp: undefined }),
  'expiry as text': () => signed({ exp: String(seconds + 600) }),
  'not yet valid': () => signed({ nbf: seconds + 31 }),
  'not-before as text': () => signed({ nbf: 'soon' }),
  'issued in the future': () => signed({ iat: seconds + 31 }),
  'no time of issue': () => signed({ iat: undefined }),
  'time of issue as text': () => signed({ iat: 'now' }),
  'no subject': () => signed({ sub: undefined }),
  'an empty subject': () => signed({ sub: '' }),
  'a subject that is no text': () => signed({ sub: 7 }),
  'no scope': () => signed({ scope: undefined }),
  'a scope that only begins like ours': () => signed({ scope: 'administrator' }),
  'a scope in a list': () => signed({ scope: ['admin'] }),
  'namespaces as text': () => signed({ namespaces: 'blue' }),
  'no namespaces in a list': () => signed({ namespaces: [] }),
  'namespaces with a wildcard': () => signed({ namespaces: ['*'] }),
  'namespaces that are null': () => signed({ namespaces: null }),
  'namespaces with something else among them': () => signed({ namespaces: ['blue', 1] }),
  'claims that are a list': () => rawSigned(b64(head()), b64([claims])),
  'claims that are null': () => rawSigned(b64(head()), b64(null)),
  'claims that are no JSON': () => rawSigned(b64(head()), b64('{"iss":')),
  'a header that is no JSON': () => rawSigned(b64('{'), b64(claims)),
  'a header with its alg twice, the last one none': () => rawSigned(b64(`{"alg":"ES256","typ":"at+jwt","alg":"none"}`), b64(claims)),
  'an expiry twice, the last one past': () =>
    rawSigned(b64(head()), b64(`{"exp":${seconds + 600},${JSON.stringify({ ...claims, exp: seconds - 60 }).slice(1)}`)),
  'a changed payload': async () => {
    const [header, , signature] = (await signed({})).split('.')
    return `${header}.${b64({ ...claims, sub: 'mallory' })}.${signature}`
  },
  'a changed header': async () => {
    const [, payload, signature] = (await signed({})).split('.')
    return `${b64({ ...head(), extra: 1 })}.${payload}.${signature}`
  },
  'a signature cut short': async () => (await signed({})).slice(0, -8),
  'a signature of zeros': async () => `${(await signed({})).split('.').slice(0, 2).join('.')}.${Buffer.alloc(64).toString('base64url')}`,
  'a signature in DER': async () => {
    const input = (await signed({})).split('.').slice(0, 2).join('.')
    return `${input}.${signBytes('sha256', Buffer.from(input), { key: privateKey(), dsaEncoding: 'der' }).toString('base64url')}`
  },
  'no signature': async () => (await signed({})).split('.').slice(0, 2).join('.'),
  'a part too many': async () => `${await signed({})}.AAAA`,
  'an encrypted token': async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    return new CompactEncrypt(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
      .encrypt(publicKey)
  },
  'a line break inside': async () => (await signed({})).replace('.', '.\n'),
  nothing: () => '',
  'one word': () => 'admin',
  'two dots': () => '..',
  'not base64url': async () => (await signed({})).replace('.', '+/=.'),
  'ten thousand characters': () => `a.${'b'.repeat(10_000)}.c`,
  'one that is signed and too long': () => signed({ more: 'x'.repeat(9000) }),
}

describe('bearer tokens', () => {
  test('the corpus of bad tokens is large enough to mean something', () =>
    assert.ok(Object.keys(bad).length >= 60, String(Object.keys(bad).length)))
  for (const [name, make] of Object.entries(bad)) {
    test(`is refused: ${name}`, async () => {
      const token = await make()
      await assert.rejects(
        async () => callerOf(`Bearer ${token}`),
        (err: MegrezError) => err instanceof Unauthorized && err.policy.http === 401 && !err.message.includes(String(jwk.d)),
      )
    })
  }

  test('other ways to say who one is are refused', async () => {
    const token = await signed({})
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      token,
      `Basic ${token}`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${token} ${token}`,
    ]) {
      await assert.rejects(async () => callerOf(header), Unauthorized)
    }
  })

  test('one that we issued says who calls, what he may, and where', async () => {
    const caller = await callerOf(`Bearer ${await issuer.issue({ subject: 'ops', scope: 'viewer', namespaces: ['blue', 'red'] }, 60)}`)
    assert.deepEqual(caller, {
      issuer: 'megrez',
      subject: 'ops',
      grants: [{ role: 'viewer', namespaces: new Set(['blue', 'red']) }],
      until: now + 60_000,
    })
    assert.deepEqual((await callerOf(`bearer ${await signed({ scope: 'openid admin', aud: ['x', 'megrez'] })}`)).grants, [
      { role: 'admin', namespaces: undefined },
    ])
  })

  test('clocks may differ by 30 s', async () => {
    for (const change of [{ exp: seconds - 29 }, { nbf: seconds + 29 }, { iat: seconds + 29 }])
      assert.equal((await callerOf(`Bearer ${await signed(change)}`)).subject, 'eve')
  })

  test('is known at once the second time, and no longer once it has expired', async () => {
    const turned = new TurnedClock(now)
    const own = new Tokens(issuer.trust, turned)
    const header = `Bearer ${await signed({ exp: seconds + 60 })}`
    const first = await own.callerOf(header)
    assert.equal(own.callerOf(header), first, 'no promise: nothing is verified again')
    turned.advance(60_000 + 31_000)
    await assert.rejects(async () => own.callerOf(header), /expired/)
  })

  test('an issuer keeps its key over a restart, and keeps it to itself', async () => {
    const token = await issuer.issue({ subject: 'ops', scope: 'admin' }, 60)
    const again = await openLocalIssuer(folder, clock)
    assert.equal((await new Tokens(again.trust, clock).callerOf(`Bearer ${token}`)).subject, 'ops')
    assert.equal((await stat(join(folder, 'token-key.json'))).mode & 0o777, 0o600)
    const other = await mkdtemp(join(tmpdir(), 'megrez-auth-'))
    try {
      const stranger = await openLocalIssuer(other, clock)
      await assert.rejects(async () => new Tokens(stranger.trust, clock).callerOf(`Bearer ${token}`), Unauthorized)
      await writeFile(join(other, 'token-key.json'), '{}')
      await assert.rejects(openLocalIssuer(other, clock), /token-key\.json: holds no ES256 key/)
    } finally {
      await rm(other, { recursive: true })
    }
  })
})
