// A store whose watches are late with some of what they tell, as those of an API server may be.
import { setTimeout as pause } from 'node:timers/promises'
import type { WatchEvent } from '../../core/contracts/store.ts'
import type { Kind, Resource } from '../../core/kinds/index.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'

/** In memory; to be closed by whoever asked for it. @param ms later than it happened, and everything after it in the same watch */
export function withLateWatch(isLate: (item: Resource) => boolean, ms: number): SqliteStore {
  const store = SqliteStore.open(':memory:')
  const watch = store.watch.bind(store)
  store.watch = async function* <K extends Kind>(...[kind, within, signal]: Parameters<typeof watch>): AsyncGenerator<WatchEvent<K>> {
    for await (const change of watch(kind as K, within, signal)) {
      if ('item' in change && isLate(change.item)) await pause(ms, undefined, { signal }).catch(() => undefined)
      yield change
    }
  }
  return store
}

/** In memory; of some kinds its watches tell what there is as they begin, and nothing more until they are let go on. */
export function withHeldWatch(...held: readonly Kind[]): { readonly store: SqliteStore; readonly letGo: () => void } {
  const store = SqliteStore.open(':memory:')
  const watch = store.watch.bind(store)
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  store.watch = async function* <K extends Kind>(...[kind, within, signal]: Parameters<typeof watch>): AsyncGenerator<WatchEvent<K>> {
    const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    for await (const change of watch(kind as K, within, signal)) {
      if (held.includes(kind) && change.type !== 'all') await Promise.race([promise, ended])
      yield change
    }
  }
  return { store, letGo }
}

export interface Held {
  readonly store: SqliteStore
  /** Tells what was held back, and goes on as any other watch. */
  release(): void
}

/**
 * A store as one process sees it, all of whose watches of a kind stop telling at what is held back. Reads and writes are the store's own.
 *
 * @param inner not closed with it
 * @param isHeld of a change; everything after it in the same watch is held back too
 */
export function heldBack(inner: SqliteStore, isHeld: (item: Resource) => boolean): Held {
  const released = Promise.withResolvers<void>()
  const names = [
    'get',
    'list',
    'create',
    'update',
    'delete',
    'patchStatus',
    'commit',
    'replaceForeignStatus',
    'close',
    ...(inner.identify === undefined ? [] : (['identify'] as const)),
  ] as const
  const own = Object.fromEntries(names.map((name) => [name, (inner[name] as () => unknown).bind(inner)]))
  const watch = async function* <K extends Kind>(
    ...[kind, within, signal]: Parameters<SqliteStore['watch']>
  ): AsyncGenerator<WatchEvent<K>> {
    const ended = new Promise<void>((done) => signal.addEventListener('abort', () => done()))
    for await (const change of inner.watch(kind as K, within, signal)) {
      if ('item' in change && isHeld(change.item)) await Promise.race([released.promise, ended])
      yield change
    }
  }
  const store = Object.assign(Object.create(inner) as SqliteStore, own, { watch }, inner.identify === undefined && { identify: undefined })
  return { store, release: () => released.resolve() }
}
