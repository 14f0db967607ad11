// Networks as callers see them, each filed once and followed by watches, so that a question costs what is answered. Callers who see the
// same share one; whoever sees one namespace has an index of that namespace, and waits for nothing of another.
import { TooMany } from '../../../core/errors.ts'
import { keyOfItem } from '../../../core/kinds/index.ts'
import { NetworkIndex } from '../../../core/views/topology/network-index.ts'
import { topologyKinds, type TopologyKind } from '../../../core/views/topology/parts.ts'
import { breath } from '../../../platform/clock.ts'
import type { Caller } from '../../plugins/auth.ts'
import type { RestDeps } from '../deps.ts'
import { holdAny, pagesOf } from './gather.ts'
import { reachOf } from './reach.ts'

/** Indexes that are kept, and for how long one that nobody asks. */
const [keptMax, idleMs] = [64, 120_000]
/** Watches behind one index; whoever sees more has it made for each question. */
const followedMax = 256
/** Objects in one index at most. */
const indexedMax = 4_000_000

interface Part {
  readonly kind: TopologyKind
  readonly namespace: string | undefined
}
interface View {
  readonly index: Promise<NetworkIndex>
  readonly end: AbortController
  cancelIdle: () => void
}

export class NetworkViews {
  readonly #deps: RestDeps
  readonly #views = new Map<string, View>()

  constructor(deps: RestDeps) {
    this.#deps = deps
    deps.stopping.addEventListener('abort', () => {
      for (const name of [...this.#views.keys()]) this.#drop(name)
    })
  }

  /**
   * What this caller may see, as far as the watches have told.
   *
   * @throws Forbidden where that is nothing at all; TooMany
   */
  async of(caller: Caller, namespace: string | undefined): Promise<NetworkIndex> {
    const reaches = await Promise.all(topologyKinds.map((kind) => reachOf(this.#deps, caller, { kind, namespace })))
    holdAny(reaches.map((reach) => (reach.length === 0 ? undefined : reach)))
    const parts = reaches.flatMap((reach, i) => reach.map((each) => ({ kind: topologyKinds[i]!, namespace: each })))
    if (parts.length > followedMax) return this.#made(parts, caller)
    const index = await this.#followed(parts)
    // What was written before the question came has been told by then, where the store is this process' own.
    await breath(this.#deps.clock)
    return index
  }

  #followed(parts: readonly Part[]): Promise<NetworkIndex> {
    const name = JSON.stringify(parts.map(({ kind, namespace }) => [kind, namespace ?? null]))
    const view = this.#views.get(name) ?? this.#open(name, parts)
    view.cancelIdle()
    view.cancelIdle = this.#deps.clock.after(idleMs, () => this.#drop(name))
    // The last asked last: the first is let go where there are too many.
    this.#views.delete(name)
    this.#views.set(name, view)
    return view.index
  }

  #open(name: string, parts: readonly Part[]): View {
    while (this.#views.size >= keptMax) this.#drop(this.#views.keys().next().value ?? '')
    const end = new AbortController()
    const index = this.#made(parts, undefined, (part, from, made) => void this.#follow({ part, from, made, signal: end.signal, name }))
    index.catch(() => this.#drop(name))
    return { index, end, cancelIdle: () => undefined }
  }

  #drop(name: string): void {
    const view = this.#views.get(name)
    this.#views.delete(name)
    view?.cancelIdle()
    view?.end.abort()
  }

  /** Page by page, so that nobody else waits. @param caller absent: our own account reads, who has judged what the caller may see */
  async #made(
    parts: readonly Part[],
    caller: Caller | undefined,
    follow?: (part: Part, from: string, made: NetworkIndex) => void,
  ): Promise<NetworkIndex> {
    const made = new NetworkIndex()
    let count = 0
    for (const part of parts) {
      const { kind, namespace } = part
      let from: string | undefined
      for await (const page of pagesOf(this.#deps, caller, kind, namespace === undefined ? {} : { namespace })) {
        from ??= page.resourceVersion
        for (const item of page.items) made.put(item)
        count += page.items.length
        if (count > indexedMax) throw new TooMany({ kind, max: indexedMax })
      }
      follow?.(part, from ?? '0', made)
    }
    return made
  }

  async #follow({ part, from, made, signal, name }: Following): Promise<void> {
    const { kind, namespace } = part
    try {
      for await (const change of this.#deps.store.watch(kind, { from, ...(namespace !== undefined && { namespace }) }, signal)) {
        if (signal.aborted) return
        if (change.type === 'put') made.put(change.item)
        else if (change.type === 'gone') made.gone(kind, keyOfItem(change.item))
        // After a gap it is made anew, in pages, for whoever asks next.
        else if (change.type === 'all') return this.#drop(name)
      }
    } catch (err) {
      if (!signal.aborted) this.#deps.log.warn({ kind, err }, 'a watch behind the graph has ended early')
    }
    this.#drop(name)
  }
}

interface Following {
  readonly part: Part
  readonly from: string
  readonly made: NetworkIndex
  readonly signal: AbortSignal
  readonly name: string
}
