// A store that is cut off after so many writes, and workers that are started over.
import type { Write } from '../../core/contracts/store.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import type { MemoryScales } from './memory-scales.ts'
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
          this.spend()
          await inner.commit([write])
        }
      },
    })
  }

  /** @throws once it is cut off */
  spend(): void {
    if (this.left-- <= 0) throw new Error('cut off')
  }

  get cut(): boolean {
    return this.left < 0
  }
}

/** Long enough for every backoff, and for the sweeper. */
async function inTheEnd(cluster: TestCluster): Promise<void> {
  for (let i = 0; i < 4; i++) await cluster.advance(61_000)
}

/** Workers that are cut off after k writes to a store, and to Deployments, then others that are not; says whether they were at all. */
export async function interrupted(
  inner: SqliteStore,
  k: number,
  ask: (cluster: TestCluster) => Promise<void>,
  { scales, ...config }: TestClusterOptions['config'] & { readonly scales?: MemoryScales } = {},
): Promise<boolean> {
  const cutting = new CutStore(inner, k)
  const cut = scales && { scales: scales.as(() => cutting.spend()) }
  const first = await openTestCluster({ store: cutting.store, config, ...cut })
  await ask(first)
  await first.advance(2_000)
  await first.close()
  const whole = new CutStore(inner, Number.POSITIVE_INFINITY).store
  const second = await openTestCluster({ store: whole, seed: 2, config, ...(scales && { scales }) })
  await inTheEnd(second)
  await second.close()
  return cutting.cut
}
