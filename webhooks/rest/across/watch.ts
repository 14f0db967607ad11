// GET /v1/watch: many kinds on one stream, each wherever the caller may watch it. What may be watched is looked at again while the
// stream stands; a reader that takes too little is told to begin anew, and costs no more than its backlog.
import type { FastifyRequest } from 'fastify'
import type { WatchEvent, Within } from '../../../core/contracts/store.ts'
import { Forbidden, IssuerUnavailable, StoreUnavailable } from '../../../core/errors.ts'
import type { Kind, Resource } from '../../../core/kinds/index.ts'
import { RbacDenied } from '../../../platform/kube/answers.ts'
import { storeFor } from '../../plugins/access.ts'
import type { Caller } from '../../plugins/auth.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { BadParameter } from '../invalid-object.ts'
import { flagIn, parametersOf } from '../query.ts'
import { EventStream, lastEventId, refuseHead, sendStream } from '../watch.ts'
import { Backlog, endReasons, type EndReason } from './backlog.ts'
import { kindsIn, namespaceIn } from './kinds-in.ts'
import { StreamPlace, type StreamPart } from './place.ts'
import { reachOf, watching } from './reach.ts'

/** Watches of the store behind one stream. */
const partsMax = 256
/** How long a right that was taken back is still watched by at most; its token may be believed for longer (`plugins/auth.ts`). */
const rightsMs = 30_000

interface WatchQuestion {
  readonly kinds: readonly Kind[]
  readonly namespace: string | undefined
  /** Of what changes the name alone, and nothing of what there is. */
  readonly names: boolean
}

/** By the id of the operation. */
export const watchHandlers = { watchKinds: watchOf }

function watchOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    refuseHead(request, reply)
    const parameters = parametersOf(request, ['kinds', 'namespace', 'names'])
    const question = { kinds: kindsIn(parameters), namespace: namespaceIn(parameters), names: flagIn(parameters, 'names') }
    const parts = await partsOf(deps, request.caller, question)
    const place = new StreamPlace(parts, question.names)
    const resumed = place.goOn(lastEventId(request))
    const watch = new KindsWatch(deps, request, { parts, place, question })
    void watch.run(resumed)
    return sendStream(reply, watch.stream)
  }
}

/** @throws Forbidden where a kind may be watched nowhere; BadParameter for more parts than one stream has */
async function partsOf(deps: RestDeps, caller: Caller, { kinds, namespace }: WatchQuestion): Promise<readonly StreamPart[]> {
  const parts: StreamPart[] = []
  for (const kind of kinds) {
    const reach = await reachOf(deps, caller, { kind, namespace }, watching)
    if (reach.length === 0) throw new Forbidden({})
    for (const each of reach) parts.push(each === undefined ? { kind } : { kind, namespace: each })
  }
  if (parts.length > partsMax)
    throw new BadParameter('namespace', `is needed: these kinds in all your namespaces are ${parts.length} watches`)
  return parts
}

interface WatchBeginning {
  readonly parts: readonly StreamPart[]
  readonly place: StreamPlace
  readonly question: WatchQuestion
}

class KindsWatch {
  readonly stream: EventStream
  readonly #deps: RestDeps
  readonly #request: FastifyRequest
  readonly #given: WatchBeginning
  readonly #backlog: Backlog
  readonly #cancel: (() => void)[] = []
  #isTelling = true

  constructor(deps: RestDeps, request: FastifyRequest, given: WatchBeginning) {
    this.#deps = deps
    this.#request = request
    this.#given = given
    this.#backlog = deps.openBacklog?.() ?? new Backlog()
    this.stream = new EventStream(deps.clock)
  }

