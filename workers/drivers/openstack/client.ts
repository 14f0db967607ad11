// The way to one service of an OpenStack cloud: a token where one is needed, asked for anew where it is no longer taken; so fast, and not
// at all while the cloud is broken.
import type { TokenBearer } from '../../../core/contracts/cloud.ts'
import { messageOf } from '../../../core/errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import { HttpClient, retryOfStatus, type HttpAnswer, type HttpRequest } from '../../../platform/http/client.ts'
import { tlsOf, type Credentials } from '../credentials.ts'
import { Circuit } from './circuit.ts'
import { endpointIn, lifetimeOf, tokenRequestOf, tokensUrl, type EndpointChoice } from './identity.ts'
import { bearerOf } from './token-check.ts'
import { TokenBuckets } from './token-buckets.ts'
import { untilAborted } from './until-aborted.ts'
import { typeOf, wordsOf } from './words.ts'

export interface OpenStackOptions {
  /** What is thrown where nothing answers, or not now. */
  readonly unreachable: (reason: string, cause?: unknown) => Error
  /** Its type in the catalogue, such as `network`. */
  readonly service: string
  /** The identity API, up to before `/v3`; of a cloud that asks for no token the service's own. */
  readonly endpoint: string
  readonly credentials: Credentials
  /** Where the service is: an endpoint of the catalogue, or this URL. */
  readonly endpoints: EndpointChoice | string
  readonly clock: Clock
  /** How long a request may take; 50 s if absent. */
  readonly timeoutMs?: number
  /** In [0, 1). */
  readonly random: () => number
  /** Of one tenant; requests a second, and at once after a rest. */
  readonly pace?: { readonly rate: number; readonly burst: number }
  /** In place of HTTP. */
  readonly ask?: (request: HttpRequest, signal: AbortSignal) => Promise<Pick<HttpAnswer, 'status' | 'headers' | 'body'>>
}

export interface OpenStackRequest {
  readonly method: HttpRequest['method']
  /** Behind the service's endpoint. */
  readonly path: string
  readonly body?: object
  /** It is done to this revision, or not at all. */
  readonly revision?: string
  /** Types of its errors that are a refusal though their status says later. */
  readonly refusals?: readonly string[]
  /** Whose it is: each has its own share. */
  readonly tenant: string
  readonly signal: AbortSignal
}
export type OpenStackAnswer = Pick<HttpAnswer, 'status' | 'body'>

interface Session {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds of the clock's elapsed(). */
  readonly until: number
}

const usualTimeoutMs = 50_000
/** All ports of a region are some megabytes. */
const answerMaxBytes = 256 * 1024 * 1024
/** A token that ends sooner may end on the way. */
const tokenSpareMs = 60_000
/** One that does not say for how long. */
const tokenGoodMs = 3_600_000
const pace = { rate: 20, burst: 50 }
const json = { 'content-type': 'application/json', accept: 'application/json' }

export class OpenStackClient {
  readonly #options: OpenStackOptions
  readonly #http: HttpClient
  readonly #way: NonNullable<OpenStackOptions['ask']>
  readonly #buckets: TokenBuckets
  readonly #circuit: Circuit
  #session: Promise<Session> | undefined

  constructor(options: OpenStackOptions) {
    const { clock, random, credentials, timeoutMs = usualTimeoutMs } = options
    const tls = tlsOf(credentials)
    this.#options = options
    this.#way = options.ask ?? ((request, signal) => this.#http.ask(request, signal))
    this.#http = new HttpClient({ clock, timeoutMs, answerMaxBytes, ...(tls && { tls }) })
    this.#buckets = new TokenBuckets({ ...pace, ...options.pace, clock })
    this.#circuit = new Circuit(clock, random)
  }

  /** Any answer but those that mean later: what is refused too. @throws unreachable where there is none, and for 401, 408, 429, 5xx */
  async send(request: OpenStackRequest): Promise<OpenStackAnswer> {
    const restMs = this.#circuit.openForMs
    if (restMs > 0) throw this.#unreachable(`it has failed, and is asked again in ${Math.ceil(restMs / 1_000)} s`)
    await this.#buckets.wait(request.tenant, request.signal)
    const session = await this.#sessionFor(request.signal)
    const first = await this.#once(session, request)
    if (first.status !== 401) return first
    await this.#renew(session)
    const again = await this.#once(await this.#sessionFor(request.signal), request)
    if (again.status === 401) throw this.#unreachable(`401 ${wordsOf(again.body)}`)
    return again
  }

