// An OpenID provider: it signs in whoever comes, in a browser by a button, and holds its client to PKCE, the redirect URI and codes that
// count once.
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import type { Clock } from '../../platform/clock.ts'
import { listen } from '../../platform/http/listen.ts'
import { escaped } from '../../webhooks/html.ts'

type Claims = Readonly<Record<string, unknown>>
export interface Behaviour {
  readonly idClaims?: Claims
  readonly accessClaims?: Claims
  /** Absent: a JWT that REST takes. */
  readonly accessToken?: string
  readonly isUnsigned?: boolean
  /** In place of the keys that it publishes. */
  readonly isForged?: boolean
  readonly tokenAnswer?: { readonly status: number; readonly body: string }
  readonly isAway?: boolean
}
export interface TestProvider {
  readonly issuer: string
  behaviour: Behaviour
  /** What the token endpoint was asked, with the Authorization header. */
  readonly asked: { readonly form: URLSearchParams; readonly authorization: string | undefined }[]
  /** As a browser that goes there: where it is sent back to. */
  authorize(address: string): URL
  close(): Promise<void>
}

interface ProviderParts {
  readonly client: string
  readonly audience: string
  /** PEM. Absent: plain HTTP. With it the provider is `localhost`, which to a browser is another site than 127.0.0.1. */
  readonly tls?: { readonly cert: string; readonly key: string }
}
interface ProviderAnswer {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export async function openProvider(clock: Clock, { client, audience, tls }: ProviderParts): Promise<TestProvider> {
  const [own, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
  const keys = { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] }
  const codes = new Map<string, URLSearchParams>()
  const asked: TestProvider['asked'] = []

  const signed = async (usual: Claims, change: Claims = {}): Promise<string> => {
    const now = Math.floor(clock.now() / 1000)
    const claims: JWTPayload = { iss: provider.issuer, sub: 'alice', iat: now, exp: now + 300, ...usual, ...change }
    if (provider.behaviour.isUnsigned === true) return new UnsecuredJWT(claims).encode()
    const key = provider.behaviour.isForged === true ? other : own
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(key.privateKey)
  }
  const tokensFor = async (form: URLSearchParams): Promise<ProviderAnswer> => {
    const { idClaims, accessClaims, accessToken, tokenAnswer } = provider.behaviour
    if (tokenAnswer !== undefined) return tokenAnswer
    const query = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (query?.get('code_challenge') !== challenge || query.get('redirect_uri') !== form.get('redirect_uri'))
      return { status: 400, body: '{"error":"invalid_grant","error_description":"<b>no</b>"}' }
    const body = {
      token_type: 'Bearer',
      access_token: accessToken ?? (await signed({ aud: audience, scope: 'viewer' }, accessClaims)),
      id_token: await signed({ aud: client, nonce: query.get('nonce') }, idClaims),
    }
    return { status: 200, body: JSON.stringify(body) }
  }
  /** What a person sees there, and where the button leads. */
  const shownTo = ({ pathname, search, searchParams }: URL): ProviderAnswer | undefined => {
    if (pathname === '/allow')
      return { status: 302, body: '', headers: { location: provider.authorize(`${provider.issuer}${search}`).href } }
    const fields = [...searchParams].map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    const body = `<!doctype html><title>Provider</title><form action="/allow">${fields.join('')}<button>Continue as alice</button></form>`
    return pathname === '/authorize' ? { status: 200, body, headers: { 'content-type': 'text/html' } } : undefined
  }
  const answerTo = async (request: IncomingMessage): Promise<ProviderAnswer> => {
    const shown = shownTo(new URL(request.url ?? '', provider.issuer))
    if (shown !== undefined) return shown
    if (request.url === '/jwks') return { status: 200, body: JSON.stringify(keys) }
    if (request.url === '/token') {
      const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
      asked.push({ form, authorization: request.headers.authorization })
      return tokensFor(form)
    }
    if (provider.behaviour.isAway === true) return { status: 502, body: 'away' }
    const at = (path: string): string => `${provider.issuer}/${path}`
    const discovery = {
      issuer: provider.issuer,
      authorization_endpoint: at('authorize?tenant=a'),
      token_endpoint: at('token'),
      jwks_uri: at('jwks'),
    }
    return { status: 200, body: JSON.stringify(discovery) }
  }
  const server = (tls === undefined ? createServer() : createTlsServer({ ...tls })).on('request', (request, response) => {
    void answerTo(request).then(({ status, body, headers }) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body),
    )
  })
  const { l4Port, close } = await listen(server, { host: '127.0.0.1', l4Port: 0 })
  const provider: TestProvider = {
    issuer: tls === undefined ? `http://127.0.0.1:${l4Port}` : `https://localhost:${l4Port}`,
    behaviour: {},
    asked,
    authorize(address) {
      const query = new URL(address).searchParams
      const code = randomUUID()
      codes.set(code, query)
      const back = new URL(query.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: query.get('state') ?? '', session_state: 'x' }).toString()
      return back
    },
    close,
  }
  return provider
}
