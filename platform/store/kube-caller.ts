// The store as another account reads and writes it. A denial by RBAC is then the caller's error (Forbidden), and no fault of ours.
import type { WatchEvent, Draft, Fence, Page, Preconditions, StatusSections, Store, Within, Write } from '../../core/contracts/store.ts'
import { Forbidden } from '../../core/errors.ts'
import type { Kind, OwnKind, Ref, Resource } from '../../core/kinds/index.ts'
import { RbacDenied } from '../kube/answers.ts'

function asForbidden(err: unknown): never {
  throw err instanceof RbacDenied ? new Forbidden({ cause: err }) : err
}

/** Errors: those of a Store, and Forbidden. */
export class CallerStore implements Store {
  #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  get<K extends Kind>(ref: Ref<K>): Promise<Resource<K> | undefined> {
    return this.#store.get(ref).catch(asForbidden)
  }

  list<K extends Kind>(kind: K, within?: Within & { readonly limit?: number; readonly continue?: string }): Promise<Page<K>> {
    return this.#store.list(kind, within).catch(asForbidden)
  }

  /** Ends with Forbidden when the caller may not watch, or may no longer. */
  async *watch<K extends Kind>(
    kind: K,
    within: Within & { readonly from?: string },
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<K>, void, undefined> {
    try {
      yield* this.#store.watch(kind, within, signal)
    } catch (err) {
      asForbidden(err)
    }
  }

  create<K extends Kind>(draft: Draft<K>): Promise<Resource<K>> {
    return this.#store.create(draft).catch(asForbidden)
  }

  update<K extends Kind>(item: Resource<K>): Promise<Resource<K>> {
    return this.#store.update(item).catch(asForbidden)
  }

  delete(ref: Ref, preconditions?: Preconditions): Promise<Resource | undefined> {
    return this.#store.delete(ref, preconditions).catch(asForbidden)
  }

  patchStatus<K extends OwnKind>(
    item: { readonly ref: Ref<K>; readonly uid: string; readonly resourceVersion?: string; readonly fence?: Fence },
    sections: StatusSections<K>,
  ): Promise<Resource<K>> {
    return this.#store.patchStatus(item, sections).catch(asForbidden)
  }

  commit(writes: readonly Write[]): Promise<void> {
    return this.#store.commit(writes).catch(asForbidden)
  }

  /** The connections belong to the store that this one was made from. */
  async close(): Promise<void> {}
}
