// REST, as the CLI uses it: one set of calls for every kind. Types are those of the contract; a kind's own paths differ only in
// their last word, so those of ports stand for all.
import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from '../../openapi/types.ts'
import type { Kind } from '../../core/kinds/index.ts'
import type { Item } from '../kinds/columns.ts'
import type { Selection } from '../args.ts'
import { CliError } from '../context.ts'
import { isNamespaced, pluralOf } from '../kinds/names.ts'
import type { Explanation, PlaneExplained } from '../../core/views/explain/explain.ts'
import type { Target } from './target.ts'

export type Problem = components['schemas']['Problem']
type All = '/v1/namespaces/{namespace}/ports'
type One = '/v1/namespaces/{namespace}/ports/{name}'

/** How a sink took a sample. */
export interface TestedSink {
  readonly outcome?: string
  readonly code?: number
  readonly reason?: string
}
export interface ApiAnswer {
  readonly status: number
  readonly item: Item | undefined
  readonly problem: Problem | undefined
  readonly etag: string
  readonly warnings: readonly string[]
}

type PlanPolicies = paths['/v1/policy/plan']['post']
type TracePolicy = paths['/v1/policy/trace']['get']
type Routes = paths['/v1/routes']['get']
type FindEndpoints = paths['/v1/namespaces/{namespace}/networkservices/{name}/endpoints']['get']
type ExplainAnswer = Explanation & { readonly plane?: PlaneExplained }

type RotateSecret = paths['/v1/namespaces/{namespace}/subscriptions/{name}/rotate-secret']['post']
type RotatedSecret = RotateSecret['responses'][200]['content']['application/json']

export class Api {
  readonly target: Target
  #client: Client<paths>
  #signal: AbortSignal

  constructor(target: Target, signal: AbortSignal) {
    this.target = target
    this.#signal = signal
    this.#client = createClient<paths>({ baseUrl: target.url, headers: this.headers() })
  }

  headers(): Record<string, string> {
    return { accept: 'application/json', ...tokenHeader(this.target) }
  }

