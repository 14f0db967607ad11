import type { TestContext } from 'node:test'
import { StoreUnavailable } from '../../core/errors.ts'
import type { SqliteStore } from '../../platform/store/sqlite.ts'

/** From now on nobody is answered, and watches tell nothing. @returns lets it come back */
export function storeAway(t: TestContext, store: SqliteStore): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  const watch = store.watch.bind(store)
  const mocks = [
    t.mock.method(store, 'get', () => Promise.reject(new StoreUnavailable({ reason: 'away' }))),
    t.mock.method(store, 'watch', async function* (...[kind, within, signal]: Parameters<typeof watch>) {
      await Promise.race([promise, new Promise((stop) => signal.addEventListener('abort', stop))])
      if (!signal.aborted) yield* watch(kind, within, signal)
    }),
  ]
  return () => {
    for (const { mock } of mocks) mock.restore()
    resolve()
  }
}
