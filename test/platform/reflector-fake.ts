// An API server that misbehaves as told, and a clock that jumps from one due time to the next.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { WatchEvent, Within } from '../../core/contracts/store.ts'
import { TurnedClock, type Clock } from '../../platform/clock.ts'
import { KubeClient } from '../../platform/kube/client.ts'
import type { KubeMeter } from '../../platform/kube/watch/meter.ts'
import { KubeStore } from '../../platform/store/kube/kube.ts'

/** Polls quickly: what is waited for here is loopback away. */
export async function soon(holds: () => boolean, sentence: () => string): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`not within 10 s: ${sentence()}`)
    await wait(1)
  }
}

/** Turned by hand, and tells what waits for it. */
export class KnownClock implements Clock {
  #turned = new TurnedClock()
  #due = new Map<object, number>()

  now(): number {
    return this.#turned.now()
  }

  elapsed(): number {
    return this.#turned.elapsed()
  }

  soon(call: () => void): void {
    this.#turned.soon(call)
  }

  after(ms: number, call: () => void): () => void {
    const waiting = {}
    this.#due.set(waiting, this.now() + ms)
    const cancel = this.#turned.after(ms, () => {
      this.#due.delete(waiting)
      call()
    })
    return () => {
      this.#due.delete(waiting)
      cancel()
    }
  }

  advance(ms: number): void {
    this.#turned.advance(ms)
  }

  /** Milliseconds until the next call falls due; Infinity when none waits. */
  get nextIn(): number {
    return Math.min(Infinity, ...this.#due.values()) - this.now()
  }
}

export interface RecordedRequest {
  readonly at: number
  readonly watch: boolean
  readonly query: Readonly<Record<string, string>>
}
export type Reply = (query: Readonly<Record<string, string>>, response: ServerResponse, request: IncomingMessage) => void

export const rawPort = (name: string, version: number, more: { readonly uid?: string; readonly subnet?: string } = {}) => ({
  metadata: {
    name,
    namespace: 'a',
    uid: more.uid ?? `uid-${name}`,
    resourceVersion: String(version),
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: { subnet: more.subnet ?? 'blue' },
})
export const listBody = (version: number, items: readonly object[] = [], next?: string) =>
  JSON.stringify({ kind: 'PortList', metadata: { resourceVersion: String(version), continue: next }, items })
export const event = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`
export const bookmark = (version: number): string => event('BOOKMARK', { kind: 'Port', metadata: { resourceVersion: String(version) } })
export const status = (code: number, message = 'as told') => JSON.stringify({ kind: 'Status', status: 'Failure', code, message })
export const refuse =
  (code: number, headers: Readonly<Record<string, string>> = {}, message?: string): Reply =>
  (_query, response) =>
    void response.writeHead(code, headers).end(status(code, message))
export const listed =
  (version: number, items: readonly object[] = []): Reply =>
  (_query, response) =>
    void response.end(listBody(version, items))
/** Headers now, the rest by hand. */
export const stays: Reply = (_query, response) => response.flushHeaders()

export class FakeApi {
  readonly asked: RecordedRequest[] = []
  /** Watches that are open now. */
  readonly watches = new Set<ServerResponse>()
  list: Reply = listed(10)
  watch: Reply = stays
  #server = createServer((request, response) => this.#answer(request, response))
  #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const query = Object.fromEntries(new URL(request.url ?? '', 'http://fake').searchParams)
    const watch = query['watch'] === 'true'
    this.asked.push({ at: this.#clock.now(), watch, query })
    response.on('error', () => undefined)
    if (watch) {
      this.watches.add(response)
      response.on('close', () => this.watches.delete(response))
    }
    ;(watch ? this.watch : this.list)(query, response, request)
  }

  /** To every open watch. */
  say(text: string): void {
    for (const each of this.watches) each.write(text)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** A watch on Ports of a fake API server, written down as lines. */
export class Watched {
  readonly clock = new KnownClock()
  readonly api = new FakeApi(this.clock)
  readonly changes: WatchEvent<'Port'>[] = []
  #abort = new AbortController()
  #store: KubeStore | undefined
  #ended: Promise<void> = Promise.resolve()

  /** @param take called after each change; the next is asked for when it resolves */
  async start(
    prepare: (api: FakeApi) => void,
    { within = {}, meter, take }: { within?: Within & { from?: string }; meter?: KubeMeter; take?: () => Promise<void> } = {},
  ): Promise<this> {
    const server = await this.api.start()
    prepare(this.api)
    const client = new KubeClient({ server, tls: {}, authorization: async () => undefined }, meter === undefined ? {} : { meter })
    this.#store = new KubeStore(client, { clock: this.clock, random: () => 0, ...(meter === undefined ? {} : { meter }) })
    this.#ended = this.#follow(this.#store, within, take)
    return this
  }

  async #follow(store: KubeStore, within: Within & { from?: string }, take: (() => Promise<void>) | undefined): Promise<void> {
    for await (const change of store.watch('Port', within, this.#abort.signal)) {
      this.changes.push(change)
      await take?.()
    }
  }

  get log(): readonly string[] {
    return this.changes.map((change) => {
      if (change.type === 'all')
        return ['all', ...change.items.map((item) => `${item.metadata.name}@${item.metadata.resourceVersion}`)].join(' ')
      return change.type === 'mark'
        ? `mark ${change.resourceVersion}`
        : `${change.type} ${change.item.metadata.name}@${change.item.metadata.resourceVersion}`
    })
  }

  async until(holds: (log: readonly string[]) => boolean): Promise<void> {
    await soon(
      () => holds(this.log),
      () => `another log than ${JSON.stringify(this.log)}`,
    )
  }

  /** Waits until the reflector pauses (no pause is longer than `longestMs`, no watchdog shorter), and lets the pause pass. */
  async passPause(longestMs = 60_000): Promise<number> {
    await soon(
      () => this.clock.nextIn <= longestMs,
      () => 'the reflector pauses',
    )
    const ms = this.clock.nextIn
    this.clock.advance(ms)
    return ms
  }

  /** Waits until a watch is open at the server and its reader waits. */
  async untilWatching(count = 1): Promise<void> {
    await soon(
      () => this.api.asked.filter((each) => each.watch).length >= count && this.api.watches.size === 1,
      () => `watch ${count} is open`,
    )
  }

  /** Falls the signal, and waits for the end. */
  async end(): Promise<void> {
    this.#abort.abort()
    await this.#ended
  }

  async stop(): Promise<void> {
    await this.end()
    await this.#store?.close()
    await this.api.stop()
  }
}
