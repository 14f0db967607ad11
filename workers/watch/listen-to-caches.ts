// Listens to the caches: each change of an object wakes the keys of the rows that watch it, and those who wait for what it brings.
import { keyOfItem, type Kind, type Resource } from '../../core/kinds/index.ts'
import type { ChangeEvent } from '../../platform/cache/cache.ts'
import { cachedKinds, type Cached } from '../../platform/cache/caches.ts'
import type { Env } from '../controller-env.ts'
import type { Row } from '../loop/controller-row.ts'
import { releases } from './wake-waiting-keys.ts'
import type { Watch } from './watch.ts'

type Hearing = Pick<Watch, 'hear'> & Partial<Pick<Watch, 'hearsMade'>>

/** By the kind that is watched. */
function byKind(rows: readonly Row[]): ReadonlyMap<Cached, readonly Hearing[]> {
  const all: readonly (Hearing & { readonly kind: Cached })[] = [...rows.flatMap(({ watches }) => watches), ...releases]
  return new Map(cachedKinds.map((kind) => [kind, all.filter((each) => each.kind === kind)] as const).filter(([, of]) => of.length > 0))
}

/**
 * Listens to every cache that is watched; what is in it already counts as new.
 * @returns does the same for all there is once more: when a queue may have lost what it held
 */
export function listen(rows: readonly Row[], env: Env): () => void {
  const watchesByKind = byKind(rows)
  for (const [kind, watches] of watchesByKind)
    env.caches[kind].on((event: ChangeEvent<Kind>) => {
      const isNoNews = env.inHand.isNoNews(kind, event)
      for (const { hear, hearsMade = false } of watches) if (hearsMade || !isNoNews) hear(event, env)
    })
  return () => {
    for (const [kind, watches] of watchesByKind) {
      for (const after of env.caches[kind].values() as Iterable<Resource>)
        for (const { hear } of watches) hear({ key: keyOfItem(after), before: undefined, after }, env)
    }
  }
}
