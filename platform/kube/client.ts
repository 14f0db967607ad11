// One thin REST client. It counts what it asks, and knows nothing of kinds.
import { createSecureContext } from 'node:tls'
import { Pool, type Dispatcher } from 'undici'
import { StoreUnavailable, messageOf } from '../../core/errors.ts'
import { realRandom } from '../chance.ts'
import { pause, realClock, type Clock } from '../clock.ts'
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

/** An answer without end. */
export interface Stream {
  readonly chunks: AsyncIterator<Buffer>
  /** Ends it; repeatable. */
  close(): void
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

interface Pools {
  readonly requests: Pool
  readonly watches: Pool
}

function openPools(
  { server, tls }: Pick<Credentials, 'server' | 'tls'>,
  { connections, timeoutMs }: { readonly connections: number; readonly timeoutMs: number },
): Pools {
  const { origin, protocol } = new URL(server)
  // Read once: otherwise each connection would read certificates and authorities anew, some milliseconds each.
  const secureContext = protocol === 'https:' ? { secureContext: createSecureContext(tls) } : {}
  // The API server closes idle connections after 90 s: ours go first, so that no request meets a closing one.
  const pool = {
    allowH2: false,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 60_000,
    connect: { ...tls, ...secureContext, timeout: 10_000 },
  }
  return {
    requests: new Pool(origin, { ...pool, connections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs }),
    // Watches have a connection each, and deadlines of their own.
    watches: new Pool(origin, { ...pool, headersTimeout: 0, bodyTimeout: 0 }),
  }
}

export class KubeClient implements KubeApi {
  #credentials: Credentials
  #prefix: string
  #pools: Pools
  #openGuests: () => Pools
  #guests: Pools | undefined
  #meter: KubeMeter
  #counts = new Map<string, number>()
  #clock: Clock
  #random: () => number

  constructor(
    credentials: Credentials,
    { meter = noMeter, connections = 64, timeoutMs = 30_000, clock = realClock, random = realRandom }: KubeClientOptions = {},
    pools?: Pools,
  ) {
    this.#credentials = credentials
    this.#meter = meter
    this.#clock = clock
    this.#random = random
    const { pathname } = new URL(credentials.server)
    this.#prefix = pathname === '/' ? '' : pathname
    this.#pools = pools ?? openPools(credentials, { connections, timeoutMs })
    const { cert: _cert, key: _key, ...tls } = credentials.tls
    this.#openGuests = () => openPools({ server: credentials.server, tls }, { connections, timeoutMs })
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
        const { statusCode, headers, body } = await this.#send(this.#pools.requests, request, signal)
        const answer = { status: statusCode, body: parsed(await body.text()), retryAfterMs: retryAfterMs(headers['retry-after']) }
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
      const { statusCode, headers, body } = await this.#send(this.#pools.watches, request, signal)
      if (statusCode !== 200)
        return { status: statusCode, body: parsed(await body.text()), retryAfterMs: retryAfterMs(headers['retry-after']) }
      // An abort while nobody reads would be an error that nobody hears.
      body.on('error', () => undefined)
      return { chunks: body[Symbol.asyncIterator]() as AsyncIterator<Buffer>, close: () => void body.destroy() }
    } catch (cause) {
      throw unanswered(request, cause)
    }
  }

  async #send(pool: Pool, request: KubeRequest, signal: AbortSignal | undefined): Promise<Dispatcher.ResponseData> {
    const first = await this.#sendOnce(pool, request, { signal, refused: false })
    if (first.statusCode !== 401) return first
    await first.body.dump()
    return this.#sendOnce(pool, request, { signal, refused: true })
  }

  async #sendOnce(
    pool: Pool,
    request: KubeRequest,
    { signal, refused }: { readonly signal: AbortSignal | undefined; readonly refused: boolean },
  ): Promise<Dispatcher.ResponseData> {
    const authorization = await this.#credentials.authorization(refused)
    this.#count(request)
    const began = this.#clock.elapsed()
    const answer = await pool.request({
      method: methods[request.verb],
      path: this.#prefix + request.path + queryText(request.query),
      headers: {
        accept: 'application/json',
        'user-agent': 'megrez',
        ...(authorization === undefined ? {} : { authorization }),
        ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: textOf(request) }),
      ...(signal === undefined ? {} : { signal }),
    })
    this.#meter.answered(request, answer.statusCode, (this.#clock.elapsed() - began) / 1000)
    return answer
  }

  #count(request: KubeRequest): void {
    const key = `${request.verb} ${request.resource}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await Promise.all(
      [this.#pools, this.#guests].flatMap((each) => (each === undefined ? [] : [each.requests.destroy(), each.watches.destroy()])),
    )
  }
}

const never = new AbortController().signal

function queryText(query: KubeRequest['query']): string {
  const given = Object.entries(query ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

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
