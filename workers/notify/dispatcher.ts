// From Notices to receivers. The queue carries the UID of an object, so one of its Notices at a time is under way; what is
// sent is read from the store, so a queue that is flushed loses nothing.
import type { Notifier, Receipt } from '../../core/contracts/notifier.ts'
import type { Store } from '../../core/contracts/store.ts'
import { allKinds, keyOf, refOf, type Kind, type Resource } from '../../core/kinds/index.ts'
import type { Holder } from '../../core/kinds/meta.ts'
import { hash80 } from '../../core/net/names.ts'
import { planDeliveries, type Deliveries, type Sendable } from '../../core/plan/deliveries.ts'
import { eventOf } from '../../core/plan/events.ts'
import type { Caches } from '../../platform/caches.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { Acknowledgements } from './acknowledge.ts'
import { Gates } from './gates.ts'
import { Tries, type Retry } from './tries.ts'

export interface DispatcherParts {
  readonly store: Store
  readonly caches: Caches
  readonly notifier: Notifier
  readonly clock: Clock
  readonly log: Log
  /** In [0, 1). */
  readonly random: () => number
  readonly horizonMs: number
  readonly retry: Retry
  /** Asks for a look at an object, by UID. */
  readonly wake: (uid: string) => void
}

export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #over: Acknowledgements
  readonly #gates: Gates
  readonly #tries: Tries

  constructor(parts: DispatcherParts) {
    this.#parts = parts
    this.#over = new Acknowledgements(parts.store)
    this.#gates = new Gates(parts.retry, parts.wake)
    this.#tries = new Tries(parts.retry, parts.random)
  }

  /** A Notice has gone from the store. */
  forget(notice: Resource<'Notice'>): void {
    this.#over.forget(notice)
  }

  /** One look at one object: at most one notice is sent. */
  async look(uid: string, signal: AbortSignal): Promise<number | undefined> {
    const { caches, clock } = this.#parts
    const all = [...caches.Notice.by('of', uid)]
    await Promise.all(all.filter((notice) => this.#over.isToDelete(notice)).map((notice) => this.#over.settle(notice)))
    const left = all.filter((notice) => !this.#over.isOver(notice))
    const [first] = left
    if (first === undefined) {
      this.#tries.forget(uid)
      return undefined
    }
    const live = await this.#live(first.spec.of)
    const failing = (url: string): boolean => this.#tries.failures(uid) > 0 || this.#gates.failing(url)
    const plan = planDeliveries(left, live, { horizonMs: this.#parts.horizonMs, failing }, clock.now())
    await this.#drop(plan.drop)
    return plan.send === undefined ? undefined : await this.#sendNext(uid, plan.send, { reached: left.filter((notice) => !plan.waiting.includes(notice)), signal })
  }

  async #sendNext(uid: string, next: Sendable, { reached, signal }: { readonly reached: readonly Resource<'Notice'>[]; readonly signal: AbortSignal }): Promise<number | undefined> {
    const { store, clock, random } = this.#parts
    const waitMs = this.#tries.waitMs(uid, clock.now())
    if (waitMs > 0) return waitMs
    // Another dispatcher may have sent it, and our watch be behind: its news will wake us.
    const now = await store.get(refOf(next.notice))
    if (now?.metadata.resourceVersion !== next.notice.metadata.resourceVersion) return undefined
    const askAgainMs = this.#gates.enter(next.url, uid, clock.now())
    if (askAgainMs !== undefined) return askAgainMs
    let receipt: Receipt | undefined
    try {
      const said = await this.#parts.notifier.send({ id: deliveryId(next), url: next.url, sequence: next.sequence, phase: next.phase, body: JSON.stringify(next.object) }, signal)
      // Ended by us: nothing is known, and at the next look it is sent again.
      if (said.say === 'accepted' || !signal.aborted) receipt = said
    } finally {
      this.#gates.leave(next.url, receipt, clock.now(), random())
    }
    return receipt === undefined ? undefined : await this.#judge(uid, next, { receipt, reached })
  }

  async #judge(uid: string, next: Sendable, { receipt, reached }: { readonly receipt: Receipt; readonly reached: readonly Resource<'Notice'>[] }): Promise<number | undefined> {
    const { log, clock } = this.#parts
    const delivery = { of: next.notice.spec.of, sequence: next.sequence, phase: next.phase, receiver: originOf(next.url) }
    if (receipt.say === 'accepted') {
      this.#tries.forget(uid)
      // Before the next is sent, so that a crash repeats the last one at most and never sends an older after a newer.
      await this.#over.settle(next.notice)
      log.debug({ delivery, status: receipt.status }, 'notice delivered')
      return reached.length > 1 ? 0 : undefined
    }
    if (receipt.say === 'refused' && receipt.status === 410) {
      this.#tries.forget(uid)
      log.warn({ delivery, dropped: reached.length }, 'receiver is gone for good, its notices are dropped')
      await this.#tell(next, 'CallbackGone', `${delivery.receiver} answered 410: ${reached.length} notices dropped`)
      await Promise.all(reached.map((notice) => this.#over.settle(notice)))
      return undefined
    }
    const retryMs = this.#tries.failed(uid, receipt, clock.now())
    log.warn({ delivery, receipt, attempt: this.#tries.failures(uid), retryMs }, 'notice not delivered')
    if (receipt.say === 'forbidden') await this.#tell(next, 'CallbackForbidden', `${delivery.receiver}: ${receipt.reason}`)
    return retryMs
  }

  async #drop(drops: Deliveries['drop']): Promise<void> {
    for (const { notice, because } of drops) {
      const delivery = { of: notice.spec.of, sequence: notice.spec.sequence, phase: notice.spec.phase, receiver: originOf(notice.spec.callbackURL) }
      this.#parts.log.warn({ delivery, because }, 'notice dropped')
      if (because === 'horizon') await this.#tell({ notice, sequence: notice.spec.sequence }, 'CallbackUndelivered', `${delivery.receiver} has not taken the change to ${delivery.phase}: given up`)
    }
    await Promise.all(drops.map(({ notice }) => this.#over.settle(notice)))
  }

  /** From the cache; what is missing there is looked up, as nothing is sent for an absence that a watch has only not caught up with. */
  async #live(of: Holder): Promise<Resource | undefined> {
    const { caches, store } = this.#parts
    const kind = allKinds.find((each) => each === of.kind)
    if (kind === undefined) return undefined
    const cached = (caches as Partial<Record<Kind, { get(key: string): Resource | undefined }>>)[kind]?.get(keyOf(of))
    const found = cached?.metadata.uid === of.uid ? cached : await store.get({ kind, name: of.name, ...(of.namespace === undefined ? {} : { namespace: of.namespace }) })
    return found?.metadata.uid === of.uid ? found : undefined
  }

  /** An Event on the object; where none can be written (its namespace is going), the log has said it. */
  async #tell({ notice, sequence }: Pick<Sendable, 'notice' | 'sequence'>, reason: string, note: string): Promise<void> {
    const { store, clock, log } = this.#parts
    try {
      await store.commit([eventOf(notice.spec.object as Resource, { type: 'Warning', reason, note, sequence }, clock.now())])
    } catch (problem) {
      log.debug({ of: notice.spec.of, reason, err: problem }, 'event not written')
    }
  }
}

/** A replaced Notice is another event; the same one to another receiver is another delivery. */
function deliveryId({ notice, phase, url }: Sendable): string {
  return `msg_${hash80('delivery', notice.metadata.name, phase, url)}`
}

/** Paths and queries may hold secrets of the receiver's. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'not a URL')
