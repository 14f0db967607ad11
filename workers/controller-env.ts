// What every controller has at hand.
import type { IdentityGiver, Store } from '../core/contracts/store.ts'
import type { Resource } from '../core/kinds/index.ts'
import type { Scales } from '../core/contracts/scales.ts'
import type { PortHolder } from '../core/contracts/port-holder.ts'
import type { CloudSessions } from './clouds/cloud-sessions.ts'
import type { PickedEntries } from './clouds/picked-entries.ts'
import type { Quotas } from './clouds/quota.ts'
import type { NetworkView } from '../core/admit/network-view.ts'
import type { Reporting } from '../core/plan/status.ts'
import type { Caches } from '../platform/cache/caches.ts'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import type { Endpoints } from './notify/send/check-endpoint.ts'
import type { InHand } from './loop/objects-being-made.ts'
import type { Leases } from './addresses/reservation-leases.ts'
import type { LiveSubscriptions } from './notify/live-subscriptions.ts'
import type { WorkersMeter } from './metrics.ts'
import type { QueueName } from './queues.ts'
import type { Addresses } from './addresses/free-addresses.ts'
import type { TopologyCache } from './fabric/topology-cache.ts'
import type { SwitchSessions } from './fabric/switch-sessions.ts'
import type { Names } from './policy/names.ts'
import type { Policies } from './policy/policies.ts'
import type { Waiting } from './loop/waiting-keys.ts'

export interface Env {
  readonly switches: SwitchSessions
  readonly topology: TopologyCache
  /** A store that gives out identities lets a Port be made and served in one commit. */
  readonly store: Store & Partial<IdentityGiver>
  readonly caches: Caches
  readonly view: NetworkView
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  /** In [0, 1). */
  readonly random: () => number
  readonly addresses: Addresses
  readonly policies: Policies
  /** Outside, that policies are about. */
  readonly names: Names
  readonly endpoints: Endpoints
  readonly live: LiveSubscriptions
  /** Of what Ports of the builtin provider have. */
  readonly holder: PortHolder
  /** Of Deployments; undefined: there are none. */
  readonly scales: Scales | undefined
  readonly clouds: CloudSessions
  readonly quotas: Quotas
  readonly picked: PickedEntries
  readonly waiting: Waiting
  readonly inHand: InHand
  readonly leases: Leases
  readonly meter: WorkersMeter
  /** What admission kept for a pod has ended without one. */
  readonly lapsed?: ((kind: 'IPLock' | 'Port') => void) | undefined
  /** Adds a key to a queue: it is reconciled, in so many milliseconds or at once. */
  readonly add: (queue: QueueName, key: string, afterMs?: number) => void
}

/** Who may be told of an object: Subscriptions of its namespace, and those of Megrez's own. */
export function* subscriptionsFor(item: Resource, { live, config }: Pick<Env, 'live' | 'config'>): Iterable<Resource<'Subscription'>> {
  const { namespace } = item.metadata
  yield* live.in(config.namespace)
  if (namespace !== undefined && namespace !== config.namespace) yield* live.in(namespace)
}

export const reporting = (env: Env, now: number): Reporting => ({
  now,
  namespace: env.config.namespace,
  subscriptions: (item) => subscriptionsFor(item, env),
})
