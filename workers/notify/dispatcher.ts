// From Notices to receivers. The queue carries an object and a receiver, so the receiver is sent one Notice of the object at a time. What
// is sent is read from the store, so a queue that is flushed loses nothing.
import type { Backoff } from '../../core/backoff.ts'
import type { Notifier, Receipt } from '../../core/contracts/notifier.ts'
import type { Store } from '../../core/contracts/store.ts'
import { allKinds, keyOf, refOf, type Resource } from '../../core/kinds/index.ts'
import { causeOf } from '../../core/kinds/trace.ts'
import type { Holder } from '../../core/kinds/meta.ts'
import {
  ownDeliveryQueue,
  planDeliveries,
  type Deliveries,
  type DeliveryQueue,
  type SendableNotice,
  type StoreAnswer,
} from '../../core/plan/notify/deliveries.ts'
import {
  isOwedTo,
  deliveryQueueOfKey,
  deliveryQueueKey,
  targetsLeft,
  ownTarget,
  eventPosition,
  targetsOf,
} from '../../core/plan/notify/targets.ts'
import type { Caches } from '../../platform/cache/caches.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { Acknowledgements } from './keep/acknowledge-notice.ts'
import { CircuitBreakers, type BreakerTarget } from './pace/circuit-breakers.ts'
import type { SubscriptionStatuses } from './keep/subscription-statuses.ts'
import type { FoundSubscriber, Subscribers } from './keep/subscribers.ts'
import { eventOn } from './keep/kubernetes-event.ts'
import { DeliveryRetries } from './pace/retries.ts'
import { accessOfOwn, deliveryId, deliveryQueueOf, originOf, renderedFor, shownOf, strict, type Way } from './delivery.ts'
import { reasonOf } from './send/error-text.ts'

type Notice = Resource<'Notice'>
type Subscription = Resource<'Subscription'>

export interface DispatcherParts {
  readonly store: Store
  readonly caches: Caches
  readonly notifier: Notifier
  readonly subscribers: Subscribers
  readonly statuses: SubscriptionStatuses
  readonly clock: Clock
  readonly log: Log
  /** In [0, 1). */
  readonly random: () => number
  readonly horizonMs: number
  /** Where REST is for whoever is told. */
  readonly publicUrl: string | undefined
  readonly retry: Backoff
  /** Whether a namespace may be told where others may not. */
  readonly allowedApart: (namespace: string) => boolean
  /** Falls when what is under way is cut off. */
  readonly stopping: AbortSignal
  /** Asks for a delivery queue to be reconciled, by its key: an object and a receiver. */
  readonly wake: (key: string) => void
  /** Told of each notice that its receiver has accepted. */
  readonly accepted?: (notice: Notice) => void
  /** Nothing waits in a delivery queue any more. */
  readonly sleep: (key: string) => void
}

