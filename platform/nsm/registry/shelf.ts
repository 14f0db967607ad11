// Registrations in the store: made, replaced and taken away, each on what is there now.
import { nsmProblems } from '../../../core/admit/nsm/specs.ts'
import type { Store } from '../../../core/contracts/store.ts'
import { AlreadyExists, ChainRefused, Invalid, NotFound, Stale } from '../../../core/errors.ts'
import { keyOfItem, refOf, type Resource, type SpecOf } from '../../../core/kinds/index.ts'
import type { NsmKind } from '../../../core/kinds/foreign-network-services.ts'
import { nsmNameOf, nsmObjectName } from '../../../core/nsm/named.ts'
import { KeyedLock } from '../../order/keyed-lock.ts'
import type { Listing } from './listing.ts'

export interface ShelfOf<K extends NsmKind> {
  readonly kind: K
  /** Where registrations are kept. */
  readonly namespace: string
  readonly store: Pick<Store, 'get' | 'create' | 'update' | 'delete'>
  readonly listing: Listing<K>
}

/** What is to become of a registration, on what is there: the same object where it may stay as it is. */
export type Judged<K extends NsmKind> = (known: Resource<K> | undefined) => SpecOf<K>

/** Rivals are faster as often at the most. */
const tries = 8

/** One at a time of each name, in the order in which they came. */
export class Shelf<K extends NsmKind> {
  readonly #of: ShelfOf<K>
  readonly #order = new KeyedLock(Infinity)

  constructor(of: ShelfOf<K>) {
    this.#of = of
  }

  /**
   * @param judge asked anew where somebody was faster; what it throws is thrown
   * @returns what is told of it
   * @throws Invalid with the fields at fault, or as the store does
   */
  put(name: string, judge: Judged<K>, kept: (item: Resource<K>) => void = () => undefined): Promise<SpecOf<K>> {
    const { listing } = this.#of
    return this.#order.pass(name, async () => {
      const known = listing.named(this.#of.namespace, name)
      const spec = await listing.write(known === undefined ? this.#keyOf(name) : keyOfItem(known), async () => {
        const item = await this.#written(name, known, judge)
        kept(item)
        return item
      })
      return spec!
    })
  }

  /** Nothing where nothing of that name is there. @param judge throws where it may not be taken away */
  remove(name: string, judge: (known: Resource<K>) => void): Promise<void> {
    const { listing, namespace } = this.#of
    return this.#order.pass(name, async () => {
      const known = listing.named(namespace, name) ?? (await this.#live(name))
      if (known === undefined) return
      await listing.write(keyOfItem(known), () => this.#removed(known, judge))
    })
  }

  /** Takes away that very state of it; one that somebody has changed since stays. */
  async expire(item: Resource<K>): Promise<void> {
    const name = nsmNameOf(item)
    await this.#order
      .pass(name, async () => {
        const known = this.#of.listing.named(this.#of.namespace, name)
        if (known?.metadata.resourceVersion !== item.metadata.resourceVersion) return
        await this.#of.listing.write(keyOfItem(item), async () => {
          const { uid, resourceVersion } = item.metadata
          await this.#of.store.delete(refOf(item), { uid, resourceVersion })
          return undefined
        })
      })
      .catch((err: unknown) => {
        // Registered anew at another process just now.
        if (!isRival(err)) throw err
      })
  }

  #keyOf(name: string): string {
    return `${this.#of.namespace}/${nsmObjectName(name)}`
  }

  #live(name: string): Promise<Resource<K> | undefined> {
    const { store, kind, namespace } = this.#of
    return store.get({ kind, namespace, name: nsmObjectName(name) })
  }

  async #written(name: string, first: Resource<K> | undefined, judge: Judged<K>): Promise<Resource<K>> {
    let known = first
    for (let i = 0; i < tries; i++) {
      if (known !== undefined && nsmNameOf(known) !== name)
        throw new ChainRefused({ reason: `${known.kind} ${keyOfItem(known)} is in the way: to clients it is ${nsmNameOf(known)}` })
      const spec = judge(known)
      if (known !== undefined && spec === known.spec) return known
      check(this.#of.kind, spec)
      try {
        return await this.#write(name, known, spec)
      } catch (err) {
        if (!isRival(err)) throw err
        known = await (known === undefined ? this.#live(name) : this.#of.store.get(refOf(known)))
      }
    }
    throw new Stale({ kind: this.#of.kind, key: this.#keyOf(name) })
  }

  #write(name: string, known: Resource<K> | undefined, spec: SpecOf<K>): Promise<Resource<K>> {
    const { store, kind, namespace } = this.#of
    if (known !== undefined) return store.update({ ...known, spec })
    return store.create({ kind, metadata: { namespace, name: nsmObjectName(name) }, spec })
  }

  async #removed(first: Resource<K>, judge: (known: Resource<K>) => void): Promise<undefined> {
    let known: Resource<K> | undefined = first
    for (let i = 0; known !== undefined; i++) {
      judge(known)
      const { uid, resourceVersion } = known.metadata
      try {
        await this.#of.store.delete(refOf(known), { uid, resourceVersion })
        return
      } catch (err) {
        if (!isRival(err) || i >= tries) throw err
        known = await this.#of.store.get(refOf(known))
      }
    }
  }
}

const isRival = (err: unknown): boolean => err instanceof AlreadyExists || err instanceof Stale || err instanceof NotFound

/** Before it is stored: an object of our own writing passes admission. */
function check(kind: NsmKind, spec: unknown): void {
  const [first] = nsmProblems(kind, spec)
  if (first !== undefined) throw new Invalid({ reason: `${kind}${first.at}: ${first.message}`, at: first.at })
}
