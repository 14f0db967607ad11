// A watch as server-sent events (WHATWG HTML, 9.2): `all`, `put` and `gone`, each with its resourceVersion as id, so that an
// EventSource that comes back with Last-Event-ID goes on where it was, or is told `all` anew when that is no longer kept.
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WatchEvent, Within } from '../../core/contracts/store.ts'
import { MethodNotAllowed } from '../../core/errors.ts'
import type { Kind, Resource } from '../../core/kinds/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { storeFor } from '../plugins/access.ts'
import type { RestDeps } from './deps.ts'
import { listAnswer, selectionIn, versionIn } from './query.ts'

/** Proxies close what is silent for a minute. */
const beatMs = 15_000
/** A reader that takes nothing for so long is let go: it comes back and goes on, or begins anew. */
const stuckMs = 30_000

/** One client's stream: written to only as fast as it is read, so that no more than one change waits here. */
export class EventStream {
  readonly out = new PassThrough()
  #clock: Clock
  #end = new AbortController()
  #cancel: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
    const end = (): void => this.end()
    this.out.on('close', end)
    this.out.on('error', end)
    this.#beat()
  }

  /** Until the token does, or the server. */
  endWith({ stopping }: Pick<RestDeps, 'stopping'>, until: number): void {
    const end = (): void => this.end()
    stopping.addEventListener('abort', end)
    const cancel = this.#clock.after(Math.max(0, until - this.#clock.now()), end)
    this.#cancel.push(() => stopping.removeEventListener('abort', end), cancel)
  }

  get signal(): AbortSignal {
    return this.#end.signal
  }

  end(): void {
    if (this.#end.signal.aborted) return
    for (const cancel of this.#cancel) cancel()
    this.#end.abort()
    this.out.end()
  }

  #beat(): void {
    const cancel = this.#clock.after(beatMs, () => {
      if (this.#end.signal.aborted) return
      if (this.out.writableLength === 0) this.out.write(': still here\n\n')
      this.#cancel.splice(this.#cancel.indexOf(cancel), 1)
      this.#beat()
    })
    this.#cancel.push(cancel)
  }

  /** Resolves when there is room for more. */
  async write(text: string): Promise<void> {
    if (this.out.write(text)) return
    const letGo = this.#clock.after(stuckMs, () => this.out.destroy())
    try {
      await once(this.out, 'drain', { signal: this.#end.signal })
    } finally {
      letGo()
    }
  }

  async notify(change: WatchEvent<Kind>): Promise<void> {
    if (change.type === 'all') return this.#notifyAll(change)
    // An id without data moves Last-Event-ID on, and is no event.
    if (change.type === 'mark') return this.write(`id: ${change.resourceVersion}\n\n`)
    return this.write(`event: ${change.type}\nid: ${change.item.metadata.resourceVersion}\ndata: ${JSON.stringify(change.item)}\n\n`)
  }

  async #notifyAll({ items, resourceVersion }: Extract<WatchEvent<Kind>, { type: 'all' }>): Promise<void> {
    await this.writeList(`event: all\nid: ${resourceVersion}\ndata: {"resourceVersion":"${resourceVersion}","items":[`, items)
  }

  /** In pieces: all there is may be large. @param head an event up to the beginning of a list that is the last of its data */
  async writeList(head: string, items: readonly Resource[]): Promise<void> {
    await this.write(head)
    for (const [i, item] of items.entries()) await this.write(i === 0 ? JSON.stringify(item) : `,${JSON.stringify(item)}`)
    await this.write(']}\n\n')
  }
}

/** Of a watch nothing is known before it is told. @throws MethodNotAllowed for HEAD */
export function refuseHead({ method }: FastifyRequest, reply: FastifyReply): void {
  if (method !== 'HEAD') return
  reply.header('allow', 'GET')
  throw new MethodNotAllowed({ method, path: 'a watch' })
}

/** Where an EventSource that comes back was. */
export function lastEventId({ headers: { 'last-event-id': last } }: FastifyRequest): string | undefined {
  return typeof last === 'string' ? last : undefined
}

export const sendStream = (reply: FastifyReply, { out }: EventStream): FastifyReply =>
  reply.header('content-type', 'text/event-stream').header('cache-control', 'no-store').header('x-accel-buffering', 'no').send(out)

export function sendWatch(request: FastifyRequest, reply: FastifyReply, deps: RestDeps, kind: Kind): FastifyReply {
  const { namespace } = request.params as { readonly namespace?: string }
  refuseHead(request, reply)
  const parameters = listAnswer(request, true)
  const from = versionIn(lastEventId(request), 'Last-Event-ID') ?? versionIn(parameters['resourceVersion'], 'resourceVersion')
  const within = { ...selectionIn(kind, namespace, parameters), ...(from !== undefined && { from }) }
  const stream = new EventStream(deps.clock)
  stream.endWith(deps, request.caller.until)
  void pump(stream, kind, within, { request, deps })
  return sendStream(reply, stream)
}

async function pump(
  stream: EventStream,
  kind: Kind,
  within: Within & { readonly from?: string },
  { request, deps }: { readonly request: FastifyRequest; readonly deps: RestDeps },
): Promise<void> {
  try {
    await stream.write('retry: 1000\n\n')
    for await (const change of storeFor(deps, request.caller).watch(kind, within, stream.signal)) {
      if (stream.signal.aborted) break
      await stream.notify(change)
    }
  } catch (err) {
    if (!stream.signal.aborted) request.log.warn({ kind, err: err }, 'a watch has ended early')
  } finally {
    stream.end()
  }
}
