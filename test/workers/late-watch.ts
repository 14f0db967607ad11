// A store whose watches are late with some of what they tell, as those of an API server may be.
import { setTimeout as pause } from 'node:timers/promises'
import type { Change } from '../../core/contracts/store.ts'
import type { Kind, Resource } from '../../core/kinds/index.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'

/** In memory; to be closed by whoever asked for it. @param ms later than it happened, and everything after it in the same watch */
export function withLateWatch(isLate: (item: Resource) => boolean, ms: number): SqliteStore {
  const store = SqliteStore.open(':memory:')
  const watch = store.watch.bind(store)
  store.watch = async function* <K extends Kind>(...[kind, within, signal]: Parameters<typeof watch>): AsyncGenerator<Change<K>> {
    for await (const change of watch(kind as K, within, signal)) {
      if ('item' in change && isLate(change.item)) await pause(ms, undefined, { signal }).catch(() => undefined)
      yield change
    }
  }
  return store
}
