// The objects that a Subscription is about, as far as this process has seen them.
import { allKinds, type Kind, type Resource } from '../../core/kinds/index.ts'
import { isNotified } from '../../core/kinds/notify/notified.ts'
import { isSubscribed } from '../../core/plan/notify/subscribers.ts'
import type { Env } from '../controller-env.ts'

export function* subscribedObjects(
  subscription: Resource<'Subscription'>,
  { caches, config }: Pick<Env, 'caches' | 'config'>,
): Iterable<readonly [Kind, Resource]> {
  for (const kind of allKinds.filter(isNotified)) {
    const cache = (caches as Partial<Record<Kind, { values(): Iterable<Resource> }>>)[kind]
    for (const item of cache?.values() ?? []) if (isSubscribed(subscription, item, config.namespace)) yield [kind, item]
  }
}
