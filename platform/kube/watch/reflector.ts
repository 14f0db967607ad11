// List and watch that begins again by itself, never storms, never goes back in time, and never ends in silence.
import type { WatchEvent, Parted } from '../../../core/contracts/store.ts'
import { keyOfItem, type Kind, type Resource } from '../../../core/kinds/index.ts'
import { pause, type Clock } from '../../clock.ts'
import type { Stream } from '../../http/client.ts'
import type { KubeResponse } from '../client.ts'
import type { KubeMeter, WatchEnd } from './meter.ts'
import { WatchBackoff, regular, type WatchRound } from '../watch-backoff.ts'
import { listPages, ListRefused } from './pages.ts'
import { newer } from '../version.ts'
import { WatchEnded, watchStream, type RawEvent, type RawObject } from './watch-stream.ts'

type Query = Readonly<Record<string, string | undefined>>

export interface ReflectorOptions<K extends Kind> {
  readonly kind: K
  readonly list: (query: Query, signal: AbortSignal) => Promise<KubeResponse>
  readonly watch: (query: Query, signal: AbortSignal) => Promise<Stream | KubeResponse>
  readonly read: (raw: RawObject) => Resource<K>
  /** false: what was given out is not kept. Then nobody can ask for it, and a list after a gap tells what is, not what is new. */
  readonly remembers?: boolean
  /** The resource version to go on from; absent: begin with a list. */
  readonly from?: string | undefined
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  readonly meter: KubeMeter
  /** Told of each end of a watch but the regular ones, and of each list that failed. */
  readonly onProblem?: (err: unknown, waitMs: number) => void
}

/** What a watch itself says. */
type Event<K extends Kind> = Extract<WatchEvent<K>, Parted<K>>

const pageSize = 500
/** Bookmarks come once a minute (apiserver, cacher: defaultBookmarkFrequency). */
const idleMs = 90_000

export class Reflector<K extends Kind> {
  #options: ReflectorOptions<K>
  /** What was given out last, so that a successor of the same name is told apart, and nothing is given twice. */
  #known = new Map<string, Resource<K>>()
  /** Everything up to here was given out; undefined before the first list. */
  #version: string | undefined
  #mustList: boolean
  /** The last list was refused for its version, or older than what we know: ask for the latest, in one page. */
  #askLatest = false
  #pace: WatchBackoff
  #heardAt: number

  constructor(options: ReflectorOptions<K>) {
    this.#options = options
    this.#version = options.from
    this.#mustList = options.from === undefined
    this.#pace = new WatchBackoff(options.random)
    this.#heardAt = options.clock.elapsed()
  }

  /** As last given out. */
  known(key: string): Resource<K> | undefined {
    return this.#known.get(key)
  }

  /** Until `signal` falls. */
  async *changes(signal: AbortSignal): AsyncGenerator<WatchEvent<K>, void, undefined> {
    let items: Resource<K>[] = []
    for await (const change of this.parts(signal)) {
      if (change.type === 'begin') items = []
      else if (change.type === 'part') items.push(...change.items)
      else if (change.type === 'end') {
        yield { type: 'all', items, resourceVersion: change.resourceVersion }
        items = []
      } else yield change
    }
  }