  /** Past the circuit: whoever shows tokens that break Keystone keeps nobody else from it. @throws unreachable */
  async bearer(token: string, signal: AbortSignal): Promise<TokenBearer | undefined> {
    try {
      return await bearerOf(token, signal, { endpoint: this.#options.endpoint, ask: this.#way })
    } catch (cause) {
      throw this.#unreachable(messageOf(cause), cause)
    }
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  #once({ url, headers }: Session, { method, path, body, revision, refusals, signal }: OpenStackRequest): Promise<OpenStackAnswer> {
    return this.#ask(
      {
        method,
        url: `${url}${path}`,
        headers: { ...json, ...headers, ...(revision !== undefined && { 'if-match': `revision_number=${revision}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      signal,
      refusals,
    )
  }

  /** One asks for a token, and all wait for that one. */
  async #sessionFor(signal: AbortSignal): Promise<Session> {
    const there = this.#session
    const session = there === undefined ? undefined : await untilAborted(signal, there)
    if (session !== undefined && session.until > this.#options.clock.elapsed()) return session
    if (this.#session === there) {
      const next = this.#open()
      this.#session = next
      next.catch(() => {
        if (this.#session === next) this.#session = undefined
      })
    }
    return untilAborted(signal, this.#session!)
  }

  async #renew(used: Session): Promise<void> {
    if ((await this.#session?.catch(() => undefined)) === used) this.#session = undefined
  }

  async #open(): Promise<Session> {
    const { endpoint, credentials, service, endpoints, clock } = this.#options
    const auth = tokenRequestOf(credentials)
    // Neutron's filter for those without a token (NoauthFakeProjectId) gives them a project unless a header names one.
    if (auth === undefined) return { url: baseOf(endpoint), headers: {}, until: Infinity }
    const url = tokensUrl(endpoint)
    const whole = new AbortController().signal
    const { status, body, headers } = await this.#ask({ method: 'POST', url, headers: json, body: JSON.stringify({ auth }) }, whole)
    const token = headers['x-subject-token']
    if (status >= 300 || typeof token !== 'string') throw this.#unreachable(`${status} for a token: ${wordsOf(body)}`)
    return {
      url: baseOf(typeof endpoints === 'string' ? endpoints : this.#chosen(endpointIn(body, service, endpoints), endpoints)),
      headers: { 'x-auth-token': token },
      until: clock.elapsed() + (lifetimeOf(body) ?? tokenGoodMs) - tokenSpareMs,
    }
  }

  #chosen(found: string | undefined, { interface: face, region = '(any)' }: EndpointChoice): string {
    if (found === undefined)
      throw this.#unreachable(`its catalogue has no ${face} endpoint of ${this.#options.service} in region ${region}`)
    return found
  }

  async #ask(
    request: HttpRequest,
    signal: AbortSignal,
    refusals: readonly string[] = [],
  ): Promise<Pick<HttpAnswer, 'status' | 'headers' | 'body'>> {
    let answer
    try {
      answer = await this.#way(request, signal)
    } catch (cause) {
      signal.throwIfAborted()
      this.#circuit.failed()
      throw this.#unreachable(messageOf(cause), cause)
    }
    const { status, headers, body } = answer
    if (status < 400 || retryOfStatus(status) !== 'later' || refusals.includes(typeOf(body))) {
      this.#circuit.answered()
      return answer
    }
    this.#circuit.failed(afterMsOf(headers['retry-after']))
    throw this.#unreachable(`${status} ${wordsOf(body)}`)
  }

  #unreachable(reason: string, cause?: unknown): Error {
    return this.#options.unreachable(reason, cause)
  }
}

/** Some catalogues have the version in it. */
const baseOf = (url: string): string => url.replace(/\/+$/, '').replace(/\/v2\.0$/, '')

/** RFC 9110 section 10.2.3, as seconds; at most five minutes. */
function afterMsOf(header: string | readonly string[] | undefined): number {
  const seconds = Number(header)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 300) * 1_000 : 0
}
