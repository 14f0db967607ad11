// A Subscription and how its sink knows us, by UID: as it stands, or from what was kept of one whose namespace has gone.
import { subscriptionLabel } from '../../../core/kinds/annotations.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import type { Store } from '../../../core/contracts/store.ts'
import { checkedOf, subscriptionKey, type CopiedCredentials } from '../../../core/plan/notify/subscription.ts'
import type { Caches } from '../../../platform/cache/caches.ts'
import type { StoreAnswer } from '../../../core/plan/notify/deliveries.ts'
import { targetsLeft } from '../../../core/plan/notify/targets.ts'
import type { LiveSubscriptions } from '../live-subscriptions.ts'
import type { AccessMaker, HeldAccess } from '../send/access-token.ts'

type Subscription = Resource<'Subscription'>

/** A Subscription, or that there is none, and who says so. */
export interface FoundSubscriber {
  readonly by: StoreAnswer
  readonly subscription: Subscription | undefined
}

export interface SubscribersParts {
  readonly store: Store
  readonly caches: Caches
  readonly live: LiveSubscriptions
  readonly access: AccessMaker
  /** Megrez's own, where copies are. */
  readonly namespace: string
}

export class Subscribers {
  readonly #parts: SubscribersParts
  /** Copies by name: what has a name never changes. */
  readonly #copies = new Map<string, CopiedCredentials>()
  /** UIDs of copies that nobody needed when that was last looked at: what is new is not asked about yet. */
  #unneeded: ReadonlySet<string> = new Set()
  /** Those that are gone, by the store's word: as they were kept, or undefined. No UID comes back, so that stays true. */
  readonly #ghosts = new Map<string, Subscription | undefined>()

  constructor(parts: SubscribersParts) {
    this.#parts = parts
  }

  /** As far as is known here. */
  get(uid: string): FoundSubscriber {
    const known = this.#parts.live.get(uid)
    if (known !== undefined) return { by: 'cache', subscription: known }
    return this.#ghosts.has(uid) ? { by: 'store', subscription: this.#ghosts.get(uid) } : { by: 'cache', subscription: undefined }
  }

  /** By the store's word. @param uid one that a Notice names: it was there before the Notice was, so one that is not there now has gone */
  async ask(uid: string): Promise<FoundSubscriber> {
    const subscription = (await this.#parts.live.list()).get(uid) ?? (await this.#ghost(uid))
    return { by: 'store', subscription }
  }

  /** @returns a receipt where there is no access to be had now */
  async accessTo(subscription: Subscription, signal: AbortSignal): Promise<HeldAccess> {
    const name = subscription.status?.credentials
    const copied = name === undefined ? undefined : await this.#copy(name)
    if (name === undefined || copied === undefined) return { receipt: { kind: 'slow', reason: 'its credentials have not been copied yet' } }
    return this.#parts.access.of(subscription, copied, name, signal)
  }

  /** 401 and 403: a token may have been taken back. */
  refused({ status }: Subscription): void {
    if (status?.credentials !== undefined) this.#parts.access.refused(status.credentials)
  }

  /** Copies of those that are gone, and that no Notice names any more. Caches say where it is worth asking, the store whether it is so. */
  async drained(isWaited: (uid: string) => boolean): Promise<readonly Resource<'Secret'>[]> {
    const { store, namespace, live } = this.#parts
    const { items } = await store.list('Secret', { namespace, labels: subscriptionLabel })
    const unneeded = items.filter((copy) => live.get(ofCopy(copy)) === undefined && !isWaited(ofCopy(copy)))
    const before = this.#unneeded
    this.#unneeded = new Set(unneeded.map(({ metadata }) => metadata.uid))
    const twice = unneeded.filter(({ metadata }) => before.has(metadata.uid))
    if (twice.length === 0) return []
    const there = await live.list()
    const waited = new Set((await store.list('Notice', { namespace })).items.flatMap(targetsLeft))
    return twice.filter((copy) => !there.has(ofCopy(copy)) && !waited.has(ofCopy(copy)))
  }

  async #copy(name: string): Promise<CopiedCredentials | undefined> {
    const known = this.#copies.get(name)
    if (known !== undefined) return known
    const { store, namespace } = this.#parts
    const copied = (await store.get({ kind: 'Secret', namespace, name }))?.spec.data
    if (copied !== undefined) this.#copies.set(name, copied)
    return copied
  }

  async #ghost(uid: string): Promise<Subscription | undefined> {
    if (this.#ghosts.has(uid)) return this.#ghosts.get(uid)
    const { store, namespace } = this.#parts
    const [copy] = (await store.list('Secret', { namespace, labels: `${subscriptionLabel}=${uid}` })).items
    const found = copy === undefined ? undefined : ghostIn(copy)
    this.#ghosts.set(uid, found)
    return found
  }

  /** @param isWaited whether a Notice still names it */
  forget(isWaited: (uid: string) => boolean): void {
    const named = new Set([...this.#parts.caches.Subscription.values()].map(({ status }) => status?.credentials))
    for (const name of this.#copies.keys()) if (!named.has(name)) this.#copies.delete(name)
    for (const uid of this.#ghosts.keys()) if (!isWaited(uid)) this.#ghosts.delete(uid)
  }
}

const ofCopy = ({ metadata }: Resource<'Secret'>): string => metadata.labels?.[subscriptionLabel] ?? ''

/**
 * As it was when it was copied; it was verified, for it was told of changes. One that was paused is told of nothing more: nobody can resume
 * it.
 */
function ghostIn({ spec, metadata }: Resource<'Secret'>): Subscription | undefined {
  const text = spec.data[subscriptionKey]
  if (text === undefined) return undefined
  const kept = JSON.parse(Buffer.from(text, 'base64').toString()) as Subscription
  if (kept.spec.paused === true) return undefined
  return { ...kept, status: { verified: checkedOf(kept), credentials: metadata.name } }
}
