// The latest changes, kept so that a watch can go on where it was, and told to whoever watches.
import type { WatchEvent } from '../../core/contracts/store.ts'
import type { Kind, Resource } from '../../core/kinds/index.ts'

/** One change as it happened; `after` absent: deleted, and `before` carries the resourceVersion of the deletion. */
export interface Event {
  readonly version: number
  readonly kind: Kind
  readonly before: Resource | undefined
  readonly after: Resource | undefined
}
export type Test = (item: Resource) => boolean

const kept = 8192
/** A watcher this far behind is told everything anew instead. */
const behindMax = 16_384

export class History {
  #ring: Event[] = []
  #watchers = new Map<Kind, Set<Watcher>>()
  #dropped = 0

  add(event: Event): void {
    this.#ring.push(event)
    if (this.#ring.length > kept * 2) {
      this.#dropped = this.#ring[kept - 1]!.version
      this.#ring = this.#ring.slice(kept)
    }
    for (const watcher of this.#watchers.get(event.kind) ?? []) watcher.notify(event)
  }

  /** Versions up to here are no longer kept. */
  forgetUpTo(version: number): void {
    this.#dropped = Math.max(this.#dropped, version)
  }

  /** The changes of a kind since a version, or undefined when some are no longer kept. */
  since(kind: Kind, version: number): Event[] | undefined {
    if (version < this.#dropped) return undefined
    return this.#ring.filter((event) => event.kind === kind && event.version > version)
  }

  open(kind: Kind): Watcher {
    const watcher = new Watcher(() => this.#watchers.get(kind)?.delete(watcher))
    const all = this.#watchers.get(kind) ?? new Set()
    this.#watchers.set(kind, all.add(watcher))
    return watcher
  }
}

/** What one watch has still to be told. */
export class Watcher {
  #waiting: Event[] = []
  #lost = false
  #wake: (() => void) | undefined
  readonly close: () => void

  constructor(close: () => void) {
    this.close = close
  }

  notify(event: Event): void {
    if (this.#waiting.length >= behindMax) {
      this.#waiting = []
      this.#lost = true
    }
    if (!this.#lost) this.#waiting.push(event)
    this.#wake?.()
  }

  /** The next events, or `lost`: everything has to be told anew. Resolves with none when woken by `wake`. */
  async next(): Promise<readonly Event[] | 'lost'> {
    if (this.#waiting.length === 0 && !this.#lost) await new Promise<void>((resolve) => (this.#wake = resolve))
    this.#wake = undefined
    if (this.#lost) {
      this.#lost = false
      return 'lost'
    }
    const events = this.#waiting
    this.#waiting = []
    return events
  }

  wake(): void {
    this.#wake?.()
  }
}

/** Events as a watch of one kind with a selection sees them. */
export function* changesOf<K extends Kind>(events: readonly Event[], test: Test): Generator<WatchEvent<K>> {
  for (const event of events) {
    const change = changeOf(event, test)
    if (change !== undefined) yield change as WatchEvent<K>
  }
}

/** An event as a watch with a selection sees it; undefined: not at all. */
function changeOf(event: Event, test: Test): WatchEvent<Kind> | undefined {
  const { before, after } = event
  if (after !== undefined && test(after)) return { type: 'put', item: after }
  if (before === undefined || !test(before)) return undefined
  // Left the selection, or was deleted: the last state that belonged to it, at the version of the change.
  return { type: 'gone', item: { ...before, metadata: { ...before.metadata, resourceVersion: String(event.version) } } }
}
