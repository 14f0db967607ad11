// An OpenID provider as its client sees it: where it is (Discovery 1.0), tokens for a code (RFC 6749, 4.1.3, with PKCE), and what an ID
// token says (OpenID Connect Core 1.0, 3.1.3.7).
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { MegrezError, SignInRefused, SignInUnavailable } from '../../../core/errors.ts'
import { isObject } from '../../../core/json.ts'
import type { Clock } from '../../../platform/clock.ts'
import { HttpClient, type HttpAnswer } from '../../../platform/http/client.ts'
import { toleranceSeconds } from '../../plugins/claims.ts'
import { discovered, readsJson, type Discovery, type Read } from '../../plugins/keys.ts'
import { challengeOf, type Attempt } from './attempt.ts'

export interface ProviderOptions {
  readonly issuer: string
  /** Our client_id. */
  readonly client: string
  /** Absent: a public client. */
  readonly secret?: () => Promise<string>
  /** Beside openid. */
  readonly scopes: readonly string[]
  /** Where browsers reach us. */
  readonly publicUrl: string
  /** Those that the issuer's tokens are judged by: never none, never HMAC. */
  readonly algorithms: readonly string[]
  readonly keys: JWTVerifyGetKey
}
export interface TokenSet {
  readonly idToken: string
  readonly accessToken?: string
}

const freshMs = 600_000
/** Anybody may begin a sign-in: a provider that does not answer is not asked by each. */
const cooldownMs = 5_000
const timeoutMs = 8_000
const answerMaxBytes = 256 * 1024
const connections = 8

export class OpenIdProvider {
  readonly options: ProviderOptions
  readonly #clock: Clock
  readonly #http: HttpClient
  readonly #read: Read
  #held: { readonly discovery: Discovery; readonly at: number } | undefined
  #failedAt = Number.NEGATIVE_INFINITY
  #pending: Promise<void> | undefined

  constructor(options: ProviderOptions, clock: Clock) {
    this.options = options
    this.#clock = clock
    this.#http = new HttpClient({ clock, timeoutMs, answerMaxBytes, connections })
    this.#read = readsJson(clock)
  }

  get redirectUrl(): string {
    return `${this.options.publicUrl}/sign-in/callback`
  }

