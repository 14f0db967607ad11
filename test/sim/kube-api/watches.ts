// One watch: every step in order from where it was asked for, a bookmark a minute, and an end when its time is up.
import type { Clock } from '../../../platform/clock.ts'
import { versioned, type Etcd, type Step } from './etcd.ts'
import type { Raw, RawEvent } from './raw.ts'
import { expired } from './refusals.ts'
import type { Test } from './select.ts'
import type { Table } from './tables.ts'

type Query = Readonly<Record<string, string | undefined>>
export type WatchFrame = RawEvent | 'over'

/** As the watch cache sends them (apiserver, cacher: defaultBookmarkFrequency). */
const bookmarkMs = 60_000
const usualSeconds = 1_800

export class Feed {
  #said: WatchFrame[] = []
  #wake: (() => void) | undefined
  readonly #ends: (() => void)[]

  constructor(etcd: Etcd, clock: Clock, { table, test, query }: { readonly table: Table; readonly test: Test; readonly query: Query }) {
    const from = Number(query['resourceVersion'] ?? '0')
    const say = (step: Step): void => {
      const event = step.kind === table.kind ? eventOf(step, test) : undefined
      if (event !== undefined) this.#say(event)
    }
    this.#ends = [etcd.on(say), clock.after(Number(query['timeoutSeconds'] ?? usualSeconds) * 1000, () => this.#say('over'))]
    if (query['allowWatchBookmarks'] === 'true') this.#ends.push(every(clock, bookmarkMs, () => this.#say(bookmark(table, etcd.revision))))
    if (from === 0) for (const item of etcd.all(table.kind)) this.#begin(item, test)
    else if (from < etcd.compacted) this.#refuse(from, etcd.compacted)
    else for (const step of etcd.since(table.kind, from)) say(step)
  }

  /** Resolves to the next that it says. Only one may wait. */
  async next(): Promise<WatchFrame> {
    while (this.#said.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve))
    return this.#said.shift()!
  }

  close(): void {
    for (const end of this.#ends.splice(0)) end()
    this.#say('over')
  }

  #begin(item: Raw, test: Test): void {
    if (test(item)) this.#say({ type: 'ADDED', object: item })
  }

  /** In the stream: a watch that is too old is answered 200. */
  #refuse(from: number, compacted: number): void {
    this.#say({ type: 'ERROR', object: expired(`too old resource version: ${from} (${compacted})`).answer.body as object })
    this.#say('over')
  }

  #say(said: WatchFrame): void {
    this.#said.push(said)
    this.#wake?.()
    this.#wake = undefined
  }
}

/** What a watch of a selection hears: leaving it is going, and is told with the last state that was in it. */
function eventOf({ before, after, revision }: Step, test: Test): RawEvent | undefined {
  const was = before !== undefined && test(before)
  if (after !== undefined && test(after)) return { type: was ? 'MODIFIED' : 'ADDED', object: after }
  return was ? { type: 'DELETED', object: versioned(before, revision) } : undefined
}

const bookmark = ({ apiVersion, kind }: Table, revision: number): RawEvent => ({
  type: 'BOOKMARK',
  object: { apiVersion, kind, metadata: { resourceVersion: String(revision), creationTimestamp: null } },
})

function every(clock: Clock, ms: number, call: () => void): () => void {
  let cancel = (): void => undefined
  const next = (): void => {
    cancel = clock.after(ms, () => {
      next()
      call()
    })
  }
  next()
  return () => cancel()
}
