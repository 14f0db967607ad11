// Alcor's REST: JSON by HTTP, of one project, through the gateway before its managers.
import { CloudRefused, CloudUnreachable, ConfigInvalid, messageOf } from '../../../../core/errors.ts'
import type { Clock } from '../../../../platform/clock.ts'
import { HttpClient, retryOfStatus, type HttpAnswer, type HttpRequest } from '../../../../platform/http/client.ts'
import { tlsOf, type Credentials } from '../../credentials.ts'
import type { AlcorKind, Entities } from './entities.ts'

type Answer = Pick<HttpAnswer, 'status' | 'body'>
export type Ask = (request: HttpRequest, signal: AbortSignal) => Promise<Answer>

export interface AlcorApiOptions {
  /** What messages call it. */
  readonly cloud: string
  /** `http://HOST:PORT/project/PROJECT`. */
  readonly endpoint: string
  readonly credentials: Credentials
  readonly clock: Clock
  /** How long a request may take. */
  readonly timeoutMs: number
  /** In place of HTTP. */
  readonly ask?: Ask | undefined
}

const answerMaxBytes = 256 * 1024 * 1024
/** At once to one gateway: a bulk of ports is one. */
const connections = 16
const paths = { network: 'vpcs', subnet: 'subnets', port: 'ports' } as const
const json = { 'content-type': 'application/json', accept: 'application/json' }

export class AlcorApi {
  readonly #cloud: string
  readonly #base: string
  readonly #http: HttpClient
  readonly #ask: Ask

  /** @throws ConfigInvalid */
  constructor({ cloud, endpoint, credentials, clock, timeoutMs, ask }: AlcorApiOptions) {
    const { ca: _, cert: __, key: ___, ...others } = credentials
    if (Object.keys(others).length > 0)
      throw new ConfigInvalid({
        name: 'credentials',
        reason: 'Alcor asks for no user: ca.crt, tls.crt and tls.key are used, and nothing else',
      })
    if (!/^https?:\/\/[^/]+\/(?:.+\/)?project\/[^/]+\/*$/.test(endpoint))
      throw new ConfigInvalid({ name: 'endpoint', reason: `${endpoint} is not like http://HOST:PORT/project/PROJECT` })
    const tls = tlsOf(credentials)
    this.#cloud = cloud
    this.#base = endpoint.replace(/\/+$/, '')
    this.#http = new HttpClient({
      clock,
      timeoutMs,
      answerMaxBytes,
      connections,
      ...(tls && { tls }),
    })
    this.#ask = ask ?? ((request, signal) => this.#http.ask(request, signal))
  }

  /** Some managers answer 404 for what is not there, and some say nothing of it. */
  async get<K extends AlcorKind>(kind: K, id: string, signal: AbortSignal): Promise<Entities[K] | undefined> {
    const answer = await this.#send({ method: 'GET', path: `/${paths[kind]}/${encodeURIComponent(id)}`, signal })
    if (answer.status === 404) return undefined
    const found = bodyOf(this.#done(answer, `a ${kind}`))[kind] as Entities[K] | null | undefined
    return found?.id ? found : undefined
  }

  async list<K extends AlcorKind>(kind: K, name: string | undefined, signal: AbortSignal): Promise<readonly Entities[K][]> {
    const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`
    const answer = this.#done(await this.#send({ method: 'GET', path: `/${paths[kind]}${query}`, signal }), `a list of ${kind}s`)
    const all = (bodyOf(answer)[`${kind}s`] ?? []) as readonly Entities[K][]
    return all.filter((each) => each.id && (name === undefined || each.name === name))
  }

  async create(kind: AlcorKind, body: object, signal: AbortSignal): Promise<void> {
    this.#done(await this.#send({ method: 'POST', path: `/${paths[kind]}`, body: { [kind]: body }, signal }), `a ${kind}`)
  }

  /** @returns what refuses them, in place of throwing that: whoever asked for several at once asks for fewer */
  async createPorts(ports: readonly object[], signal: AbortSignal): Promise<Error | undefined> {
    const answer = await this.#send({ method: 'POST', path: '/ports/bulk', body: { ports }, signal })
    return answer.status < 400 ? undefined : this.#refusal(answer, ports.length === 1 ? 'a port' : `${ports.length} ports`)
  }

  /** What it says, and nothing else of it. @returns whether it is there */
  async change(kind: AlcorKind, id: string, body: object, signal: AbortSignal): Promise<boolean> {
    const path = `/${paths[kind]}/${encodeURIComponent(id)}`
    const answer = await this.#send({ method: 'PUT', path, body: { [kind]: body }, signal })
    if (answer.status === 404) return false
    this.#done(answer, `a change of a ${kind}`)
    return true
  }

  async remove(kind: AlcorKind, id: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#send({ method: 'DELETE', path: `/${paths[kind]}/${encodeURIComponent(id)}`, signal })
    if (answer.status !== 404) this.#done(answer, `the end of a ${kind}`)
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  #done(answer: Answer, what: string): Answer {
    if (answer.status < 400) return answer
    throw this.#refusal(answer, what)
  }

  #refusal({ status, body }: Answer, what: string): Error {
    return new CloudRefused({ cloud: this.#cloud, what, reason: `${status} ${wordsOf(body)}` })
  }

  /** @throws CloudUnreachable where nobody knows whether it was done: without an answer, and for 408, 425, 429 and 5xx */
  async #send(of: {
    readonly method: HttpRequest['method']
    readonly path: string
    readonly body?: object
    readonly signal: AbortSignal
  }): Promise<Answer> {
    const { method, path, body, signal } = of
    let answer: Answer
    try {
      const request = { method, url: `${this.#base}${path}`, headers: json, ...(body !== undefined && { body: JSON.stringify(body) }) }
      answer = await this.#ask(request, signal)
    } catch (cause) {
      signal.throwIfAborted()
      throw new CloudUnreachable({ cloud: this.#cloud, reason: messageOf(cause), cause })
    }
    const { status } = answer
    if (status >= 400 && retryOfStatus(status) === 'later')
      throw new CloudUnreachable({ cloud: this.#cloud, reason: `${status} ${wordsOf(answer.body)}` })
    return answer
  }
}

const bodyOf = ({ body }: Answer): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}

/** As Spring tells of an error, or the text of a proxy before it; at most 500 characters. */
function wordsOf(body: unknown): string {
  const { message, error } = bodyOf({ status: 0, body })
  const text = [message, error].find((each) => typeof each === 'string' && each !== '') ?? body
  return (typeof text === 'string' ? text : JSON.stringify(text ?? '')).replace(/\s+/g, ' ').trim().slice(0, 500)
}