  /** Every page. @param namespace absent: all; of no meaning for kinds of the cluster */
  async *list(kind: Kind, namespace: string | undefined, selection: Selection): AsyncGenerator<Item> {
    let place: string | undefined
    do {
      const query = { ...selection, limit: 500, ...(place !== undefined && { continue: place }) }
      const { data, error } = await this.#send(() =>
        this.#client.GET(allOf(kind, namespace), { params: { path: { namespace: namespace ?? '' }, query }, signal: this.#signal }),
      )
      if (error !== undefined) throw refusal(error)
      const page = data as unknown as { readonly items: readonly Item[]; readonly metadata: { readonly continue?: string } }
      yield* page.items
      place = page.metadata.continue
    } while (place !== undefined && place !== '')
  }

  /** The whole list, or its first `max`. */
  async all(kind: Kind, namespace: string | undefined, selection: Selection = {}, max = Infinity): Promise<readonly Item[]> {
    const items: Item[] = []
    for await (const item of this.list(kind, namespace, selection)) {
      items.push(item)
      if (items.length === max) break
    }
    return items
  }

  get(kind: Kind, namespace: string, name: string): Promise<ApiAnswer> {
    return this.#one(() => this.#client.GET(oneOf(kind), { params: { path: { namespace, name } }, signal: this.#signal }))
  }

  create(kind: Kind, namespace: string, body: object, dryRun: boolean): Promise<ApiAnswer> {
    return this.#one(() =>
      this.#client.POST(allOf(kind, namespace), {
        params: { path: { namespace }, query: ifDry(dryRun) },
        body: body as never,
        signal: this.#signal,
      }),
    )
  }

  /** A merge patch (RFC 7396). */
  patch(
    kind: Kind,
    where: { readonly namespace: string; readonly name: string; readonly etag: string },
    body: object,
    dryRun: boolean,
  ): Promise<ApiAnswer> {
    const { namespace, name, etag } = where
    const headers = { 'content-type': 'application/merge-patch+json' }
    return this.#one(() =>
      this.#client.PATCH(oneOf(kind), {
        params: { path: { namespace, name }, query: ifDry(dryRun), header: { 'If-Match': etag } },
        headers,
        body: body as never,
        signal: this.#signal,
      }),
    )
  }

  /** The kinds that may be listed in a namespace, or everywhere; undefined where the server does not say. */
  async listable(namespace: string | undefined): Promise<ReadonlySet<string> | undefined> {
    const query = namespace === undefined ? {} : { namespace }
    const { data } = await this.#send(() => this.#client.GET('/v1/me', { params: { query }, signal: this.#signal }))
    if (data === undefined) return undefined
    const may = data.kinds.filter(({ verbs }) => verbs.some(({ verb, namespaces }) => verb === 'list' && mayIn(namespaces, namespace)))
    return new Set(may.map(({ kind }) => kind))
  }

  /** Why an object is as it is. */
  async explain(
    kind: Kind,
    namespace: string,
    name: string,
  ): Promise<{ readonly explanation: ExplainAnswer | undefined; readonly problem: Problem | undefined }> {
    const signal = this.#signal
    const { data, error } = await this.#send(() =>
      isNamespaced(kind)
        ? this.#client.GET('/v1/explain/{kind}/{namespace}/{name}', { params: { path: { kind, namespace, name } }, signal })
        : this.#client.GET('/v1/explain/{kind}/{name}', { params: { path: { kind, name } }, signal }),
    )
    return { explanation: data as ExplainAnswer | undefined, problem: error as Problem | undefined }
  }

  /** What a network service descriptor comes to. */
  async planNsd(
    namespace: string,
    nsd: object,
    query: Readonly<Record<string, string | undefined>>,
  ): Promise<{ readonly items: readonly object[]; readonly problem: Problem | undefined }> {
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
    const { data, error } = await this.#send(() =>
      this.#client.POST('/v1/namespaces/{namespace}/nsd', {
        params: { path: { namespace }, query: given },
        body: nsd as never,
        signal: this.#signal,
      }),
    )
    return { items: (data as { readonly items?: readonly object[] } | undefined)?.items ?? [], problem: error as Problem | undefined }
  }

  /** What callbacks of a namespace are signed with. */
  async secrets(namespace: string): Promise<{ readonly secrets: readonly string[]; readonly problem: Problem | undefined }> {
    const { data, error } = await this.#send(() =>
      this.#client.GET('/v1/namespaces/{namespace}/signing-secret', { params: { path: { namespace } }, signal: this.#signal }),
    )
    return { secrets: data?.secrets ?? [], problem: error as Problem | undefined }
  }

  delete(kind: Kind, namespace: string, name: string, dryRun: boolean): Promise<ApiAnswer> {
    return this.#one(() =>
      this.#client.DELETE(oneOf(kind), {
        params: { path: { namespace, name }, query: ifDry(dryRun), header: { 'If-Match': '*' } },
        signal: this.#signal,
      }),
    )
  }

  /** The contract's version, or undefined where none answers. */
  async version(): Promise<string | undefined> {
    const { data } = await this.#send(() => this.#client.GET('/openapi.json', { signal: this.#signal }))
    return (data as { readonly info?: { readonly version?: string } } | undefined)?.info?.version
  }

  /** What is no object: health, metrics. @returns undefined where there is no such thing */
  async text(path: string): Promise<string | undefined> {
    const answer = await this.#send(() =>
      fetch(this.target.url + path, { headers: { ...this.headers(), accept: '*/*' }, signal: this.#signal }),
    )
    const text = await answer.text()
    return answer.status === 404 || answer.status === 401 ? undefined : text
  }

  /** Who asks, and until when. */
  async me(): Promise<components['schemas']['Problem'] | paths['/v1/me']['get']['responses'][200]['content']['application/json']> {
    const { data, error } = await this.#send(() => this.#client.GET('/v1/me', { signal: this.#signal }))
    return data ?? error
  }

  /** A signed sample to the sink of a Subscription. */
  async testSubscription(
    namespace: string,
    name: string,
  ): Promise<{ readonly tested: TestedSink | undefined; readonly problem: Problem | undefined }> {
    const { data, error } = await this.#send(() =>
      this.#client.POST('/v1/namespaces/{namespace}/subscriptions/{name}/test', {
        params: { path: { namespace, name } },
        signal: this.#signal,
      }),
    )
    return { tested: data as TestedSink | undefined, problem: error as Problem | undefined }
  }

  /** What policies would change in a Vpc. */
  async planPolicies(
    query: NonNullable<PlanPolicies['parameters']['query']>,
    body: NonNullable<PlanPolicies['requestBody']>['content']['application/json'],
  ): Promise<PlanPolicies['responses'][200]['content']['application/json']> {
    const { data, error } = await this.#send(() => this.#client.POST('/v1/policy/plan', { params: { query }, body, signal: this.#signal }))
    if (data === undefined) throw refusal(error)
    return data
  }

  /** What policies say of a connection. */
  async trace(
    query: NonNullable<TracePolicy['parameters']['query']>,
  ): Promise<TracePolicy['responses'][200]['content']['application/json']> {
    const { data, error } = await this.#send(() => this.#client.GET('/v1/policy/trace', { params: { query }, signal: this.#signal }))
    if (data === undefined) throw refusal(error)
    return data
  }

  /** Of an address, by what BGPSpeakers say. */
  async routes(to: string): Promise<Routes['responses'][200]['content']['application/json']> {
    const { data, error } = await this.#send(() => this.#client.GET('/v1/routes', { params: { query: { to } }, signal: this.#signal }))
    if (data === undefined) throw refusal(error)
    return data
  }

  /** Of a NetworkService, for a client with these labels. */
  async endpoints(
    path: { readonly namespace: string; readonly name: string },
    label: readonly string[],
  ): Promise<FindEndpoints['responses'][200]['content']['application/json']> {
    const { data, error } = await this.#send(() =>
      this.#client.GET('/v1/namespaces/{namespace}/networkservices/{name}/endpoints', {
        params: { path, query: { label: [...label] } },
        parseAs: 'json',
        signal: this.#signal,
      }),
    )
    if (data === undefined) throw refusal(error)
    return data as FindEndpoints['responses'][200]['content']['application/json']
  }

  /** Another secret for the callbacks of a Subscription. */
  async rotateSecret(
    path: { readonly namespace: string; readonly name: string },
    { dryRun, overlapSeconds }: { readonly dryRun: boolean; readonly overlapSeconds?: number },
  ): Promise<{ readonly data: RotatedSecret | undefined; readonly problem: Problem | undefined }> {
    const { data, error } = await this.#send(() =>
      this.#client.POST('/v1/namespaces/{namespace}/subscriptions/{name}/rotate-secret', {
        params: { path, query: ifDry(dryRun) },
        body: overlapSeconds === undefined ? {} : { overlapSeconds },
        signal: this.#signal,
      }),
    )
    return { data, problem: error as Problem | undefined }
  }

  async #one(call: () => Promise<{ data?: unknown; error?: unknown; response: Response }>): Promise<ApiAnswer> {
    const { data, error, response } = await this.#send(call)
    // As quoted strings have it (RFC 9110, 5.6.4): a backslash stands before what means itself.
    const warnings = ((response.headers.get('warning') ?? '').match(/(?<=299 \S+ ")(?:[^"\\]|\\.)*(?=")/g) ?? []).map((text) =>
      text.replace(/\\(.)/g, '$1'),
    )
    return {
      status: response.status,
      item: data as Item | undefined,
      problem: response.ok ? undefined : (error as Problem),
      etag: response.headers.get('etag') ?? '',
      warnings,
    }
  }

  async #send<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (cause) {
      if (this.#signal.aborted) throw cause
      throw new CliError(3, `${this.target.url} does not answer: ${reasonOf(cause)}`)
    }
  }
}

