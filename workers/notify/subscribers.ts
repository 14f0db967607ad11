// A Subscription and how its sink knows us, by UID: from the cache, or from what was kept of one whose namespace has gone.
import { subscriptionLabel } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { Store } from '../../core/contracts/store.ts'
import { checkedOf, subscriptionKey, type Copied } from '../../core/plan/subscription.ts'
import type { Caches } from '../../platform/caches.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AccessMaker, Had } from './access.ts'

type Subscription = Resource<'Subscription'>

/** That there is nothing is believed for so long. */
const absentMs = 5_000

export interface SubscribersParts {
  readonly store: Store
  readonly caches: Caches
  readonly clock: Clock
  readonly access: AccessMaker
  /** Megrez's own, where copies are. */
  readonly namespace: string
}

export class Subscribers {
  readonly #parts: SubscribersParts
  /** Copies by name: what has a name never changes. */
  readonly #copies = new Map<string, Copied>()
  /** UIDs of copies that nobody needed when that was last looked at. */
  #unneeded: ReadonlySet<string> = new Set()
  readonly #ghosts = new Map<string, { readonly found: Subscription | undefined; readonly until: number }>()

  constructor(parts: SubscribersParts) {
    this.#parts = parts
  }

  async get(uid: string): Promise<Subscription | undefined> {
    for (const found of this.#parts.caches.Subscription.by('uid', uid)) return found
    return this.#ghost(uid)
  }

  /** @returns a receipt where there is no access to be had now */
  async accessTo(subscription: Subscription, signal: AbortSignal): Promise<Had> {
    const name = subscription.status?.credentials
    const copied = name === undefined ? undefined : await this.#copy(name)
    if (name === undefined || copied === undefined) return { receipt: { say: 'slow', reason: 'its credentials have not been copied yet' } }
    return this.#parts.access.of(subscription, copied, name, signal)
  }

  /** 401 and 403: a token may have been taken back. */
  refused({ status }: Subscription): void {
    if (status?.credentials !== undefined) this.#parts.access.refused(status.credentials)
  }

  /**
   * Copies of those that are gone, and that no Notice names any more: for the second time running, as a watch may be behind the
   * store that is listed. A Subscription that is new here, or the last Notice of one that is gone, is known by then.
   */
  async drained(isWaited: (uid: string) => boolean): Promise<readonly Resource<'Secret'>[]> {
    const { store, namespace, caches } = this.#parts
    const { items } = await store.list('Secret', { namespace, labels: subscriptionLabel })
    const unneeded = items.filter(({ metadata }) => {
      const uid = metadata.labels?.[subscriptionLabel] ?? ''
      return [...caches.Subscription.by('uid', uid)].length === 0 && !isWaited(uid)
    })
    const before = this.#unneeded
    this.#unneeded = new Set(unneeded.map(({ metadata }) => metadata.uid))
    return unneeded.filter(({ metadata }) => before.has(metadata.uid))
  }

  async #copy(name: string): Promise<Copied | undefined> {
    const known = this.#copies.get(name)
    if (known !== undefined) return known
    const { store, namespace } = this.#parts
    const copied = (await store.get({ kind: 'Secret', namespace, name }))?.spec.data
    if (copied !== undefined) this.#copies.set(name, copied)
    return copied
  }

  async #ghost(uid: string): Promise<Subscription | undefined> {
    const { store, namespace, clock } = this.#parts
    const known = this.#ghosts.get(uid)
    if (known !== undefined && (known.found !== undefined || known.until > clock.now())) return known.found
    const [copy] = (await store.list('Secret', { namespace, labels: `${subscriptionLabel}=${uid}` })).items
    const found = copy === undefined ? undefined : ghostIn(copy)
    this.#ghosts.set(uid, { found, until: clock.now() + absentMs })
    return found
  }

  /** @param isWaited whether a Notice still names it */
  forget(isWaited: (uid: string) => boolean): void {
    const named = new Set([...this.#parts.caches.Subscription.values()].map(({ status }) => status?.credentials))
    for (const name of this.#copies.keys()) if (!named.has(name)) this.#copies.delete(name)
    for (const uid of this.#ghosts.keys()) if (!isWaited(uid)) this.#ghosts.delete(uid)
  }
}

/** As it was when it was copied; it was verified, for it was told of changes. */
function ghostIn({ spec, metadata }: Resource<'Secret'>): Subscription | undefined {
  const text = spec.data[subscriptionKey]
  if (text === undefined) return undefined
  const kept = JSON.parse(Buffer.from(text, 'base64').toString()) as Subscription
  return { ...kept, status: { verified: checkedOf(kept), credentials: metadata.name } }
}
