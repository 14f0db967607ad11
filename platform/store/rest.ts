// The store as an agent outside Kubernetes has it: a standalone server's, over its unix socket, and as much of it as an agent needs.
import { request, Agent, type IncomingMessage } from 'node:http'
import { partsOf } from '../../core/contracts/parted.ts'
import type { WatchEvent, Fence, Page, Parted, Preconditions, StatusSections, Store, Within, Write } from '../../core/contracts/store.ts'
import { AlreadyExists, Forbidden, MethodNotAllowed, NotFound, Stale, StoreUnavailable } from '../../core/errors.ts'
import { keyOf, refOf, type Kind, type OwnKind, type Ref, type Resource } from '../../core/kinds/index.ts'
import { backoffMs, backoffs } from '../../core/backoff.ts'
import { limited, pause, type Clock } from '../clock.ts'
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
interface Answer {
  readonly status: number
  readonly body: unknown
}

const timeoutMs = 30_000

export class RestStore implements Store {
  readonly #options: RestStoreOptions
  readonly #agent = new Agent({ keepAlive: true })
  readonly #closing = new AbortController()

  constructor(options: RestStoreOptions) {
    this.#options = options
  }

  /** Says that this node is there, where others tunnel to, and which Ports without a pod it takes. */
  async register(address: string, ports = 'none'): Promise<void> {
    await this.#ask({ method: 'PUT', path: `/nodes/${encodeURIComponent(this.#options.node)}`, body: { address, ports } })
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
    const said = this.#follow<WatchEvent<K> | Parted<K>>(`/watch/${kind}${queryOf(within, { parts: 'true' })}`, signal)
    // A server that knows nothing of parts says all at once.
    for await (const change of said) yield* change.type === 'all' ? partsOf(change) : [change]
  }

  async *#follow<Said>(path: string, signal: AbortSignal): AsyncGenerator<Said, void, undefined> {
    const { clock, random } = this.#options
    const stop = AbortSignal.any([signal, this.#closing.signal])
    for (let failures = 1; !stop.aborted; failures++) {
      try {
        const answer = await this.#send({ method: 'GET', path }, stop)
        if (answer.statusCode !== 200) throw new StoreUnavailable({ reason: `a watch is answered by ${answer.statusCode}` })
        for await (const change of eventsIn<Said>(answer)) {
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

  close(): Promise<void> {
    this.#closing.abort()
    this.#agent.destroy()
    return Promise.resolve()
  }

  #ask(ask: Ask): Promise<unknown> {
    return limited(timeoutMs, this.#options.clock, (signal) => this.#answered(ask, AbortSignal.any([this.#closing.signal, signal])))
  }

  async #answered(ask: Ask, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#send(ask, signal)
    const chunks: Buffer[] = []
    for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as unknown
    if (answer.statusCode === 200) return body
    throw problemIn({ status: answer.statusCode ?? 0, body })
  }

  #send({ method, path, body }: Ask, signal: AbortSignal): Promise<IncomingMessage> {
    const { socket, node } = this.#options
    return new Promise((resolve, reject) => {
      const asked = request(
        {
          socketPath: socket,
          method,
          path,
          agent: this.#agent,
          signal,
          headers: { 'x-megrez-node': node, ...(body !== undefined && { 'content-type': 'application/json' }) },
        },
        resolve,
      )
      asked.on('error', (cause) => reject(new StoreUnavailable({ reason: `${socket}: ${cause.message}`, cause })))
      asked.end(body === undefined ? undefined : JSON.stringify(body))
    })
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
function problemIn({ status, body }: Answer): Error {
  const { code = '', message = '' } = (body ?? {}) as { readonly code?: string; readonly message?: string }
  const named = { kind: 'object', key: message }
  if (status === 404) return new NotFound(named)
  if (status === 403) return new Forbidden({ at: message })
  if (status === 409) return code === 'already-exists' ? new AlreadyExists(named) : new Stale(named)
  return new StoreUnavailable({ reason: `${status} ${message}` })
}
