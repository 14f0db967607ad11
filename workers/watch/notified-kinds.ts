// What wakes every kind that somebody may be told of: that it is not as it was told, and that somebody begins to be told of it.
import type { Resource } from '../../core/kinds/index.ts'
import { isSubscribed } from '../../core/plan/notify/subscribers.ts'
import type { ReconciledKind } from '../queues.ts'
import { both, either, isGuarded, isNotAsNotified, part, specChanges, stays, when } from './predicates.ts'
import { every, itself } from './map-to-keys.ts'
import { watchFor, type Watch, type WatchFor } from './watch.ts'

type Subscription = Resource<'Subscription'>

export const delivery = part<'Subscription'>('whether its sink takes what it is sent', (item) => [
  item?.status?.goneAt,
  item?.status?.delivering,
])
const begins = when<'Subscription'>(
  'is not at its generation',
  ({ after }) => after?.status?.observedGeneration !== after?.metadata.generation,
)

/** It is to have our finalizer before its end, and what it is like is kept where all changes are asked for. */
const isToBeGuarded = (item: Resource, { spec }: Subscription): boolean => !isGuarded(item) || spec.changes === 'all'

export function watchesOfNotified<K extends ReconciledKind>(kind: K): readonly Watch<K>[] {
  const on: WatchFor<K> = watchFor(kind)
  return [
    on(kind, { when: isNotAsNotified, keys: itself }),
    on('Subscription', {
      when: both(either(specChanges, delivery), stays, begins),
      keys: every<'Subscription', K>(kind, {
        name: 'it is about them',
        test: (item, by, { config }) => isToBeGuarded(item as Resource, by) && isSubscribed(by, item as Resource, config.namespace),
      }),
    }),
  ]
}
