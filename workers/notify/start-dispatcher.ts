// Starts the dispatcher of one process: any number may run beside each other.
import { backoffMs, backoffs, type Backoff } from '../../core/backoff.ts'
import type { Notifier } from '../../core/contracts/notifier.ts'
import type { Queues } from '../../core/contracts/queue.ts'
import type { Store } from '../../core/contracts/store.ts'
import { NotFound, Stale } from '../../core/errors.ts'
import { allKinds, refOf, type Kind, type Resource } from '../../core/kinds/index.ts'
import { deliveryQueueKey, deliveryQueueOfKey, targetsLeft } from '../../core/plan/notify/targets.ts'
import { sameJson } from '../../core/same-json.ts'
import type { Listener } from '../../platform/cache/cache.ts'
import type { Caches } from '../../platform/cache/caches.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { shardedQueues } from '../../platform/queue/sharded/sharded-queue.ts'
import { LiveSubscriptions } from './live-subscriptions.ts'
import { noticesQueue } from '../queues.ts'
import { AccessMaker } from './send/access-token.ts'
import { Dispatcher } from './dispatcher.ts'
import { HttpNotifier } from './send/http.ts'
import { deliveryAges, timedNotifier } from './metrics.ts'
import { Outgoing } from '../../platform/http/guarded/outgoing.ts'
import { NamespaceSecrets, readSecrets } from '../../platform/signing.ts'
import { SubscriptionStatuses } from './keep/subscription-statuses.ts'
import { Subscribers } from './keep/subscribers.ts'

export interface DispatcherOptions {
  readonly store: Store
  /** Started by whoever made them; a dispatcher that is told of Notices late sends them late. */
  readonly caches: Caches
  readonly queues: Queues
  readonly config: Pick<
    Config,
    | 'namespace'
    | 'callbackTimeoutMs'
    | 'callbackHorizonMs'
    | 'callbackAllow'
    | 'callbackAllowIn'
    | 'callbackHttp'
    | 'callbackSecret'
    | 'callbackSharedSignature'
    | 'publicUrl'
  >
  readonly clock: Clock
  readonly log: Log
  /** In [0, 1). */
  readonly random: () => number
  /** Signed HTTP unless given. */
  readonly notifier?: Notifier
  readonly retry?: Backoff
  readonly metrics?: Pick<Metrics, 'parked' | 'set'>
}

/** Delivery queues that are reconciled at once. */
const concurrency = 512
/** Sendings under way get this long to end when we stop; a notice that is cut off is sent again. */
const graceMs = 2_000
/** How often what was kept is let go, and copies of credentials that nobody needs. */
const sweepMs = 30_000

/** @throws ConfigInvalid when a secret is none */
export async function startDispatcher(options: DispatcherOptions): Promise<{ stop(): Promise<void> }> {
  const { store, caches, queues, config, clock, log, random, retry = backoffs.receiver } = options
  const stopping = new AbortController()
  // The queue carries only shards of delivery queues, by their objects: every dispatcher knows from its own watch what is due in them.
  const sharded = shardedQueues(queues, { clock, log, groupOf: (key) => deliveryQueueOfKey(key).uid })
  const deliveryQueues = sharded.open(noticesQueue)
  const wake = (key: string): void => void deliveryQueues.add(key)
  const { outgoing, notifier, secrets } = outOf(options)
  const live = new LiveSubscriptions(options)
  const access = new AccessMaker(outgoing, clock, secrets)
  const subscribers = new Subscribers({ store, caches, live, namespace: config.namespace, access })
  const statuses = new SubscriptionStatuses({ store, live, clock, log })
  options.metrics?.parked(() => statuses.parked)
  const measures = options.metrics && { accepted: deliveryAges(options.metrics.set, clock) }
  const dispatcher = new Dispatcher({
    store,
    caches,
    notifier,
    subscribers,
    statuses,
    clock,
    log,
    random,
    retry,
    wake,
    sleep: (key) => deliveryQueues.forget(key),
    stopping: stopping.signal,
    horizonMs: config.callbackHorizonMs,
    publicUrl: config.publicUrl,
    allowedApart: (namespace) => Object.hasOwn(config.callbackAllowIn, namespace),
    ...measures,
  })
  const runner = await deliveryQueues.run((key, signal) => dispatcher.reconcile(key, signal), {
    concurrency,
    retryAfterMs: (_, attempt) => backoffMs(attempt, random()),
  })
  const wakeAll = (notice: Resource<'Notice'>): void =>
    targetsLeft(notice).forEach((target) => wake(deliveryQueueKey(notice.spec.of.uid, target)))
  caches.Notice.on(({ before, after }) => {
    if (after === undefined) dispatcher.forget(before!)
    else dispatcher.noticeChanged(after, before)
  })
  followObjects(caches, wakeAll)
  followSubscriptions(caches, dispatcher)
  let cancelSweep = clock.after(sweepMs, () => void sweep())
  async function sweep(): Promise<void> {
    for (const notice of caches.Notice.values()) if (dispatcher.isLate(notice)) wakeAll(notice)
    await letGo(options, subscribers).catch((err: unknown) => log.debug({ err: err }, 'kept notices not let go yet'))
    if (!stopping.signal.aborted) cancelSweep = clock.after(sweepMs, () => void sweep())
  }
  return {
    async stop() {
      cancelSweep()
      const cancel = clock.after(graceMs, () => {
        stopping.abort()
        outgoing.abort()
      })
      await runner.close()
      await sharded.close()
      dispatcher.stop()
      cancel()
      stopping.abort()
      await statuses.stop()
      await Promise.all([notifier.close(), outgoing.close()])
    },
  }
}

