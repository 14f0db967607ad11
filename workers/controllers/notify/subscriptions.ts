// Subscriptions: credentials copied, sinks checked, samples sent, what is kept sent anew.
import { subscriptionLabel } from '../../../core/kinds/annotations.ts'
import { allKinds, refOf, scopeOf, type Resource } from '../../../core/kinds/index.ts'
import { isNotified } from '../../../core/kinds/notify/notified.ts'
import type { Driver } from '../../../core/contracts/driver.ts'
import type { Write } from '../../../core/contracts/store.ts'
import { parseCursor } from '../../../core/plan/notify/cursor.ts'
import { eventsLabel } from '../../../core/plan/notify/notices.ts'
import { refused, type Plan } from '../../../core/plan/plan.ts'
import { isSubscribed, keepMsOf } from '../../../core/plan/notify/subscribers.ts'
import {
  isLack,
  isVerified,
  keepsCredentials,
  planSubscription,
  type CopiedCredentials,
  type SubscriptionAction,
  type SubscriptionDesired,
  type SubscriptionObserved,
} from '../../../core/plan/notify/subscription.ts'
import { eventPosition, targetsOf } from '../../../core/plan/notify/targets.ts'
import { beginTelling } from '../../notify/begin-subscription.ts'
import type { Env } from '../../controller-env.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { subscribedObjects } from '../../gather/subscribed-objects.ts'
import { credentialsOf } from './subscription-credentials.ts'
import { either, specChanges } from '../../watch/predicates.ts'
import { itself } from '../../watch/map-to-keys.ts'
import { delivery } from '../../watch/notified-kinds.ts'

type Subscription = Resource<'Subscription'>

export const subscriptions: Row<'Subscription'> = row(
  'Subscription',
  (on) => [on('Subscription', { when: either(specChanges, delivery), keys: itself })],
  open,
)

function open(
  env: Env,
): Controller<SubscriptionDesired, SubscriptionDesired, SubscriptionObserved, SubscriptionAction, Plan<SubscriptionAction>> {
  const { store, config } = env
  const { namespace: own } = config
  const driver: Driver<SubscriptionDesired, SubscriptionObserved, SubscriptionAction> = {
    name: 'subscriptions',
    observe: (desired, signal) => observe(desired, env, signal),
    apply: (action, signal) =>
      action.do === 'begin' ? beginTelling(action.subscription, env, signal) : store.commit(writesOf(action) ?? []),
    asWrites: writesOf,
  }
  return {
    async gather(key) {
      const seen = env.caches.Subscription.get(key)
      // What the pass before has written may not have come by the watch yet: no sink is asked twice for that.
      const subscription = seen !== undefined && mayReachSink(seen) ? await store.get(refOf(seen)) : seen
      return subscription === undefined ? undefined : { subscription, namespace: own, held: await heldBy(subscription, env) }
    },
    driver: () => driver,
    scope: (desired) => desired,
    item: ({ subscription }) => subscription,
    plan: planSubscription,
    refusal: (message) => refused('Refused', message),
    outlivesSpec: true,
  }
}

async function observe({ subscription }: SubscriptionDesired, env: Env, signal: AbortSignal): Promise<SubscriptionObserved> {
  const { store, config, endpoints } = env
  const { items } = await store.list('Secret', { namespace: config.namespace, labels: `${subscriptionLabel}=${subscription.metadata.uid}` })
  const copies = items.map(({ metadata }) => metadata.name)
  const nothing = { copies, check: undefined, tested: undefined, replay: [] }
  if (subscription.metadata.deletionTimestamp !== undefined) return { ...nothing, credentials: {}, kept: await keptOf(subscription, env) }
  const credentials = await credentialsOf(subscription, env)
  if (subscription.spec.sink === undefined || isLack(credentials)) return { ...nothing, credentials }
  const check = isVerified(subscription) ? undefined : await endpoints.check(subscription, credentials, signal)
  const passed = check === undefined || 'passed' in check
  return {
    copies,
    credentials,
    check,
    tested: passed ? await testOf(subscription, credentials, endpoints, signal) : undefined,
    replay: await replayOf(subscription, env),
  }
}

async function keptOf(subscription: Subscription, { store, config }: Env): Promise<string | undefined> {
  if (!keepsCredentials(subscription)) return undefined
  return (await store.get({ kind: 'Secret', namespace: config.namespace, name: subscription.spec.auth?.secret ?? '' }))?.metadata.name
}