export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #over: Acknowledgements
  readonly #breakers: CircuitBreakers
  readonly #tries: DeliveryRetries

  constructor(parts: DispatcherParts) {
    this.#parts = parts
    this.#over = new Acknowledgements(parts.store, parts.clock)
    this.#breakers = new CircuitBreakers(parts.retry, parts.wake, parts.clock)
    this.#tries = new DeliveryRetries(parts.retry, parts.random)
  }

  /** A Notice has come or changed: who has not taken it is looked after. */
  noticeChanged(notice: Notice, before: Notice | undefined): void {
    this.#over.seen(notice)
    const left = targetsLeft(notice)
    for (const target of left) {
      // Taken back: to be sent again.
      if (before?.status?.taken?.includes(target) === true) this.#over.again(notice, target)
      this.#parts.wake(deliveryQueueKey(notice.spec.of.uid, target))
    }
  }

  /** A Notice has gone from the store. */
  forget(notice: Notice): void {
    this.#over.forget(notice)
    const { uid } = notice.spec.of
    for (const target of targetsOf(notice)) if (this.#isEmpty(uid, target)) this.#parts.sleep(deliveryQueueKey(uid, target))
  }

  #isEmpty(uid: string, target: string): boolean {
    for (const notice of this.#parts.caches.Notice.by('of', uid)) if (isOwedTo(notice, target)) return false
    return true
  }

  /** A Subscription has changed: what was put off for it is tried at once. */
  begin(key: string): void {
    this.#tries.forget(key)
    this.#parts.wake(key)
  }

  /** Whether it may be past its horizon: then its delivery queue is planned from time to time even if its circuit breaker has no room. */
  isLate({ spec }: Notice): boolean {
    return this.#parts.clock.now() - Date.parse(spec.time) > this.#parts.horizonMs
  }

  stop(): void {
    this.#breakers.stop()
  }

  /** Reconciles one delivery queue: at most one Notice is sent. */
  async reconcile(key: string, signal: AbortSignal): Promise<number | undefined> {
    const { uid, target } = deliveryQueueOfKey(key)
    const { left, toWrite } = this.#noticesIn(uid, target)
    for (const notice of toWrite) await this.#over.settle(notice, target)
    const [first] = left
    if (first === undefined) {
      this.#tries.forget(key)
      return undefined
    }
    if (!this.#hasHeardBefore(key, left)) return undefined
    for (const by of ['cache', 'store'] as const) {
      const planned = await this.#planBy(by, key, left)
      if (planned?.plan.unsure !== true) return planned && this.#carryOut(planned.way, planned.there, { plan: planned.plan, signal })
    }
    return undefined
  }

  /** A Notice that was read live may be known before the one that is told before it: it is waited for. */
  #hasHeardBefore(key: string, left: readonly Notice[]): boolean {
    const { caches, wake } = this.#parts
    const oldest = left.reduce((least, notice) => (notice.spec.sequence < least.spec.sequence ? notice : least))
    return oldest.spec.sequence === 1 || caches.Notice.hasReached(oldest.metadata.resourceVersion, () => wake(key))
  }

  /** By whose word: undefined where there is no room. */
  async #planBy(
    by: StoreAnswer,
    key: string,
    left: readonly Notice[],
  ): Promise<{ readonly way: Way; readonly there: readonly Notice[]; readonly plan: Deliveries } | undefined> {
    const { uid, target } = deliveryQueueOfKey(key)
    const first = left[0]!
    const { live, found } = await this.#find(first, target, by)
    // Whether the end of what is gone is still to be told is not a cache's to say.
    const there = by === 'store' && live === undefined ? await this.#leftInStore(first, target) : left
    const way: Way = {
      key,
      uid,
      target,
      filed: oldestOf(left),
      subscription: found?.subscription,
      apart: this.#apart(first, found?.subscription),
    }
    const plan = this.#plan(way, there, { queue: found === undefined ? ownDeliveryQueue(there, live, by) : deliveryQueueOf(found), live })
    return plan && { way, there, plan }
  }

  /**
   * The object, and the Subscription where it is one that is to be told. Nothing is given up because a watch has not told of them: then
   * they are asked for.
   */
  async #find(
    { spec: { of } }: Notice,
    target: string,
    by: StoreAnswer,
  ): Promise<{ readonly live: Resource | undefined; readonly found: FoundSubscriber | undefined }> {
    const { subscribers } = this.#parts
    // A Subscription's Notices are planned by the object as the cache has it, which is only ever behind: what it has not reached waits.
    if (target !== ownTarget)
      return {
        live: this.#cached(of) ?? (await this.#live(of)),
        found: by === 'store' ? await subscribers.ask(target) : subscribers.get(target),
      }
    return { live: (by === 'cache' ? this.#cached(of) : undefined) ?? (await this.#live(of)), found: undefined }
  }

  /** A Subscription or namespace with credentials, authorities or allowed addresses of its own may be refused where others are not. */
  #apart({ spec: { of } }: Notice, subscription: Subscription | undefined): string | undefined {
    const { auth, ca } = subscription?.spec ?? {}
    if (auth !== undefined || ca !== undefined) return subscription!.metadata.uid
    const namespace = (subscription?.metadata ?? of).namespace ?? ''
    return this.#parts.allowedApart(namespace) ? namespace : undefined
  }

  /** The Notices that this receiver has not acknowledged, and those whose acknowledgement is not written yet. */
  #noticesIn(uid: string, target: string): { readonly left: readonly Notice[]; readonly toWrite: readonly Notice[] } {
    const left: Notice[] = []
    const toWrite: Notice[] = []
    for (const notice of this.#parts.caches.Notice.by('of', uid)) {
      if (!isOwedTo(notice, target)) continue
      if (!this.#over.isOver(notice, target)) left.push(notice)
      else if (this.#over.isToWrite(notice, target)) toWrite.push(notice)
    }
    return { left, toWrite }
  }

  /** Seldom asked: all Notices are looked through. */
  async #leftInStore({ metadata: { namespace }, spec: { of } }: Notice, target: string): Promise<readonly Notice[]> {
    const { items } = await this.#parts.store.list('Notice', namespace === undefined ? {} : { namespace })
    return items.filter((notice) => notice.spec.of.uid === of.uid && isOwedTo(notice, target) && !this.#over.isOver(notice, target))
  }

  /** Undefined: there is no room, and it is woken when there is some. */
  #plan(
    way: Way,
    left: readonly Notice[],
    { queue, live }: { readonly queue: DeliveryQueue; readonly live: Resource | undefined },
  ): Deliveries | undefined {
    // Most of very many find no room: they sleep there, and nothing is planned for them. What may be past its horizon is looked at.
    if (
      queue.url !== undefined &&
      queue.held !== true &&
      !left.some((notice) => this.isLate(notice)) &&
      this.#breakers.waits(placeOf(way, queue.url), way)
    )
      return undefined
    const failing = (url: string): boolean => this.#tries.failures(way.key) > 0 || this.#breakers.failing(placeOf(way, url))
    return planDeliveries(left, live, { queue, horizonMs: this.#parts.horizonMs, failing }, this.#parts.clock.now())
  }

  async #carryOut(
    way: Way,
    left: readonly Notice[],
    { plan, signal }: { readonly plan: Deliveries; readonly signal: AbortSignal },
  ): Promise<number | undefined> {
    if (plan.drop.length > 0) await this.#drop(way, plan.drop)
    return plan.send === undefined
      ? undefined
      : await this.#sendNext(way, plan.send, { reached: left.filter((notice) => !plan.waiting.includes(notice)), signal })
  }

  async #sendNext(
    way: Way,
    next: SendableNotice,
    { reached, signal }: { readonly reached: readonly Notice[]; readonly signal: AbortSignal },
  ): Promise<number | undefined> {
    const { store, clock } = this.#parts
    const waitMs = this.#tries.waitMs(way.key, clock.elapsed())
    if (waitMs > 0) return waitMs
    // Another dispatcher may have sent it, and our watch be behind: its news will wake us.
    const now = await store.get(refOf(next.notice))
    if (
      now === undefined ||
      now.metadata.uid !== next.notice.metadata.uid ||
      now.metadata.generation !== next.notice.metadata.generation ||
      !isOwedTo(now, way.target)
    )
      return undefined
    const place = placeOf(way, next.url)
    const requeueAfterMs = this.#breakers.enterNow(place, way) ? undefined : await this.#breakers.enter(place, way)
    if (requeueAfterMs !== undefined) return requeueAfterMs
    const receipt = await this.#send(way, next, signal)
    return receipt === undefined ? undefined : await this.#judge(way, { ...next, notice: now }, { receipt, reached })
  }

  /** The breaker is passed, and left whatever happens. Undefined: ended by us, so that nothing is known, and it is sent again. */
  async #send(way: Way, next: SendableNotice, signal: AbortSignal): Promise<Receipt | undefined> {
    const { notifier, subscribers, statuses, clock, random, stopping } = this.#parts
    const place = placeOf(way, next.url)
    let receipt: Receipt | undefined
    let failed = false
    try {
      const had = way.subscription === undefined ? { access: accessOfOwn(next) } : await subscribers.accessTo(way.subscription, signal)
      const outcome =
        'receipt' in had
          ? had.receipt
          : await notifier.send(
              {
                id: deliveryId(next, way),
                url: next.url,
                sequence: next.sequence,
                phase: next.phase,
                ...renderedFor(way, next, this.#parts.publicUrl),
                ...causeOf(next.object),
                access: had.access,
              },
              signal,
            )
      if (outcome.kind === 'accepted' || !(signal.aborted || stopping.aborted)) receipt = outcome
    } finally {
      failed = this.#breakers.failing(place)
      this.#breakers.leave(place, receipt, clock.elapsed(), random())
    }
    if (!failed) await this.#reportForbidden(next, receipt)
    if (way.subscription === undefined) return receipt
    statuses.circuit(way.target, this.#breakers.failing(place) ? 'open' : 'closed')
    const judged = strict(receipt, way.subscription)
    if (judged !== undefined) statuses.sent(way.subscription, reasonOf(judged))
    return judged
  }

  /** Once for all objects whose changes would go there, until somebody has been told again. */
  async #reportForbidden(next: SendableNotice, receipt: Receipt | undefined): Promise<void> {
    if (receipt?.kind === 'forbidden') await eventOn(this.#parts, next, 'CallbackForbidden', `${originOf(next.url)}: ${receipt.reason}`)
  }

  async #judge(
    way: Way,
    next: SendableNotice,
    { receipt, reached }: { readonly receipt: Receipt; readonly reached: readonly Notice[] },
  ): Promise<number | undefined> {
    const { log, clock, statuses } = this.#parts
    if (receipt.kind === 'accepted') {
      this.#tries.forget(way.key)
      statuses.unpark(way.target, way.uid)
      this.#parts.accepted?.(next.notice)
      // Before the next is sent, so that a crash repeats the last one at most and never sends an older after a newer.
      await this.#over.settle(next.notice, way.target)
      if (log.isLevelEnabled('debug')) log.debug({ delivery: shownOf(next), status: receipt.status }, 'notice delivered')
      return reached.length > 1 ? 0 : undefined
    }
    if (receipt.kind === 'refused' && receipt.status === 410) return this.#gone(way, next, reached)
    const retryMs = this.#tries.failed(way.key, receipt, clock.elapsed())
    const delivery = shownOf(next)
    log.warn({ delivery, receipt, attempt: this.#tries.failures(way.key), retryMs }, 'notice not delivered')
    if (way.subscription !== undefined) this.#mark(way.subscription, way, next, receipt)
    return retryMs
  }

  /** 410 ends it: an object's own callback is told nothing of what waits, a Subscription nothing more at all. */
  async #gone(way: Way, next: SendableNotice, reached: readonly Notice[]): Promise<undefined> {
    const { log, statuses } = this.#parts
    const receiver = originOf(next.url)
    this.#tries.forget(way.key)
    log.warn({ of: next.notice.spec.of, receiver, dropped: reached.length }, 'receiver is gone for good, its notices are dropped')
    if (way.subscription === undefined)
      await eventOn(this.#parts, next, 'CallbackGone', `${receiver} answered 410: ${reached.length} notices dropped`)
    else statuses.gone(way.target, way.subscription.metadata.generation)
    await Promise.all(reached.map((notice) => this.#over.settle(notice, way.target)))
  }

  #mark(subscription: Subscription, way: Way, next: SendableNotice, receipt: Receipt): void {
    if (receipt.kind === 'refused' && [401, 403].includes(receipt.status)) this.#parts.subscribers.refused(subscription)
    if (!this.#tries.isParked(way.key)) return
    const reason = receipt.kind === 'refused' ? `answered ${receipt.status}` : receipt.kind
    this.#parts.statuses.park(way.target, next.notice.spec.of, {
      sequence: next.sequence,
      since: new Date(this.#parts.clock.now()).toISOString(),
      reason,
    })
  }

  async #drop(way: Way, drops: Deliveries['drop']): Promise<void> {
    for (const { notice, because } of drops) {
      const receiver = originOf(way.subscription?.spec.sink ?? notice.spec.callbackURL ?? '')
      const { of, sequence, phase } = notice.spec
      this.#parts.log[because === 'merged' ? 'debug' : 'warn']({ delivery: { of, sequence, phase, receiver }, because }, 'notice dropped')
      if (because !== 'horizon') continue
      if (way.subscription !== undefined) this.#parts.statuses.gaveUp(way.target, 1)
      await eventOn(this.#parts, { notice, sequence }, 'CallbackUndelivered', `${receiver} has not taken the change to ${phase}: given up`)
    }
    await Promise.all(drops.map(({ notice }) => this.#over.settle(notice, way.target)))
  }

  #cached(of: Holder): Resource | undefined {
    const cached = (this.#parts.caches as unknown as Partial<Record<string, { get(key: string): Resource | undefined }>>)[of.kind]?.get(
      keyOf(of),
    )
    return cached?.metadata.uid === of.uid ? cached : undefined
  }

  /** What is missing in the cache is looked up, as nothing is sent for an absence that a watch has only not caught up with. */
  async #live(of: Holder): Promise<Resource | undefined> {
    const kind = allKinds.find((each) => each === of.kind)
    if (kind === undefined) return undefined
    const found = await this.#parts.store.get({ kind, name: of.name, ...(of.namespace === undefined ? {} : { namespace: of.namespace }) })
    return found?.metadata.uid === of.uid ? found : undefined
  }
}

/** The place among events of the oldest of them; nobody reckons with it, so that a number will do. */
const oldestOf = (notices: readonly Notice[]): number => Math.min(...notices.map((notice) => Number(eventPosition(notice))))

const placeOf = ({ apart }: Way, url: string): BreakerTarget => (apart === undefined ? { url } : { url, apart })