  /** Where a browser signs in. @throws SignInUnavailable */
  async addressFor(attempt: Attempt): Promise<string> {
    const url = endpointIn(await this.#discovery(), 'authorization_endpoint')
    const { client, scopes } = this.options
    const query = {
      response_type: 'code',
      client_id: client,
      redirect_uri: this.redirectUrl,
      scope: [...new Set(['openid', ...scopes])].join(' '),
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: challengeOf(attempt),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url.href
  }

  /** @param iss what an answer says of who gives it (RFC 9207). @throws SignInRefused where it is another, SignInUnavailable */
  async holdAnswerer(iss: string | undefined): Promise<void> {
    const isDue = iss !== undefined || (await this.#discovery())['authorization_response_iss_parameter_supported'] === true
    if (isDue && iss !== this.options.issuer) throw new SignInRefused({ reason: 'another provider has answered' })
  }

  /** @throws SignInRefused for a code that the provider does not take, SignInUnavailable */
  async tokensFor(code: string, { verifier }: Attempt): Promise<TokenSet> {
    const discovery = await this.#discovery()
    const url = endpointIn(discovery, 'token_endpoint').href
    const { headers, fields } = await this.#authentication(discovery)
    const form = { grant_type: 'authorization_code', code, redirect_uri: this.redirectUrl, code_verifier: verifier, ...fields }
    const answer = await this.#http
      .ask({
        method: 'POST',
        url,
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(form).toString(),
      })
      .catch((cause: unknown) => {
        throw new SignInUnavailable({ reason: 'the token endpoint of the provider does not answer', cause })
      })
    return tokensIn(answer)
  }

  /** What a verified ID token says. @throws SignInRefused, IssuerUnavailable */
  async claimsOf(idToken: string, { nonce }: Attempt): Promise<JWTPayload> {
    const { issuer, client, algorithms, keys } = this.options
    try {
      const { payload } = await jwtVerify(idToken, keys, {
        issuer,
        audience: client,
        algorithms: [...algorithms],
        requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
        clockTolerance: toleranceSeconds,
        currentDate: new Date(this.#clock.now()),
      })
      holdClaims(payload, nonce, client)
      return payload
    } catch (cause) {
      throw cause instanceof MegrezError ? cause : new SignInRefused({ reason: reasonOf(cause), cause })
    }
  }

  /** RFC 6749, 2.3.1; the names and secrets are form-encoded first. */
  async #authentication(discovery: Discovery): Promise<{
    readonly headers: Readonly<Record<string, string>>
    readonly fields: Readonly<Record<string, string>>
  }> {
    const { client, secret: read } = this.options
    if (read === undefined) return { headers: {}, fields: { client_id: client } }
    const secret = await secretOf(read)
    const methods = discovery['token_endpoint_auth_methods_supported']
    if (Array.isArray(methods) && !methods.includes('client_secret_basic') && methods.includes('client_secret_post'))
      return { headers: {}, fields: { client_id: client, client_secret: secret } }
    const pair = `${formEncoded(client)}:${formEncoded(secret)}`
    return { headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, fields: {} }
  }

  async #discovery(): Promise<Discovery> {
    if (this.#held === undefined || this.#clock.elapsed() - this.#held.at > freshMs) await this.#discoverAgain()
    if (this.#held === undefined) throw new SignInUnavailable({ reason: 'the discovery document of the provider cannot be read' })
    return this.#held.discovery
  }

  async #discoverAgain(): Promise<void> {
    if (this.#pending === undefined) {
      if (this.#clock.elapsed() - this.#failedAt < cooldownMs) return
      this.#pending = this.#discover()
    }
    await this.#pending
  }

  async #discover(): Promise<void> {
    try {
      this.#held = { discovery: await discovered(this.options.issuer, this.#read), at: this.#clock.elapsed() }
    } catch {
      // What is held serves on; where nothing is, the caller is told.
      this.#failedAt = this.#clock.elapsed()
    } finally {
      this.#pending = undefined
    }
  }
}

/** @throws SignInUnavailable for none, or one that is not as safe as the issuer's own address */
function endpointIn(discovery: Discovery, name: string): URL {
  const url = URL.parse(String(discovery[name]))
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && String(discovery['issuer']).startsWith('http:'))
  if (url === null || !isSafe) throw new SignInUnavailable({ reason: `the provider names no ${name}` })
  return url
}

/** @throws SignInUnavailable: which file it is says the log of the start, and not a page */
async function secretOf(read: () => Promise<string>): Promise<string> {
  const secret = (await read().catch(() => '')).trim()
  if (secret === '') throw new SignInUnavailable({ reason: "the client's secret cannot be read" })
  return secret
}

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

/** A word of OAuth, fit to be shown: what else an answer says is somebody else's text. */
export const oauthWord = (given: unknown): string =>
  typeof given === 'string' && /^[a-z_]{1,64}$/.test(given) ? given : 'an unnamed error'

function tokensIn({ status, body }: HttpAnswer): TokenSet {
  if (status >= 400 && status < 500 && status !== 429 && isObject(body) && 'error' in body)
    throw new SignInRefused({ reason: `the provider does not take the code: ${oauthWord(body['error'])}` })
  if (status !== 200) throw new SignInUnavailable({ reason: `the token endpoint of the provider answers ${status}` })
  const { id_token: idToken, access_token: accessToken } = isObject(body) ? body : {}
  if (typeof idToken !== 'string') throw new SignInUnavailable({ reason: 'the token endpoint of the provider answers without an ID token' })
  return { idToken, ...(typeof accessToken === 'string' && { accessToken }) }
}

function holdClaims({ nonce: given, aud, azp }: JWTPayload, nonce: string, client: string): void {
  if (given !== nonce) throw wrong('nonce')
  const isOurs = azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === client
  if (!isOurs) throw wrong('azp')
}

const wrong = (claim: string): MegrezError => new SignInRefused({ reason: `the claim ${claim} of the ID token is not right` })

function reasonOf(cause: unknown): string {
  if (cause instanceof errors.JWTExpired) return 'the ID token has expired'
  if (cause instanceof errors.JWTClaimValidationFailed) return `the claim ${cause.claim} of the ID token is not right`
  return 'the ID token is not signed by a key of the provider, or not in a way that is taken'
}
