// One process's way to the simulated API server, where the network and its faults are: every request and every event passes hooks.
import { messageOf, StoreUnavailable } from '../../../core/errors.ts'
import type { Stream } from '../../../platform/http/client.ts'
import type { KubeResponse, KubeRequest, KubeApi } from '../../../platform/kube/client.ts'
import type { RawEvent } from './raw.ts'
import type { SimulatedApi } from './server.ts'
import { Feed } from './watches.ts'

export interface Call {
  /** The process that asks. */
  readonly by: string
  /** In whose name. */
  readonly who: string
  readonly ask: KubeRequest
}
export interface Hooks {
  /** Before the server hears of it. An answer is given in its place; what it throws is a connection that broke: nothing was done. */
  readonly before?: (call: Call) => Promise<KubeResponse | undefined>
  /** After the server has done it. What it throws is an answer that was lost. */
  readonly after?: (call: Call, answer: KubeResponse) => Promise<KubeResponse>
  /** Before a watch's event arrives: those behind it wait. `over` ends the watch as a server does, what it throws breaks it. */
  readonly event?: (call: Call, event: RawEvent) => Promise<'over' | undefined>
}
export interface ClientOptions {
  readonly by: string
  readonly who?: string
  readonly hooks?: Hooks
  /** Names who an Authorization header is of; absent: it is the name. */
  readonly nameOf?: (authorization: string) => string
}

export class SimulatedClient implements KubeApi {
  readonly #api: SimulatedApi
  readonly #options: ClientOptions
  readonly #counts = new Map<string, number>()
  /** Ends what is under way, guests' too. */
  readonly #closing: AbortController

  constructor(api: SimulatedApi, options: ClientOptions, closing = new AbortController()) {
    this.#api = api
    this.#options = options
    this.#closing = closing
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts)
  }

  as(authorization: string): KubeApi {
    return new SimulatedClient(this.#api, { ...this.#options, who: this.#options.nameOf?.(authorization) ?? authorization }, this.#closing)
  }

  /** What was sent goes on at the server, whether or not its answer is waited for. @throws StoreUnavailable */
  async ask(ask: KubeRequest, signal?: AbortSignal): Promise<KubeResponse> {
    const call = this.#callOf(ask)
    try {
      return await this.#while(this.#exchanged(call), signal)
    } catch (cause) {
      throw unanswered(ask, cause)
    }
  }

  async open(ask: KubeRequest, signal: AbortSignal): Promise<Stream | KubeResponse> {
    const call = this.#callOf(ask)
    try {
      const refused = await this.#while(this.#before(call), signal)
      const feed = refused ?? this.#api.watch(ask, call.who)
      if (!(feed instanceof Feed)) return feed
      return { chunks: { next: () => this.#chunk(call, feed, signal) }, close: () => feed.close() }
    } catch (cause) {
      throw unanswered(ask, cause)
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the client is closed'))
  }

  #callOf(ask: KubeRequest): Call {
    const key = `${ask.verb} ${ask.resource}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    const { by, who = by } = this.#options
    return { by, who, ask }
  }

  async #before(call: Call): Promise<KubeResponse | undefined> {
    this.#closing.signal.throwIfAborted()
    return this.#options.hooks?.before?.(call)
  }

  async #exchanged(call: Call): Promise<KubeResponse> {
    const answer = (await this.#before(call)) ?? (await this.#api.serve(call.ask, call.who))
    return this.#options.hooks?.after?.(call, answer) ?? answer
  }

  async #chunk(call: Call, feed: Feed, signal: AbortSignal): Promise<IteratorResult<Buffer>> {
    try {
      const said = await this.#while(feed.next(), signal)
      const end = said === 'over' ? said : await this.#while(this.#options.hooks?.event?.(call, said) ?? Promise.resolve(undefined), signal)
      if (end === undefined) return { done: false, value: Buffer.from(`${JSON.stringify(said)}\n`) }
      feed.close()
      return { done: true, value: undefined }
    } catch (err) {
      feed.close()
      throw err
    }
  }

  /** Whoever waits waits no longer than until a signal falls. */
  #while<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
    const signals = [this.#closing.signal, ...(signal === undefined ? [] : [signal])]
    return new Promise((resolve, reject) => {
      const end = (): void => {
        for (const each of signals) each.removeEventListener('abort', end)
        reject(signals.find((each) => each.aborted)!.reason as Error)
      }
      const done = (): void => {
        for (const each of signals) each.removeEventListener('abort', end)
      }
      for (const each of signals) each.addEventListener('abort', end)
      work.finally(done).then(resolve, reject)
      if (signals.some((each) => each.aborted)) end()
    })
  }
}

const unanswered = (ask: KubeRequest, cause: unknown): Error =>
  new StoreUnavailable({ reason: `${ask.verb} ${ask.resource}: ${messageOf(cause)}`, cause })
