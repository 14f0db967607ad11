// What changes seldom and is not watched by every node: Subnets, Vpcs and Namespaces are asked for when a Port needs them, and
// kept a while. Where the store does not answer, what was heard last counts.
import type { Store } from '../../core/contracts/store.ts'
import { MegrezError } from '../../core/errors.ts'
import { keyOf, refFromKey, type Resource } from '../../core/kinds/index.ts'
import type { Clock } from '../../platform/clock.ts'

type Seldom = 'Subnet' | 'Vpc' | 'Namespace'

interface CachedValue<T> {
  readonly value: T
  /** By the clock that is never set back. */
  readonly at: number
}

/** How long an answer counts without being asked for anew. */
const keepMs = 30_000

export class ObjectCache {
  readonly #store: Store
  readonly #clock: Clock
  readonly #heard = new Map<string, CachedValue<unknown>>()
  readonly #pending = new Map<string, Promise<unknown>>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** @param key `namespace/name`, or `name` of a Namespace */
  get<K extends Seldom>(kind: K, key: string): Promise<Resource<K> | undefined> {
    return this.#ask(`${kind} ${key}`, () => this.#store.get(refFromKey(kind, key)))
  }

  /** All Subnets of a namespace. */
  async subnetsIn(namespace: string): Promise<readonly Resource<'Subnet'>[]> {
    return this.#ask(`Subnets of ${namespace}`, async () => {
      const { items } = await this.#store.list('Subnet', { namespace })
      for (const item of items) this.#heard.set(`Subnet ${keyOf(item.metadata)}`, { value: item, at: this.#clock.elapsed() })
      return items
    })
  }

  /** What was heard is too old for whoever misses something in it. */
  forget(): void {
    for (const [key, { value }] of this.#heard) this.#heard.set(key, { value, at: -Infinity })
  }

  async #ask<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const cached = this.#heard.get(key) as CachedValue<T> | undefined
    if (cached !== undefined && cached.value !== undefined && this.#clock.elapsed() - cached.at < keepMs) return cached.value
    const pending = (this.#pending.get(key) as Promise<T> | undefined) ?? this.#begin(key, ask)
    try {
      return await pending
    } catch (err) {
      if (cached !== undefined && err instanceof MegrezError && err.policy.retry === 'later') return cached.value
      throw err
    }
  }

  /** One at a time: who comes while it is asked gets the same answer. */
  #begin<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const pending = ask()
      .then((value) => {
        this.#heard.set(key, { value, at: this.#clock.elapsed() })
        return value
      })
      .finally(() => this.#pending.delete(key))
    this.#pending.set(key, pending)
    return pending
  }
}
