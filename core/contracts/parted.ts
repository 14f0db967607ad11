// What a store says at once, in parts.
import type { Kind } from '../kinds/index.ts'
import type { WatchEvent, Parted } from './store.ts'

/** @param size the most objects of one part */
export function* partsOf<K extends Kind>(change: WatchEvent<K>, size = Infinity): Generator<Parted<K>, void, undefined> {
  if (change.type !== 'all') return yield change
  yield { type: 'begin' }
  for (let from = 0; from < change.items.length; from += size)
    yield { type: 'part', items: size === Infinity ? change.items : change.items.slice(from, from + size) }
  yield { type: 'end', resourceVersion: change.resourceVersion }
}
