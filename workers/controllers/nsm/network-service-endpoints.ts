// NetworkServiceEndpoints: those that nobody has refreshed go. One that is refreshed meanwhile stays, by its resourceVersion.
import { refFromKey, refOf, type Resource } from '../../../core/kinds/index.ts'
import { expiryOf } from '../../../core/nsm/expiry.ts'
import { leftMsOf, planEndpoint, type ExpireAction } from '../../../core/plan/nsm/endpoint.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import { objects } from '../../drivers/store-objects.ts'
import type { Env } from '../../controller-env.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { both, specChanges, when } from '../../watch/predicates.ts'
import { itself } from '../../watch/map-to-keys.ts'

type Endpoint = Resource<'NetworkServiceEndpoint'>
const expires = when<'NetworkServiceEndpoint'>('is to expire', ({ after }) => after !== undefined && expiryOf(after.spec) !== undefined)

export const networkServiceEndpoints: Row<'NetworkServiceEndpoint'> = row(
  'NetworkServiceEndpoint',
  (on) => [
    on('NetworkServiceEndpoint', {
      when: both(specChanges, expires),
      keys: itself,
      after: {
        text: 'until it has expired for certain',
        ms: ({ after }, { clock }) => after && Math.max(1, leftMsOf(after, { now: clock.now() }) ?? 1),
      },
    }),
  ],
  open,
)

function open({ caches, store, clock }: Env): Controller<Endpoint, undefined, undefined, ExpireAction, Plan<ExpireAction>> {
  const driver = objects<undefined, undefined, ExpireAction>(store, 'objects', {
    observe: () => undefined,
    writesOf: ({ endpoint }) => [
      {
        do: 'delete',
        ref: refOf(endpoint),
        preconditions: { uid: endpoint.metadata.uid, resourceVersion: endpoint.metadata.resourceVersion },
      },
    ],
  })
  return {
    /** What a cache says of the end of an endpoint may be old: then the store is asked. */
    gather(key) {
      const seen = caches.NetworkServiceEndpoint.get(key)
      return seen === undefined || leftMsOf(seen, { now: clock.now() }) !== 0 ? seen : store.get(refFromKey('NetworkServiceEndpoint', key))
    },
    driver: () => driver,
    scope: () => undefined,
    // NSM's kinds have no status.
    item: () => undefined,
    plan: (endpoint, _, now) => planEndpoint(endpoint, now),
  }
}
