// Objects of this node's VNIs as they are now, of a kind of which a VNI has few: what one of them comes to say holds for Ports that are
// there already. Of Subnets those too that no Port here is in.
import type { Store } from '../../core/contracts/store.ts'
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { ListedKeys } from './listed-keys.ts'
import { VniWatches } from './vni-watches.ts'

type Few = 'Subnet' | 'VpcPeering' | 'SegmentLock' | 'Vpc'

export interface VniObjectsDeps<K extends Few> {
  readonly store: Store
  readonly kind: K
  /** What is known of a VNI is other than before. */
  readonly onChange: (vni: number) => void
  /** A VNI has told all it knows. */
  readonly onSynced: (vni: number) => void
}

export class VniObjects<K extends Few> {
  readonly #watches: VniWatches<K>
  /** VNI → objects by key. */
  readonly #objects = new Map<number, Map<string, Resource<K>>>()
  readonly #listed = new ListedKeys()

  constructor({ store, kind, onChange, onSynced }: VniObjectsDeps<K>) {
    this.#watches = new VniWatches(store, {
      kind,
      begin: (vni) => this.#listed.begin(vni),
      listed: (vni, item) => {
        this.#listed.add(vni, keyOfItem(item))
        this.#of(vni).set(keyOfItem(item), item)
      },
      ended: (vni) => {
        for (const key of this.#listed.missing(vni, this.#of(vni).keys())) this.#of(vni).delete(key)
        onChange(vni)
      },
      put: (vni, item) => {
        this.#of(vni).set(keyOfItem(item), item)
        onChange(vni)
      },
      gone: (vni, item) => {
        this.#of(vni).delete(keyOfItem(item))
        onChange(vni)
      },
      left: (vni) => {
        this.#listed.drop(vni)
        this.#objects.delete(vni)
      },
      synced: onSynced,
    })
  }

  get synced(): boolean {
    return this.#watches.synced
  }

  /** @param hosted VNI → namespace of its Vpc, undefined of a kind that is in none; watches of others end */
  follow(hosted: ReadonlyMap<number, string | undefined>): void {
    this.#watches.follow(hosted)
  }

  get(vni: number, key: string): Resource<K> | undefined {
    return this.#objects.get(vni)?.get(key)
  }

  of(vni: number): Iterable<Resource<K>> {
    return this.#objects.get(vni)?.values() ?? []
  }

  /** Resolves once all of a VNI is known, or the signal falls. */
  known(vni: number, signal: AbortSignal): Promise<void> {
    return this.#watches.known(vni, signal)
  }

  stop(): void {
    this.#watches.stop()
  }

  #of(vni: number): Map<string, Resource<K>> {
    const there = this.#objects.get(vni) ?? new Map<string, Resource<K>>()
    this.#objects.set(vni, there)
    return there
  }
}
