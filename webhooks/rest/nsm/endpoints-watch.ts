// A Find that is followed, as server-sent events: all candidates, then what comes, is refreshed, goes, or expires.
import type { FastifyRequest } from 'fastify'
import { Forbidden } from '../../../core/errors.ts'
import { expiryOf } from '../../../core/nsm/expiry.ts'
import { candidatesOf } from '../../../core/nsm/find.ts'
import { foundChanges, type FoundChange } from '../../../core/nsm/find-changes.ts'
import type { Labels } from '../../../core/nsm/match.ts'
import type { Kind, Resource } from '../../../core/kinds/index.ts'
import type { WatchEvent } from '../../../core/contracts/store.ts'
import { RbacDenied } from '../../../platform/kube/answers.ts'
import { storeFor } from '../../plugins/access.ts'
import { Backlog, endReasons } from '../across/backlog.ts'
import type { RestDeps } from '../deps.ts'
import { EventStream } from '../watch.ts'

interface Followed {
  readonly namespace: string
  /** Of the NetworkService as an object. */
  readonly name: string
  readonly labels: Labels
}
type Endpoint = Resource<'NetworkServiceEndpoint'>

/** What is watched, in the order in which the backlog numbers it. */
const parts = ['NetworkService', 'NetworkServiceEndpoint'] as const

export class EndpointsWatch {
  readonly stream: EventStream
  readonly #deps: RestDeps
  readonly #request: FastifyRequest
  readonly #question: Followed
  readonly #backlog: Backlog
  readonly #unseen = new Set<Kind>(parts)
  #service: Resource<'NetworkService'> | undefined
  #endpoints = new Map<string, Endpoint>()
  #told: readonly Endpoint[] | undefined
  #cancel: () => void = () => undefined

  constructor(deps: RestDeps, request: FastifyRequest, question: Followed) {
    this.#deps = deps
    this.#request = request
    this.#question = question
    this.#backlog = deps.openBacklog?.() ?? new Backlog()
    this.stream = new EventStream(deps.clock)
  }

  async run(): Promise<void> {
    const { stream } = this
    const stop = (): void => this.#backlog.end('stopping')
    stream.endWith(this.#deps, this.#request.caller.until)
    stream.signal.addEventListener('abort', stop)
    try {
      await stream.write('retry: 1000\n\n')
      for (const part of parts.keys()) void this.#pump(part)
      await this.#tell()
    } catch (err) {
      if (!stream.signal.aborted) this.#request.log.warn({ err }, 'a watch of endpoints has ended early')
    } finally {
      this.#cancel()
      stream.end()
    }
  }

  /** Never held up: what its reader does not take is the backlog's affair. */
  async #pump(part: number): Promise<void> {
    const { namespace, name } = this.#question
    const kind = parts[part]!
    const within = kind === 'NetworkService' ? { namespace, fields: { '.metadata.name': name } } : { namespace }
    try {
      for await (const change of storeFor(this.#deps, this.#request.caller).watch(kind, within, this.stream.signal)) {
        if (this.stream.signal.aborted) return
        this.#backlog.put({ part, change })
      }
    } catch (err) {
      if (this.stream.signal.aborted) return
      const denied = err instanceof RbacDenied || err instanceof Forbidden
      if (!denied) this.#request.log.warn({ err, kind }, 'a watch has ended early')
      this.#backlog.end(denied ? 'rights' : 'fault')
    }
  }

  async #tell(): Promise<void> {
    while (!this.stream.signal.aborted) {
      const next = await this.#backlog.next()
      if (this.stream.signal.aborted) return
      if (typeof next === 'string')
        return this.stream.write(`event: end\ndata: ${JSON.stringify({ reason: next, detail: endReasons[next] })}\n\n`)
      for (const { part, change } of next) this.#take(parts[part]!, change)
      if (this.#unseen.size === 0) await this.#tellChanges()
    }
  }

  #take(kind: (typeof parts)[number], change: WatchEvent<Kind>): void {
    if (change.type === 'mark') return
    this.#unseen.delete(kind)
    if (kind === 'NetworkService') this.#takeService(change as WatchEvent<'NetworkService'>)
    else this.#takeEndpoint(change as WatchEvent<'NetworkServiceEndpoint'>)
  }

  #takeService(change: WatchEvent<'NetworkService'>): void {
    if (change.type === 'all') this.#service = change.items[0]
    else if (change.type !== 'mark') this.#service = change.type === 'put' ? change.item : undefined
  }

  #takeEndpoint(change: WatchEvent<'NetworkServiceEndpoint'>): void {
    if (change.type === 'all') this.#endpoints = new Map(change.items.map((item) => [item.metadata.name, item]))
    else if (change.type === 'put') this.#endpoints.set(change.item.metadata.name, change.item)
    else if (change.type === 'gone') this.#endpoints.delete(change.item.metadata.name)
  }

  async #tellChanges(): Promise<void> {
    const { now } = { now: this.#deps.clock.now() }
    const service = this.#service
    const endpoints = [...this.#endpoints.values()]
    const found = service === undefined ? [] : candidatesOf({ service, endpoints, labels: this.#question.labels, now })
    const changes = this.#told === undefined ? [{ event: 'all', items: found } as const] : foundChanges(this.#told, found)
    this.#told = found
    this.#wakeAt(found, now)
    for (const change of changes) await this.#write(change)
  }

  /** Nothing is stored when an endpoint expires: the clock says it. */
  #wakeAt(found: readonly Endpoint[], now: number): void {
    this.#cancel()
    const next = Math.min(...found.map(({ spec }) => expiryOf(spec) ?? Infinity))
    if (next === Infinity) return
    // A timer of Node takes no more than 2^31 ms; what expires later is looked at again then.
    const inMs = Math.min(Math.max(1, next - now), 86_400_000)
    this.#cancel = this.#deps.clock.after(inMs, () => this.#backlog.put({ part: 1, change: { type: 'mark', resourceVersion: '' } }))
  }

  async #write(change: FoundChange): Promise<void> {
    if (change.event === 'all') return this.stream.writeList('event: all\ndata: {"items":[', change.items)
    await this.stream.write(`event: ${change.event}\ndata: ${JSON.stringify(change.item)}\n\n`)
  }
}