/** An API server that stands between refuses `dryRun`, whatever it says. */
const ifDry = (dryRun: boolean): { readonly dryRun?: boolean } => (dryRun ? { dryRun } : {})
const tokenHeader = ({ token, header = 'authorization' }: Target): Record<string, string> =>
  token === undefined ? {} : { [header]: `Bearer ${token}` }
const mayIn = (namespaces: readonly string[] | undefined, namespace: string | undefined): boolean =>
  namespaces === undefined || (namespace !== undefined && namespaces.includes(namespace))
const allOf = (kind: Kind, namespace: string | undefined): All =>
  `/v1/${isNamespaced(kind) && namespace !== undefined ? 'namespaces/{namespace}/' : ''}${pluralOf(kind)}` as All
const oneOf = (kind: Kind): One => `/v1/${isNamespaced(kind) ? 'namespaces/{namespace}/' : ''}${pluralOf(kind)}/{name}` as One

export function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const { code = '', message = String(inner) } = inner as NodeJS.ErrnoException
  return reasons[code] ?? message.split('\n')[0] ?? ''
}

/** What a person can do about it, where the runtime's words do not say. */
const reasons: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks no TLS there; is it http://?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it speaks no TLS there; is it http://?',
  EPROTO: 'it speaks no TLS there; is it http://?',
  UND_ERR_SOCKET: 'the other side closed the connection; is it https://?',
  ECONNRESET: 'the other side closed the connection; is it https://?',
  HPE_INVALID_CONSTANT: 'what answers there is no HTTP; is it https://?',
}

/** A problem in words: each fault with its pointer, or what `told` makes of it. */
export function inWords(problem: Problem | string, pointerInWords = (pointer: string): string => pointer): string {
  if (typeof problem === 'string') return problem.slice(0, 500)
  const { errors = [] } = problem
  // An API server that stands between says what it says in its own form.
  if (errors.length === 0) return problem.detail ?? problem.title ?? (problem as { readonly message?: string }).message ?? 'without a word'
  return errors
    .map(({ pointer, parameter, detail }) =>
      `${pointer === undefined ? (parameter ?? '') : pointerInWords(pointer)}: ${detail}`.replace(/^: /, ''),
    )
    .join('\n  ')
}

export const refusal = (problem: Problem): CliError => new CliError(1, inWords(problem))