function outOf({ config, clock, log, random, notifier, metrics }: DispatcherOptions): {
  readonly outgoing: Outgoing
  readonly notifier: Notifier
  readonly secrets: NamespaceSecrets
} {
  const options = { settings: config, timeoutMs: config.callbackTimeoutMs, clock }
  const outgoing = new Outgoing(options)
  const timed = (each: Notifier): Notifier => (metrics === undefined ? each : timedNotifier(each, metrics.set, clock))
  const secrets = new NamespaceSecrets(readSecrets(config.callbackSecret), config.callbackSharedSignature)
  if (notifier !== undefined) return { outgoing, notifier: timed(notifier), secrets }
  if (!secrets.signs) log.warn('no callback secret is set: callbacks are not signed, save those of Subscriptions that have their own')
  return { outgoing, notifier: timed(new HttpNotifier({ ...options, secrets, random }, outgoing)), secrets }
}

/** An object that has Notices and has moved, or gone, may have reached one. */
function followObjects(caches: Caches, wakeAll: (notice: Resource<'Notice'>) => void): void {
  // What is there already as we come has reached nothing new: its Notices are heard of by themselves.
  let begun = false
  const onChange: Listener<Kind> = ({ before, after }) => {
    if (begun) for (const notice of caches.Notice.by('of', (after ?? before)?.metadata.uid ?? '')) wakeAll(notice)
  }
  const all = caches as unknown as Partial<Record<Kind, { on(listener: Listener<Kind>): void }>>
  for (const kind of allKinds) if (kind !== 'Notice' && kind !== 'Subscription') all[kind]?.on(onChange)
  begun = true
}

/** What waits for a Subscription is tried when it is verified, no longer paused, changed, or gone. */
function followSubscriptions(caches: Caches, dispatcher: Dispatcher): void {
  caches.Subscription.on(({ before, after }) => {
    const { uid } = (after ?? before)!.metadata
    if (before !== undefined && after !== undefined && sameJson(decidingOf(before), decidingOf(after))) return
    for (const notice of caches.Notice.by('for', uid))
      if (targetsLeft(notice).includes(uid)) dispatcher.begin(deliveryQueueKey(notice.spec.of.uid, uid))
  })
}

const decidingOf = ({ metadata: { generation }, status: { verified, credentials, goneAt } = {} }: Resource<'Subscription'>): object => ({
  generation,
  verified,
  credentials,
  goneAt,
})

function unlessOutdated(err: unknown): void {
  if (!(err instanceof Stale || err instanceof NotFound)) throw err
}

/** Kept Notices whose time is over, and credentials of Subscriptions that are gone and drained. */
async function letGo({ store, caches, clock }: DispatcherOptions, subscribers: Subscribers): Promise<void> {
  const isWaited = (uid: string): boolean => [...caches.Notice.by('for', uid)].some((notice) => targetsLeft(notice).includes(uid))
  const over = [...caches.Notice.values()].filter(
    (notice) => notice.spec.keepUntil !== undefined && Date.parse(notice.spec.keepUntil) <= clock.now() && targetsLeft(notice).length === 0,
  )
  for (const item of [...over, ...(await subscribers.drained(isWaited))]) {
    const { uid, resourceVersion } = item.metadata
    // One that is to be sent anew by now, or that another dispatcher was faster with, keeps nothing from the others.
    await store.commit([{ do: 'delete', ref: refOf(item as Resource), preconditions: { uid, resourceVersion } }]).catch(unlessOutdated)
  }
  subscribers.forget(isWaited)
}