/** By its check, its sample, or what is sent anew. */
const mayReachSink = (item: Subscription): boolean =>
  item.metadata.deletionTimestamp === undefined &&
  item.spec.sink !== undefined &&
  (!isVerified(item) || sampleDue(item) !== undefined || replayDue(item) !== undefined)
const sampleDue = ({ spec: { test }, status }: Subscription): string | undefined => (test === status?.tested?.id ? undefined : test)
const replayDue = ({ spec: { replay }, status }: Subscription): NonNullable<Subscription['spec']['replay']> | undefined =>
  replay?.id === status?.replayed ? undefined : replay

async function testOf(
  subscription: Subscription,
  credentials: CopiedCredentials,
  endpoints: Env['endpoints'],
  signal: AbortSignal,
): Promise<SubscriptionObserved['tested']> {
  const sample = sampleDue(subscription)
  return sample === undefined ? undefined : await endpoints.test(subscription, credentials, sample, signal)
}

async function replayOf(subscription: Subscription, { store, config }: Env): Promise<SubscriptionObserved['replay']> {
  const { uid } = subscription.metadata
  const replay = replayDue(subscription)
  if (replay === undefined) return []
  if (keepMsOf(subscription) === 0) return { problem: 'nothing is kept to be sent anew: set keepSeconds' }
  const cursor = replay.after === undefined ? undefined : parseCursor(replay.after, uid)
  if (replay.after !== undefined && cursor === undefined) return { problem: 'the cursor of the replay is not one of this Subscription' }
  const { items } = await store.list('Notice', { namespace: config.namespace, labels: eventsLabel(uid) })
  return items.filter(
    (notice) =>
      targetsOf(notice).includes(uid) && notice.status?.taken?.includes(uid) === true && eventPosition(notice) > (cursor?.place ?? -1n),
  )
}

/** Undefined: only the Subscription goes. Else how many objects of its namespace are still to go before it, while that may take. */
async function heldBy(subscription: Subscription, env: Env): Promise<number | undefined> {
  const { config, clock } = env
  const { deletionTimestamp, namespace = '' } = subscription.metadata
  if (deletionTimestamp === undefined || !(await isNamespaceGoing(namespace, env))) return undefined
  if (clock.now() - Date.parse(deletionTimestamp) > config.blockerWaitMs) return 0
  const seen = [...subscribedObjects(subscription, env)].length
  return seen > 0 ? seen : await leftInStore(subscription, env)
}

/** That nothing is left is the store's word: a watch may not have told of what it is to be told of. */
async function leftInStore(subscription: Subscription, { store, config }: Env): Promise<number> {
  const { namespace = '' } = subscription.metadata
  const lists = await Promise.all(
    allKinds.filter((kind) => isNotified(kind) && scopeOf(kind) === 'Namespaced').map((kind) => store.list(kind, { namespace })),
  )
  return lists.flatMap(({ items }) => items).filter((item) => isSubscribed(subscription, item, config.namespace)).length
}

/** Asks the store where the cache does not show it: a Subscription that goes with its namespace is told of what goes there, another not. */
async function isNamespaceGoing(name: string, { caches, store }: Env): Promise<boolean> {
  const isGoing = (namespace: Resource<'Namespace'> | undefined): boolean => namespace?.metadata.deletionTimestamp !== undefined
  return isGoing(caches.Namespace.get(name)) || isGoing(await store.get({ kind: 'Namespace', name }))
}

function writesOf(action: SubscriptionAction): readonly Write[] | undefined {
  switch (action.do) {
    case 'begin':
      return undefined
    case 'copyCredentials':
      return [{ do: 'create', draft: action.draft }]
    case 'forgetCopy':
      return [{ do: 'delete', ref: { kind: 'Secret', namespace: action.namespace, name: action.name } }]
    case 'sendAgain': {
      const { notice, target } = action
      const taken = (notice.status?.taken ?? []).filter((each) => each !== target)
      const { uid, resourceVersion } = notice.metadata
      return [
        {
          do: 'patchStatus',
          ref: refOf(notice),
          uid,
          resourceVersion,
          sections: { acknowledgement: { taken, filed: notice.status?.filed ?? resourceVersion } },
        },
      ]
    }
  }
}
