// The store as an agent outside Kubernetes has it: a standalone server's, over its unix socket, and as much of it as an agent needs.
import { partsOf } from '../../core/contracts/parted.ts'
import type { WatchEvent, Fence, Page, Parted, Preconditions, StatusSections, Store, Within, Write } from '../../core/contracts/store.ts'
import { AlreadyExists, Forbidden, messageOf, MethodNotAllowed, NotFound, Stale, StoreUnavailable } from '../../core/errors.ts'
import { keyOf, refOf, type Kind, type OwnKind, type Ref, type Resource } from '../../core/kinds/index.ts'
import { backoffMs, backoffs } from '../../core/backoff.ts'
import { pause, type Clock } from '../clock.ts'
import { HttpClient, type HttpAnswer, type HttpRequest } from '../http/client.ts'
import { eventsIn } from './rest-events.ts'

export interface RestStoreOptions {
  readonly socket: string
  readonly node: string
  readonly clock: Clock
  readonly random: () => number
}

interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: unknown
}

const timeoutMs = 30_000

export class RestStore implements Store {
  readonly #options: RestStoreOptions
  readonly #http: HttpClient
  readonly #closing = new AbortController()

  constructor(options: RestStoreOptions) {
    this.#options = options
    // A server of ours on this machine, which is trusted with as much as it has.
    this.#http = new HttpClient({ clock: options.clock, timeoutMs, socketPath: options.socket })
  }

  /** Says that this node is there, where others tunnel to, which Ports without a pod it takes, and what can be booked of its uplink. */
  async register(address: string, ports = 'none', uplinkMbps?: number): Promise<void> {
    await this.#ask({ method: 'PUT', path: `/nodes/${encodeURIComponent(this.#options.node)}`, body: { address, ports, uplinkMbps } })
  }

  async get<K extends Kind>(ref: Ref<K>): Promise<Resource<K> | undefined> {
    const key = keyOf(ref).split('/').map(encodeURIComponent).join('/')
    try {
      return (await this.#ask({ method: 'GET', path: `/objects/${ref.kind}/${key}` })) as Resource<K>
    } catch (err) {
      if (err instanceof NotFound) return undefined
      throw err
    }
  }

  async list<K extends Kind>(kind: K, within: Within = {}): Promise<Page<K>> {
    return (await this.#ask({ method: 'GET', path: `/objects/${kind}${queryOf(within)}` })) as Page<K>
  }

  /** Begins anew after each end, and then says everything there is. */
  watch<K extends Kind>(kind: K, within: Within, signal: AbortSignal): AsyncGenerator<WatchEvent<K>, void, undefined> {
    return this.#follow(`/watch/${kind}${queryOf(within)}`, signal)
  }

  /** What there is comes in parts, each read when the one before it was taken: neither side has all of it as text. */
  async *watchParts<K extends Kind>(kind: K, within: Within, signal: AbortSignal): AsyncGenerator<Parted<K>, void, undefined> {
    const events = this.#follow<WatchEvent<K> | Parted<K>>(`/watch/${kind}${queryOf(within, { parts: 'true' })}`, signal)
    // A server that knows nothing of parts says all at once.
    for await (const change of events) yield* change.type === 'all' ? partsOf(change) : [change]
  }

  async *#follow<Said>(path: string, signal: AbortSignal): AsyncGenerator<Said, void, undefined> {
    const { clock, random } = this.#options
    const stop = AbortSignal.any([signal, this.#closing.signal])
    for (let failures = 1; !stop.aborted; failures++) {
      try {
        const answer = await this.#http.open(this.#requestOf({ method: 'GET', path }), stop)
        if ('status' in answer) throw new StoreUnavailable({ reason: `a watch is answered by ${answer.status}` })
        for await (const change of eventsIn<Said>({ [Symbol.asyncIterator]: () => answer.chunks })) {
          failures = 0
          yield change
        }
      } catch {
        // Whatever it was, the next one tells everything.
      }
      if (!stop.aborted) await pause(backoffMs(Math.max(1, failures), random(), backoffs.startUp), clock, stop)
    }
  }

  async update<K extends Kind>(item: Resource<K>): Promise<Resource<K>> {
    await this.commit([{ do: 'update', item: item }])
    return (await this.get(refOf(item))) ?? item
  }

  async patchStatus<K extends OwnKind>(
    item: { readonly ref: Ref<K>; readonly uid: string; readonly resourceVersion?: string; readonly fence?: Fence },
    sections: StatusSections<K>,
  ): Promise<Resource<K>> {
    await this.commit([{ do: 'patchStatus', ...item, sections }])
    const after = await this.get(item.ref)
    if (after === undefined) throw new NotFound({ kind: item.ref.kind, key: keyOf(item.ref) })
    return after
  }

  async commit(writes: readonly Write[]): Promise<void> {
    await this.#ask({ method: 'POST', path: '/writes', body: { writes } })
  }

  create(): Promise<never> {
    return Promise.reject(new MethodNotAllowed({ method: 'create', path: 'a store of agents' }))
  }

  delete(_ref: Ref, _preconditions?: Preconditions): Promise<never> {
    return Promise.reject(new MethodNotAllowed({ method: 'delete', path: 'a store of agents' }))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#http.close()
  }

  async #ask(ask: Ask): Promise<unknown> {
    const answer = await this.#answered(ask)
    if (answer.status !== 200) throw problemIn(answer)
    if (typeof answer.body === 'string') throw new StoreUnavailable({ reason: `${this.#options.socket}: it answers no JSON` })
    return answer.body
  }

  async #answered(ask: Ask): Promise<HttpAnswer> {
    try {
      return await this.#http.ask(this.#requestOf(ask), this.#closing.signal)
    } catch (cause) {
      throw new StoreUnavailable({ reason: `${this.#options.socket}: ${messageOf(cause)}`, cause })
    }
  }

  #requestOf({ method, path, body }: Ask): HttpRequest {
    const headers = { 'x-megrez-node': this.#options.node, ...(body !== undefined && { 'content-type': 'application/json' }) }
    return { method, url: `http://localhost${path}`, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  }
}

function queryOf({ namespace, fields = {} }: Within, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({
    ...more,
    ...(namespace !== undefined && { namespace }),
    ...Object.fromEntries(Object.entries(fields).map(([path, value]) => [`field${path}`, value])),
  })
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** As the server's own table of errors says it. */
function problemIn({ status, body }: HttpAnswer): Error {
  const { code = '', message = '' } = (body ?? {}) as { readonly code?: string; readonly message?: string }
  const named = { kind: 'object', key: message }
  if (status === 404) return new NotFound(named)
  if (status === 403) return new Forbidden({ at: message })
  if (status === 409) return code === 'already-exists' ? new AlreadyExists(named) : new Stale(named)
  return new StoreUnavailable({ reason: `${status} ${message}` })
}
