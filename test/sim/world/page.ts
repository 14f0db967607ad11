// Somebody who looks at a page: one stream of many kinds, read at the page's own pace by the page's own parser, taken up again where it
// was whenever it ends, and what it shows by now.
import { setDefaultHighWaterMark } from 'node:stream'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Kind, Resource } from '../../../core/kinds/index.ts'
import { eventsIn, type ServerEvent } from '../../../gui/live/events.ts'
import { Process } from '../process.ts'
import { answering, type Webhooks } from '../roles/webhooks.ts'
import type { Site } from '../site.ts'

export const pageKinds = ['Vpc', 'Subnet', 'Port', 'IPLock', 'Pod'] as const satisfies readonly Kind[]

/** Who looks: the role, and whether the page is of one namespace. */
export interface Looker {
  readonly role: string
  /** What the role sees; absent: all. */
  readonly sees?: string
  readonly asks?: string
}
/** What a page is told of one object: that it is so, or that it is gone. */
export interface PageNews {
  readonly page: Page
  readonly item: Resource
  readonly isGone: boolean
}
export interface TopologyNode {
  readonly id: string
  readonly seen: boolean
}

// A connection holds a few changes and no more: else whatever happens in a case would be on its way, and nothing wait on the servers. Set
// for all cases alike, as they must go alike whichever was before.
setDefaultHighWaterMark(false, 4_096)

const [soonMs, latestMs] = [400, 8_000]
const paceMs = 60

interface PageRequest {
  readonly url: string
  readonly payloadAsStream?: true
  readonly headers?: Readonly<Record<string, string>>
}
interface StreamPart {
  readonly kind: Kind
  readonly namespace?: string
}

interface StreamBeginning {
  readonly parts: readonly StreamPart[]
  readonly resumed: boolean
}

export class Page {
  readonly looker: Looker
  /** Kind and key → what is shown. */
  readonly shown = new Map<string, Resource>()
  isLive = false
  /** Nothing is read until then. */
  slowUntil = 0
  readonly #site: Site
  readonly #process: Process
  readonly #onNews: (news: PageNews) => void
  #last: string | undefined
  /** How often it was loaded: of one that was before nothing counts. */
  #loads = 0
  #cut: (() => void) | undefined

  constructor(site: Site, looker: Looker, onNews: (news: PageNews) => void) {
    this.#site = site
    this.looker = looker
    this.#onNews = onNews
    const name = `page of ${looker.role}`
    this.#process = new Process(name, { scheduler: site.scheduler, dice: site.dice.fork(name) })
  }

  get name(): string {
    return this.#process.name
  }

  begin(): void {
    this.#keepReading().catch((err: unknown) => this.#site.crash(this.name, 'cannot read', err))
  }

  /** The connection breaks, with what is on it. */
  cut(): void {
    this.#cut?.()
  }

  /** Another page in its place: nothing is remembered. */
  reload(): void {
    this.#loads++
    this.#last = undefined
    this.shown.clear()
    this.cut()
  }

  /** Undefined: it was not answered. */
  async topology(): Promise<readonly TopologyNode[] | undefined> {
    await this.#process.pass(this.#process.way(), 'asks for the topology')
    const answer = await this.#ask({ url: '/v1/topology' })
    return answer?.statusCode === 200 ? (JSON.parse(answer.body) as { readonly nodes: readonly TopologyNode[] }).nodes : undefined
  }

