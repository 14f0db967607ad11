// A store that is cut off after so many writes, and workers that are started over.
import type { Write } from '../../core/contracts/store.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { openTestCluster, type TestCluster, type TestClusterOptions } from './test-cluster.ts'

/** Gives out no identities and commits write by write, as a cluster's store does; after `left` writes it answers no more. */
class CutStore {
  readonly store: SqliteStore
  left: number

  constructor(inner: SqliteStore, left: number) {
    this.left = left
    this.store = Object.assign(Object.create(inner) as SqliteStore, {
      identify: undefined,
      ...Object.fromEntries(
        (['get', 'list', 'watch', 'create', 'update', 'delete', 'patchStatus', 'replaceForeignStatus', 'close'] as const).map((name) => [
          name,
          (inner[name] as () => unknown).bind(inner),
        ]),
      ),
      commit: async (writes: readonly Write[]) => {
        for (const write of writes) {
          if (this.left-- <= 0) throw new Error('cut off')
          await inner.commit([write])
        }
      },
    })
  }

  get cut(): boolean {
    return this.left < 0
  }
}

/** Long enough for every backoff, and for the sweeper. */
async function inTheEnd(cluster: TestCluster): Promise<void> {
  for (let i = 0; i < 4; i++) await cluster.advance(61_000)
}

/** Workers on a store that is cut off after k writes, then others that are not; says whether they were cut off at all. */
export async function interrupted(
  inner: SqliteStore,
  k: number,
  ask: (cluster: TestCluster) => Promise<void>,
  config: TestClusterOptions['config'] = {},
): Promise<boolean> {
  const cutting = new CutStore(inner, k)
  const first = await openTestCluster({ store: cutting.store, config })
  await ask(first)
  await first.advance(2_000)
  await first.close()
  const second = await openTestCluster({ store: new CutStore(inner, Number.POSITIVE_INFINITY).store, seed: 2, config })
  await inTheEnd(second)
  await second.close()
  return cutting.cut
}
