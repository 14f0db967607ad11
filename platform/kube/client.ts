// One thin REST client. It counts what it asks, and knows nothing of kinds.
import { StoreUnavailable, messageOf } from '../../core/errors.ts'
import { realRandom } from '../chance.ts'
import { pause, realClock, type Clock } from '../clock.ts'
import { HttpClient, type HttpAnswer, type HttpRequest, type Stream } from '../http/client.ts'
import type { Credentials } from './credentials.ts'
import { noMeter, type KubeMeter } from './watch/meter.ts'
import { RetryBudget } from './retry-budget.ts'
import { retryAfterMs } from './retry-after.ts'

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'patch' | 'delete'

export interface KubeRequest {
  readonly verb: Verb
  /** As RBAC names it: `ports`, `pods/status`. */
  readonly resource: string
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly contentType?: string
}

export interface KubeResponse {
  readonly status: number
  /** The JSON; the text where it is none. */
  readonly body: unknown
  /** What the server asked for, if it did. */
  readonly retryAfterMs: number | undefined
}

/** What is asked of an API server, wherever it is: KubeClient's over the network, a simulation's in memory. */
export interface KubeApi {
  /** @throws StoreUnavailable when no whole answer came; any status is an answer */
  ask(request: KubeRequest, signal?: AbortSignal): Promise<KubeResponse>
  /** Like `ask`, for what has no end: the stream where the answer is 200. */
  open(request: KubeRequest, signal: AbortSignal): Promise<Stream | KubeResponse>
  /** The same API server, asked as another account, which this Authorization header names. */
  as(authorization: string): KubeApi
  /** Requests so far, by `verb resource`. */
  readonly counts: Readonly<Record<string, number>>
  /** Ends what is under way. */
  close(): Promise<void>
}

const methods = { get: 'GET', list: 'GET', watch: 'GET', create: 'POST', patch: 'PATCH', delete: 'DELETE' } as const

export interface KubeClientOptions {
  readonly meter?: KubeMeter
  /** How many requests may be under way at once, watches not counted. */
  readonly connections?: number
  readonly timeoutMs?: number
  readonly clock?: Clock
  readonly random?: () => number
}

type Limits = { readonly connections: number; readonly timeoutMs: number; readonly clock: Clock }

function openHttp({ server, tls }: Pick<Credentials, 'server' | 'tls'>, { connections, timeoutMs, clock }: Limits): HttpClient {
  return new HttpClient({
    clock,
    ...(server.startsWith('https:') && { tls }),
    // A list may be long: it may take its time as long as something comes.
    silenceMs: timeoutMs,
    connections,
    // The API server closes idle connections after 90 s: ours go first, so that no request meets a closing one.
    idleMs: 30_000,
  })
}

export class KubeClient implements KubeApi {
  #credentials: Credentials
  #base: string
  #http: HttpClient
  #openGuests: () => HttpClient
  #guests: HttpClient | undefined
  #meter: KubeMeter
  #counts = new Map<string, number>()
  #clock: Clock
  #random: () => number

  constructor(
    credentials: Credentials,
    { meter = noMeter, connections = 64, timeoutMs = 30_000, clock = realClock, random = realRandom }: KubeClientOptions = {},
    http?: HttpClient,
  ) {
    this.#credentials = credentials
    this.#meter = meter
    this.#clock = clock
    this.#random = random
    const { origin, pathname } = new URL(credentials.server)
    this.#base = pathname === '/' ? origin : origin + pathname
    const limits = { connections, timeoutMs, clock }
    this.#http = http ?? openHttp(credentials, limits)
    const { cert: _cert, key: _key, ...tls } = credentials.tls
    this.#openGuests = () => openHttp({ server: credentials.server, tls }, limits)
  }

  /**
   * The same API server, asked as another account: over connections that do not show our client certificate, which would be believed
   * before the account's token. Its connections are closed with this client's.
   *
   * @param authorization header of the account's requests
   */
  as(authorization: string): KubeClient {
    this.#guests ??= this.#openGuests()
    return new KubeClient(
      { ...this.#credentials, authorization: async () => authorization },
      { meter: this.#meter, clock: this.#clock, random: this.#random },
      this.#guests,
    )
  }

  /** Requests so far, by `verb resource`. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts)
  }

  /**
   * One that the server was too busy for, and has not executed (429), is sent again when it says, for some seconds.
   *
   * @throws StoreUnavailable when no whole answer came; any status is an answer
   */
  async ask(request: KubeRequest, signal?: AbortSignal): Promise<KubeResponse> {
    const patience = new RetryBudget(this.#random)
    try {
      while (true) {
        const answer = responseOf(await this.#send(request, (http) => this.#http.ask(http, signal)))
        const waitMs = patience.waitMs(answer)
        if (waitMs === undefined) return answer
        await pause(waitMs, this.#clock, signal ?? never)
        signal?.throwIfAborted()
      }
    } catch (cause) {
      throw unanswered(request, cause)
    }
  }

  /** Like `ask`, for what has no end: the stream where the answer is 200. */
  async open(request: KubeRequest, signal: AbortSignal): Promise<Stream | KubeResponse> {
    try {
      const answer = await this.#send(request, (http) => this.#http.open(http, signal))
      return 'status' in answer ? responseOf(answer) : answer
    } catch (cause) {
      throw unanswered(request, cause)
    }
  }

  /** Once more with new credentials where those that we have are refused. */
  async #send<A extends HttpAnswer | Stream>(request: KubeRequest, send: (http: HttpRequest) => Promise<A>): Promise<A> {
    const first = await send(await this.#requestOf(request, false))
    return 'status' in first && first.status === 401 ? send(await this.#requestOf(request, true)) : first
  }

  async #requestOf(request: KubeRequest, refused: boolean): Promise<HttpRequest> {
    const authorization = await this.#credentials.authorization(refused)
    this.#count(request)
    const began = this.#clock.elapsed()
    return {
      method: methods[request.verb],
      url: this.#base + request.path + queryText(request.query),
      headers: {
        accept: 'application/json',
        ...(authorization !== undefined && { authorization }),
        ...(request.body !== undefined && { 'content-type': request.contentType ?? 'application/json' }),
      },
      ...(request.body !== undefined && { body: textOf(request) }),
      onStatus: (status) => this.#meter.answered(request, status, (this.#clock.elapsed() - began) / 1000),
    }
  }

  #count(request: KubeRequest): void {
    const key = `${request.verb} ${request.resource}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await Promise.all([this.#http.close(), this.#guests?.close()])
  }
}

const never = new AbortController().signal

function queryText(query: KubeRequest['query']): string {
  const given = Object.entries(query ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

const responseOf = ({ status, headers, body }: HttpAnswer): KubeResponse => ({
  status,
  body,
  retryAfterMs: retryAfterMs(headers['retry-after']),
})

function unanswered(request: KubeRequest, cause: unknown): unknown {
  const reason = messageOf(cause)
  return new StoreUnavailable({ reason: `${request.verb} ${request.resource}: ${reason}`, cause })
}

/**
 * The tests of a JSON patch compare texts as they are spelled (evanphx/json-patch 4.12), and Go spells these five otherwise than
 * JavaScript.
 */
function textOf({ body, contentType }: KubeRequest): string {
  const text = JSON.stringify(body)
  return contentType === 'application/json-patch+json'
    ? text.replace(/[<>&\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : text
}
