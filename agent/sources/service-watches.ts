// Service addresses in the VNIs of this node, wherever the Services are: whoever may use a Vpc has them in a namespace of their own.
import type { Store } from '../../core/contracts/store.ts'
import { keyOf } from '../../core/kinds/index.ts'
import { serviceAddressPiece } from '../../core/pieces/service-address.ts'
import { nodeServiceOf } from '../../core/plan/node/service.ts'
import type { Pieces } from '../pieces/pieces.ts'
import { ListedKeys } from './listed-keys.ts'
import { VniWatches } from './vni-watches.ts'

export interface ServiceWatchDeps {
  readonly store: Store
  readonly node: string
  readonly pieces: Pieces
  /** A VNI has told all it knows. */
  readonly onSynced: (vni: number) => void
}

export class ServiceWatches {
  readonly #watches: VniWatches<'ServiceAddress'>
  readonly #pieces: Pieces
  readonly #listed = new ListedKeys()

  constructor({ store, node, pieces, onSynced }: ServiceWatchDeps) {
    this.#pieces = pieces
    const set = (key: string, piece: ReturnType<typeof nodeServiceOf>): void => pieces.set(serviceAddressPiece, key, piece)
    this.#watches = new VniWatches(store, {
      kind: 'ServiceAddress',
      begin: (vni) => this.#listed.begin(vni),
      listed: (vni, item) => {
        this.#listed.add(vni, keyOf(item.metadata))
        set(keyOf(item.metadata), nodeServiceOf(item, node))
      },
      ended: (vni) => {
        for (const key of this.#listed.missing(vni, this.#keysOf(vni))) set(key, undefined)
      },
      put: (_, item) => set(keyOf(item.metadata), nodeServiceOf(item, node)),
      gone: (_, { metadata }) => set(keyOf(metadata), undefined),
      left: (vni) => {
        this.#listed.drop(vni)
        for (const key of this.#keysOf(vni)) set(key, undefined)
      },
      synced: onSynced,
    })
  }

  get synced(): boolean {
    return this.#watches.synced
  }

  /** @param hosted VNIs of this node; watches of others end */
  follow(hosted: Iterable<number>): void {
    this.#watches.follow(new Map([...hosted].map((vni) => [vni, undefined])))
  }

  /** Resolves once all service addresses of a VNI are known, or the signal falls. */
  known(vni: number, signal: AbortSignal): Promise<void> {
    return this.#watches.known(vni, signal)
  }

  stop(): void {
    this.#watches.stop()
  }

  #keysOf(vni: number): readonly string[] {
    const services = [...this.#pieces.of(serviceAddressPiece).values()]
    return services.flatMap((each) => (each.vni === vni ? [serviceAddressPiece.key(each)] : []))
  }
}