  /** The same, each list page by page. */
  async *parts(signal: AbortSignal): AsyncGenerator<Parted<K>, void, undefined> {
    const { clock, kind, meter } = this.#options
    meter.watching(kind, this, () => clock.elapsed() - this.#heardAt)
    try {
      while (!signal.aborted) yield* this.#round(signal)
    } finally {
      meter.watching(kind, this, undefined)
    }
  }

  /** A list if one is due, one watch, and the pause that it earned. */
  async *#round(signal: AbortSignal): AsyncGenerator<Parted<K>, void, undefined> {
    const { clock } = this.#options
    let watching: { readonly since: number; readonly from: string | undefined } | undefined
    try {
      if (this.#mustList) yield* this.#list(signal)
      watching = { since: clock.elapsed(), from: this.#version }
      yield* this.#watch(signal)
    } catch (err) {
      if (signal.aborted) return
      const livedMs = watching === undefined ? 0 : clock.elapsed() - watching.since
      const moved = watching !== undefined && watching.from !== this.#version
      const waitMs = this.#judge(err, { livedMs, moved })
      if (waitMs > 0) await pause(waitMs, clock, signal)
    }
  }

  async *#list(signal: AbortSignal): AsyncGenerator<Parted<K>, void, undefined> {
    const { kind, list, meter, read } = this.#options
    meter.relisted(kind)
    const latest = this.#askLatest
    const known = new Map<string, Resource<K>>()
    let resourceVersion = ''
    for await (const page of listPages(
      (query) => list(query, signal),
      latest ? { pageSize: 0 } : { pageSize, notOlderThan: this.#version },
      read,
    )) {
      this.#heard()
      // The latest state may be older than what we know only where the server's past was restored from a backup: that is then the truth.
      if (!latest && this.#version !== undefined && newer(this.#version, page.resourceVersion))
        throw new BackInTime(page.resourceVersion, this.#version)
      if (resourceVersion === '') yield { type: 'begin' }
      resourceVersion = page.resourceVersion
      if (this.#options.remembers !== false) for (const item of page.items) known.set(keyOfItem(item), item)
      yield { type: 'part', items: page.items }
    }
    this.#askLatest = false
    this.#mustList = false
    this.#version = resourceVersion
    this.#known = known
    yield { type: 'end', resourceVersion }
  }

  async *#watch(signal: AbortSignal): AsyncGenerator<Event<K>, void, undefined> {
    const { clock, random, watch } = this.#options
    const seconds = 300 + Math.floor(random() * 301)
    const query = { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: String(seconds), resourceVersion: this.#version }
    const events = watchStream({ open: (abort) => watch(query, abort), clock, idleMs, lifeMs: seconds * 1500 }, signal)
    for await (const event of events) {
      this.#heard()
      const changes = this.#changesOf(event)
      const version = event.object.metadata.resourceVersion
      yield* changes
      // After it was taken: one that is interrupted here is given again.
      if (this.#version === undefined || newer(version, this.#version)) this.#version = version
    }
  }

  #changesOf(event: RawEvent): readonly Event<K>[] {
    if (event.type === 'BOOKMARK') return [{ type: 'mark', resourceVersion: event.object.metadata.resourceVersion }]
    const item = this.#options.read(event.object)
    const key = keyOfItem(item)
    const known = this.#known.get(key)
    if (known !== undefined && newer(known.metadata.resourceVersion, item.metadata.resourceVersion)) return []
    if (event.type === 'DELETED') {
      this.#known.delete(key)
      return [{ type: 'gone', item }]
    }
    if (known !== undefined && known.metadata.resourceVersion === item.metadata.resourceVersion) return []
    if (this.#options.remembers !== false) this.#known.set(key, item)
    const put: Event<K> = { type: 'put', item }
    if (known === undefined || known.metadata.uid === item.metadata.uid) return [put]
    // Made anew under the same name, and nobody said that the first was gone.
    return [{ type: 'gone', item: { ...known, metadata: { ...known.metadata, resourceVersion: item.metadata.resourceVersion } } }, put]
  }

  /** What a round's end means, and how long to wait. */
  #judge(err: unknown, { livedMs, moved }: { readonly livedMs: number; readonly moved: boolean }): number {
    const end = endOf(err)
    if (end === 'gone' || end === 'garbled') this.#mustList = true
    if (err instanceof BackInTime || (err instanceof ListRefused && err.lost)) this.#askLatest = true
    const round: WatchRound = { livedMs, moved, clean: end === 'over', lost: this.#mustList, retryAfterMs: retryAfterOf(err) }
    this.#options.meter.restarted(this.#options.kind, end === 'over' && !regular(round) ? 'cut' : end)
    const waitMs = this.#pace.waitMs(round)
    if (waitMs > 0) this.#options.onProblem?.(err, waitMs)
    return waitMs
  }

  #heard(): void {
    this.#heardAt = this.#options.clock.elapsed()
  }
}

/** A list that is older than what was given out. */
class BackInTime extends Error {
  constructor(listed: string, known: string) {
    super(`the server lists version ${listed}, yet ${known} was seen`)
    this.name = 'BackInTime'
  }
}

function endOf(err: unknown): WatchEnd {
  if (err instanceof WatchEnded) return err.end
  return err instanceof ListRefused || err instanceof BackInTime ? 'refused' : 'network'
}

function retryAfterOf(err: unknown): number | undefined {
  if (err instanceof WatchEnded) return err.retryAfterMs
  return err instanceof ListRefused ? err.answer.retryAfterMs : undefined
}