  async #keepReading(): Promise<void> {
    for (let wait = soonMs; ; wait = this.isLive ? soonMs : Math.min(wait * 2, latestMs)) {
      await this.#process.pass(wait, 'reads again')
      this.isLive = false
      await this.#readOnce()
    }
  }

  async #readOnce(): Promise<void> {
    const { asks } = this.looker
    const url = `/v1/watch?kinds=${pageKinds.join()}${asks === undefined ? '' : `&namespace=${asks}`}`
    const answer = await this.#ask({ url, payloadAsStream: true, headers: this.#last === undefined ? {} : { 'last-event-id': this.#last } })
    if (answer?.statusCode !== 200) return
    let waiting = 0
    const load = this.#loads
    for await (const event of eventsIn(ReadableStream.from(this.#pieces(answer)))) {
      if (load !== this.#loads) break
      if (event.event === 'end') {
        this.#forgetWhere(event)
        break
      }
      waiting = this.#take(event, waiting)
      if (event.id !== undefined) this.#last = event.id
    }
    this.cut()
  }

  #forgetWhere({ data = '' }: ServerEvent): void {
    const { reason } = JSON.parse(data) as { readonly reason: string }
    if (reason === 'behind' || reason === 'rights') this.#last = undefined
  }

  /** What comes, until the connection breaks; then half of what was on its way. */
  async *#pieces(answer: LightMyRequestResponse): AsyncGenerator<Uint8Array> {
    let isCut = false
    const ended = new Promise<{ readonly done: true }>((resolve) => {
      this.#cut = () => {
        isCut = true
        ;(answer.raw.res as unknown as { destroy(): void }).destroy()
        resolve({ done: true })
      }
    })
    const pieces = answer.stream().iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>
    for (;;) {
      const next = await Promise.race([pieces.next().catch(() => ({ done: true }) as const), ended])
      if (next.done === true) return
      await this.#process.pass(this.#process.dice.next() * paceMs, 'reads on')
      while (this.slowUntil > this.#site.scheduler.now)
        await this.#process.pass(this.slowUntil - this.#site.scheduler.now, 'has read nothing for a while')
      const piece = next.value
      yield isCut ? piece.subarray(0, this.#process.dice.int(piece.length)) : piece
      if (isCut) return
    }
  }

  /** @returns how many parts are still to come whole */
  #take({ event, data = '' }: ServerEvent, waiting: number): number {
    if (event === 'begin') return this.#begun(JSON.parse(data) as StreamBeginning)
    if (event === 'put' || event === 'gone') this.#put(JSON.parse(data) as Resource, event === 'gone')
    if (event !== 'all') return waiting
    this.#putAll(JSON.parse(data) as StreamPart & { readonly items: readonly Resource[] })
    if (waiting === 1) this.isLive = true
    return waiting - 1
  }

  #begun({ parts, resumed }: StreamBeginning): number {
    this.isLive = resumed
    return resumed ? 0 : parts.length
  }

  #putAll({ kind, namespace, items }: StreamPart & { readonly items: readonly Resource[] }): void {
    for (const [key, item] of this.shown)
      if (item.kind === kind && (namespace === undefined || item.metadata.namespace === namespace)) this.shown.delete(key)
    for (const item of items) this.#put(item, false)
  }

  #put(item: Resource, isGone: boolean): void {
    this.#onNews({ page: this, item, isGone })
    if (isGone) this.shown.delete(keyOf(item))
    else this.shown.set(keyOf(item), item)
  }

  /** Of whichever webhooks answers; undefined where none does, or dies before it has answered. */
  async #ask(request: PageRequest): Promise<LightMyRequestResponse | undefined> {
    const all = [...(answering.get(this.#site)?.values() ?? [])]
    if (all.length === 0) return undefined
    return this.#inject(this.#process.dice.pick(all), {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${this.looker.role}` },
    })
  }

  async #inject({ process, rest }: Webhooks, request: object): Promise<LightMyRequestResponse | undefined> {
    const { scheduler } = this.#site
    const ended = new Promise<undefined>((resolve) => {
      process.onEnd(() => {
        resolve(undefined)
        this.cut()
      })
    })
    scheduler.busy++
    try {
      const app: FastifyInstance = rest()
      return await Promise.race([app.inject({ method: 'GET', ...request }), ended])
    } finally {
      scheduler.busy--
    }
  }
}

export const keyOf = ({ kind, metadata: { namespace = '', name } }: Resource): string => `${kind} ${namespace}/${name}`
