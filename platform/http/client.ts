// HTTP to a system that is not this process: over kept connections, whole answers within a time and a size, JSON where they are JSON. No
// redirect is followed and no proxy asked. Whoever a user names is reached through the guard instead (guarded/outgoing.ts).
import { createSecureContext } from 'node:tls'
import { Pool, type Dispatcher } from 'undici'
import type { Retry } from '../../core/errors.ts'
import { limited, type Clock } from '../clock.ts'

/** Whom we trust, and who we are. */
export interface Tls {
  readonly ca?: string | Buffer
  readonly cert?: string | Buffer
  readonly key?: string | Buffer
  readonly servername?: string
  readonly rejectUnauthorized?: boolean
}

export interface HttpClientOptions {
  readonly clock: Clock
  /** From the beginning of a request to the end of its answer; absent: as long as something comes. */
  readonly timeoutMs?: number
  /** How long nothing may come; absent: as long as the whole may take. Streams have deadlines of their own. */
  readonly silenceMs?: number
  /** No more of an answer is read: it is none then. Absent: of a peer that is trusted with our memory. */
  readonly answerMaxBytes?: number
  /** Absent: Node.js's own authorities, and no certificate of ours. */
  readonly tls?: Tls
  /** A unix socket, whatever host is named. */
  readonly socketPath?: string
  /** To one origin at once, streams not counted; absent: as many as there are requests. */
  readonly connections?: number
  /** How long an idle connection is kept; absent: 4 s, or as the server says. */
  readonly idleMs?: number
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** An answer has begun. */
  readonly onStatus?: (status: number) => void
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The JSON; the text where it is none. */
  readonly body: unknown
}

/** An answer without end. */
export interface Stream {
  readonly chunks: AsyncIterator<Buffer>
  /** Ends it; repeatable. */
  close(): void
}

/** What the same request is worth after an answer that is no 2xx: where the peer was late, busy or broken it may be answered otherwise. */
export const retryOfStatus = (status: number): Retry => (status >= 500 || [408, 425, 429].includes(status) ? 'later' : 'never')

/** A new connection that takes longer leads nowhere. */
const connectMs = 10_000

/** The connections to one origin. */
interface Pools {
  readonly requests: Pool
  /** A stream has a connection to itself. */
  readonly streams: Pool
}

export class HttpClient {
  readonly #options: HttpClientOptions
  readonly #pools = new Map<string, Pools>()
  readonly #open: (origin: string) => Pools

  constructor(options: HttpClientOptions) {
    this.#options = options
    this.#open = opener(options)
  }

  /** Any status is an answer. @throws what the connection or the whole answer has failed by: it is worth another try */
  async ask(request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer> {
    const { timeoutMs, clock } = this.#options
    if (timeoutMs === undefined) return this.#whole(request, signal)
    return limited(timeoutMs, clock, (late) => this.#whole(request, signal === undefined ? late : AbortSignal.any([signal, late])))
  }

  /** Like `ask`, for what has no end: the stream where the answer is 200. */
  async open(request: HttpRequest, signal: AbortSignal): Promise<Stream | HttpAnswer> {
    const answer = await this.#send('streams', request, signal)
    if (answer.statusCode !== 200) return answerOf(answer)
    const { body } = answer
    // An abort while nobody reads would be an error that nobody hears.
    body.on('error', () => undefined)
    return { chunks: body[Symbol.asyncIterator]() as AsyncIterator<Buffer>, close: () => void body.destroy() }
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].flatMap(({ requests, streams }) => [requests.destroy(), streams.destroy()]))
  }

  async #whole(request: HttpRequest, signal: AbortSignal | undefined): Promise<HttpAnswer> {
    return answerOf(await this.#send('requests', request, signal))
  }

  async #send(
    over: keyof Pools,
    { method, url, headers, body, onStatus }: HttpRequest,
    signal: AbortSignal | undefined,
  ): Promise<Dispatcher.ResponseData> {
    const { origin, pathname, search } = new URL(url)
    let pools = this.#pools.get(origin)
    if (pools === undefined) this.#pools.set(origin, (pools = this.#open(origin)))
    const answer = await pools[over].request({
      path: pathname + search,
      method,
      headers: { 'user-agent': 'megrez', ...headers },
      ...(body !== undefined && { body }),
      ...(signal !== undefined && { signal }),
    })
    onStatus?.(answer.statusCode)
    return answer
  }
}

function opener({ tls, socketPath, idleMs, silenceMs = 0, connections, answerMaxBytes }: HttpClientOptions): (origin: string) => Pools {
  const shared: Pool.Options = {
    allowH2: false,
    connect: {
      timeout: connectMs,
      // The context is made once: otherwise each connection would read certificates and authorities anew, some milliseconds each.
      ...(tls !== undefined && { ...tls, secureContext: createSecureContext(tls) }),
      ...(socketPath !== undefined && { socketPath }),
    },
    ...(idleMs !== undefined && { keepAliveTimeout: idleMs, keepAliveMaxTimeout: 2 * idleMs }),
  }
  const whole: Pool.Options = {
    ...shared,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    ...(connections !== undefined && { connections }),
    ...(answerMaxBytes !== undefined && { maxResponseSize: answerMaxBytes }),
  }
  return (origin) => ({
    requests: new Pool(origin, whole),
    streams: new Pool(origin, { ...shared, headersTimeout: 0, bodyTimeout: 0 }),
  })
}

async function answerOf({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<HttpAnswer> {
  return { status, headers, body: parsed(await body.text()) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
