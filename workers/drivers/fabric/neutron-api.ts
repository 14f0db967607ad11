// OpenStack's networking API, with a token of its identity service where one is needed.
import { messageOf, SwitchRefused, SwitchUnreachable } from '../../../core/errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import { tokenRequestOf } from '../openstack/identity.ts'
import { HttpClient, retryOfStatus, type HttpAnswer, type HttpRequest } from '../../../platform/http/client.ts'

export interface NeutronOptions {
  /** The networking API, without `/v2.0`. */
  readonly url: string
  /** The identity service, without `/v3`; absent: nobody asks who we are. */
  readonly identity?: {
    readonly url: string
    readonly username: string
    readonly password: string
    readonly project: string
    readonly domain: string
  }
  readonly timeoutMs?: number
  readonly clock: Clock
}
type Answer = Pick<HttpAnswer, 'status' | 'body'>
interface Call {
  readonly signal: AbortSignal
  readonly body?: object
}
type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** All ports and networks of a region are some megabytes. */
const answerMaxBytes = 256 * 1024 * 1024

export class NeutronApi {
  readonly target: string
  readonly #options: NeutronOptions
  readonly #http: HttpClient
  #token: string | undefined

  constructor(options: NeutronOptions) {
    this.target = options.url
    this.#options = options
    this.#http = new HttpClient({ clock: options.clock, timeoutMs: options.timeoutMs ?? 30_000, answerMaxBytes })
  }

  /** Any answer, refusals too. @throws SwitchUnreachable where there is none, and where it was busy or broken: 429, every 5xx */
  async send(verb: Verb, path: string, call: Call): Promise<Answer> {
    const first = await this.#once(verb, path, call)
    if (first.status !== 401 || this.#options.identity === undefined) return first
    this.#token = undefined
    return this.#once(verb, path, call)
  }

  /** @throws SwitchRefused for a 4xx; a DELETE of what is gone is done */
  async call<T>(verb: Verb, path: string, call: Call): Promise<T> {
    const answer = await this.send(verb, path, call)
    if (!(verb === 'DELETE' && answer.status === 404)) this.check(answer, path)
    return answer.body as T
  }

  check({ status, body }: Answer, what: string): void {
    if (status >= 400) throw new SwitchRefused({ target: this.target, reason: `${status} for ${what}: ${JSON.stringify(body)}` })
  }

  async #once(method: Verb, path: string, { signal, body }: Call): Promise<HttpAnswer> {
    const token = await this.#tokenOf(signal)
    return this.#ask(
      {
        method,
        url: `${this.#options.url}${path}`,
        headers: { ...json, ...(token !== undefined && { 'x-auth-token': token }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      signal,
    )
  }

  async #tokenOf(signal: AbortSignal): Promise<string | undefined> {
    const { identity } = this.#options
    if (identity === undefined || this.#token !== undefined) return this.#token
    const { url: at, ...credentials } = identity
    const auth = tokenRequestOf(credentials)
    const url = `${at}/v3/auth/tokens`
    const answer = await this.#ask({ method: 'POST', url, headers: json, body: JSON.stringify({ auth }) }, signal)
    this.check(answer, 'a token')
    const token = answer.headers['x-subject-token']
    this.#token = typeof token === 'string' ? token : undefined
    return this.#token
  }

  async #ask(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    let answer: HttpAnswer
    try {
      answer = await this.#http.ask(request, signal)
    } catch (cause) {
      signal.throwIfAborted()
      throw new SwitchUnreachable({ target: this.target, reason: messageOf(cause), cause })
    }
    const { status, body } = answer
    if (status >= 400 && retryOfStatus(status) === 'later')
      throw new SwitchUnreachable({ target: this.target, reason: `${status} ${textOf(body).slice(0, 200)}` })
    return answer
  }
}

const json = { 'content-type': 'application/json' }
const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))
