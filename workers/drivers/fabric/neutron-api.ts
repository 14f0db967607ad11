// OpenStack's networking API, with a token of its identity service where one is needed.
import { request } from 'undici'
import { SwitchRefused, SwitchUnreachable } from '../../../core/errors.ts'
import { timeLimit, type Clock } from '../../../platform/clock.ts'

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
export interface Answer {
  readonly status: number
  readonly body: unknown
}
interface Call {
  readonly signal: AbortSignal
  readonly body?: object
}
type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE'

export class NeutronApi {
  readonly target: string
  readonly #options: NeutronOptions
  #token: string | undefined

  constructor(options: NeutronOptions) {
    this.target = options.url
    this.#options = options
  }

  /** Any answer, refusals too. @throws SwitchUnreachable where there is none, and for every 5xx */
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

  async #once(method: Verb, path: string, { signal, body }: Call): Promise<Answer> {
    const token = await this.#tokenOf(signal)
    return this.#request(`${this.#options.url}${path}`, {
      method,
      signal,
      ...(body !== undefined && { body }),
      headers: token === undefined ? {} : { 'x-auth-token': token },
    })
  }

  async #tokenOf(signal: AbortSignal): Promise<string | undefined> {
    const { identity } = this.#options
    if (identity === undefined || this.#token !== undefined) return this.#token
    const { username: name, password, project, domain } = identity
    const auth = {
      identity: { methods: ['password'], password: { user: { name, password, domain: { name: domain } } } },
      scope: { project: { name: project, domain: { name: domain } } },
    }
    const answer = await this.#request(`${identity.url}/v3/auth/tokens`, { method: 'POST', signal, body: { auth }, headers: {} })
    this.check(answer, 'a token')
    this.#token = answer.token
    return this.#token
  }

  async #request(
    url: string,
    { method, signal, body, headers }: { method: Verb; signal: AbortSignal; body?: object; headers: Readonly<Record<string, string>> },
  ): Promise<Answer & { readonly token?: string }> {
    const timeout = timeLimit(this.#options.timeoutMs ?? 30_000, this.#options.clock)
    try {
      const answer = await request(url, {
        method,
        signal: AbortSignal.any([signal, timeout]),
        headers: { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.body.text()
      if (answer.statusCode >= 500)
        throw new SwitchUnreachable({ target: this.target, reason: `${answer.statusCode} ${text.slice(0, 200)}` })
      const token = answer.headers['x-subject-token']
      return { status: answer.statusCode, body: text === '' ? undefined : parsed(text), ...(typeof token === 'string' && { token }) }
    } catch (err) {
      signal.throwIfAborted()
      if (err instanceof SwitchUnreachable) throw err
      throw new SwitchUnreachable({ target: this.target, reason: (err as Error).message, cause: err })
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