  async run(resumed: boolean): Promise<void> {
    const { parts, place } = this.#given
    const stopping = (): void => {
      this.#backlog.end('stopping')
      if (this.#isTelling) return
      // At once: a connection that still has something to say is waited for.
      void this.#tellEnd('stopping')
      this.stream.end()
    }
    this.#deps.stopping.addEventListener('abort', stopping)
    this.#endWith(this.#request.caller)
    this.#recheck()
    try {
      await this.stream.write(`retry: 1000\n\nevent: begin\ndata: ${JSON.stringify({ parts, resumed })}\n\n`)
      for (const [part, each] of parts.entries()) void this.#pump(part, each, place.from(part))
      await this.#tell()
    } catch (err) {
      if (!this.stream.signal.aborted) this.#request.log.warn({ err }, 'a watch of many kinds has ended early')
    } finally {
      this.#deps.stopping.removeEventListener('abort', stopping)
      for (const cancel of this.#cancel.splice(0)) cancel()
      this.stream.end()
    }
  }

  /** Never held up: what its reader does not take is the backlog's affair. */
  async #pump(part: number, { kind, namespace }: StreamPart, from: string | undefined): Promise<void> {
    const within = namespace === undefined ? {} : { namespace }
    const store = storeFor(this.#deps, this.#request.caller)
    try {
      const since = from ?? (this.#given.question.names ? await this.#passOver(part, kind, within) : undefined)
      for await (const change of store.watch(kind, { ...within, ...(since !== undefined && { from: since }) }, this.stream.signal)) {
        if (this.stream.signal.aborted || this.#backlog.ended !== undefined) return
        this.#backlog.put({ part, change })
      }
    } catch (err) {
      this.#broken(kind, err)
    }
  }

  /** Where changes go on from, when what there is matters to nobody. */
  async #passOver(part: number, kind: Kind, within: Within): Promise<string> {
    const { resourceVersion } = await storeFor(this.#deps, this.#request.caller).list(kind, { ...within, limit: 1 })
    this.#backlog.put({ part, change: { type: 'all', items: [], resourceVersion } })
    return resourceVersion
  }

  #broken(kind: Kind, err: unknown): void {
    if (this.stream.signal.aborted) return
    const denied = err instanceof RbacDenied || err instanceof Forbidden
    if (!denied) this.#request.log.warn({ kind, err }, 'a watch has ended early')
    this.#backlog.end(denied ? 'rights' : 'fault')
  }

  async #tell(): Promise<void> {
    const { signal } = this.stream
    const gone = (): void => this.#backlog.end('stopping')
    signal.addEventListener('abort', gone)
    while (!signal.aborted) {
      this.#isTelling = false
      const next = await this.#backlog.next()
      this.#isTelling = true
      if (signal.aborted) return
      if (typeof next === 'string') return this.#tellEnd(next)
      for (const { part, change } of next) {
        // A reader that was let wait for longer than its backlog holds is not told what is no use to it.
        if (signal.aborted || this.#isVoid()) break
        await this.#tellOne(part, change)
      }
    }
  }

  #isVoid(): boolean {
    const { ended } = this.#backlog
    return ended !== undefined && ended !== 'stopping' && ended !== 'fault'
  }

  async #tellEnd(reason: EndReason): Promise<void> {
    // An empty id makes a client forget where it was (WHATWG HTML, 9.2.6).
    const forget = reason === 'behind' || reason === 'rights' ? 'id\n' : ''
    await this.stream.write(`event: end\n${forget}data: ${JSON.stringify({ reason, detail: endReasons[reason] })}\n\n`)
  }

  async #tellOne(part: number, change: WatchEvent<Kind>): Promise<void> {
    const { place, parts } = this.#given
    place.reached(part, 'resourceVersion' in change ? change.resourceVersion : change.item.metadata.resourceVersion)
    const id = `id: ${place.print()}\n`
    if (change.type === 'mark') return this.stream.write(`${id}\n`)
    const { names } = this.#given.question
    if (change.type !== 'all')
      return this.stream.write(`event: ${change.type}\n${id}data: ${JSON.stringify(names ? nameOf(change.item) : change.item)}\n\n`)
    const head = JSON.stringify({ ...parts[part], resourceVersion: change.resourceVersion }).slice(0, -1)
    await this.stream.writeList(`event: all\n${id}data: ${head},"items":[`, names ? [] : change.items)
  }

  #endWith({ until }: Caller): void {
    const { clock } = this.#deps
    this.#cancel.push(clock.after(Math.max(0, until - clock.now()), () => this.#backlog.end('token')))
  }

  #recheck(): void {
    const cancel = this.#deps.clock.after(rightsMs, () => {
      this.#cancel.splice(this.#cancel.indexOf(cancel), 1)
      if (this.stream.signal.aborted) return
      this.#stillMay().then(
        (reason) => (reason === undefined ? this.#recheck() : this.#backlog.end(reason)),
        (err: unknown) => this.#unsure(err),
      )
    })
    this.#cancel.push(cancel)
  }

  /** Undefined: all is as it was. */
  async #stillMay(): Promise<EndReason | undefined> {
    const { place, question } = this.#given
    const caller = await this.#deps.identify(this.#request)
    return place.isOf(await partsOf(this.#deps, caller, question)) ? undefined : 'rights'
  }

  /** An authorizer that cannot be reached has not refused. */
  #unsure(err: unknown): void {
    if (err instanceof IssuerUnavailable || err instanceof StoreUnavailable) return this.#recheck()
    this.#backlog.end(err instanceof Forbidden || err instanceof BadParameter ? 'rights' : 'token')
  }
}

const nameOf = ({ kind, metadata: { namespace, name } }: Resource): object => ({
  kind,
  metadata: { ...(namespace !== undefined && { namespace }), name },
})
