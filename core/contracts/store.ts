// Where truth is. Two implementations (platform/store), one suite (test/laws/store.ts).
import { Invalid } from '../errors.ts'
import { scopeOf, type Foreign, type Kind, type OwnKind, type Ref, type Resource, type SpecOf, type StatusOf } from '../kinds/index.ts'
import type { Meta } from '../kinds/meta.ts'
import type { PodCondition } from '../kinds/foreign.ts'
import type { ServiceStatus } from '../kinds/foreign-services.ts'

/** Which objects of a kind. All given parts must hold. */
export interface Within {
  readonly namespace?: string
  /** A label selector as kubectl takes it: `a=b,c!=d,e in (f,g),h,!i`. */
  readonly labels?: string
  /** Path → value, for `.metadata.name`, `.metadata.namespace` and the kind's `selectable` paths. */
  readonly fields?: Readonly<Record<string, string>>
}
export interface Page<K extends Kind> {
  /** In order of namespace, then name. */
  readonly items: readonly Resource<K>[]
  /** Where a watch goes on from. */
  readonly resourceVersion: string
  /** Opaque; given back to get the next page of the same listing. */
  readonly continue?: string
}

export type WatchEvent<K extends Kind> =
  /** First, and again after every gap: everything there is. */
  | { readonly type: 'all'; readonly items: readonly Resource<K>[]; readonly resourceVersion: string }
  | { readonly type: 'put'; readonly item: Resource<K> }
  /** The last known state; its resourceVersion is that of the deletion. Also sent when an object leaves the selection. */
  | { readonly type: 'gone'; readonly item: Resource<K> }
  /** Nothing of ours changed up to here. */
  | { readonly type: 'mark'; readonly resourceVersion: string }

/** A watch of very many objects: what `all` would say comes in parts, which nobody has to keep. */
export type Parted<K extends Kind> =
  | Exclude<WatchEvent<K>, { readonly type: 'all' }>
  /** Everything there is follows. What began before and has not ended is void. */
  | { readonly type: 'begin' }
  | { readonly type: 'part'; readonly items: readonly Resource<K>[] }
  /** What was in no part since `begin` is gone. */
  | { readonly type: 'end'; readonly resourceVersion: string }

/** An object before it is stored. `uid` is honoured only where this store gives out identities (identify). */
export interface Draft<K extends Kind = Kind> {
  readonly kind: K
  readonly metadata: Partial<Omit<Meta, 'name'>> & { readonly name: string }
  readonly spec: SpecOf<K>
}

export interface Preconditions {
  readonly uid?: string
  readonly resourceVersion?: string
}

/** What a report was planned from; what is undefined was absent. Where the stored object differs in any of it nothing is written: Stale. */
export interface Fence {
  /** Undefined: whichever, for what was learned outside and stays true; `observedGeneration` says of which it was learned. */
  readonly generation: number | undefined
  readonly deletionTimestamp: string | undefined
  /** `status.sequence`. */
  readonly sequence: number | undefined
  /** Of the status: the fields of the report's own sections. Those of other writers may change meanwhile. */
  readonly fields: Readonly<Record<string, unknown>>
}
/** The same of a pod, whose report stands in annotations of ours. Its generation is no part of it: API servers before 1.33 count none. */
export interface PodFence {
  readonly deletionTimestamp: string | undefined
  readonly annotations: Readonly<Record<string, string | undefined>>
}

/** The sections of a status that one writer writes at once: section → its fields, whole; a field left out is removed. */
export type StatusSections<K extends OwnKind> = { readonly [section: string]: Partial<StatusOf<K>> }

/** @throws Invalid where a draft names no namespace and its kind is in one */
export function checkNamespace({ kind, metadata: { namespace = '', name } }: Draft): void {
  if (namespace === '' && scopeOf(kind) === 'Namespaced') throw new Invalid({ reason: `${kind} ${name} has to be in a namespace` })
}

/** Stands for the UID of an object that an earlier write of the same commit has created. */
export const createdHere = ''

export type Write =
  /** AlreadyExists when there; NamespaceTerminating in a namespace that is going. */
  | { readonly do: 'create'; readonly draft: Draft }
  /** Spec, labels, annotations and owners as given; status and finalizers as stored. Stale unless uid and resourceVersion match. */
  | { readonly do: 'update'; readonly item: Resource }
  /** Only the named sections change; nothing is written when nothing would. With a fence or a version only if all of it holds. */
  | {
      readonly do: 'patchStatus'
      readonly ref: Ref<OwnKind>
      readonly uid: string
      readonly sections: { readonly [section: string]: object }
      readonly resourceVersion?: string
      readonly fence?: Fence
    }
  /** Our report about a pod, through pods/status: annotations of ours and one condition each. */
  | {
      readonly do: 'patchPodStatus'
      readonly pod: Ref<'Pod'>
      readonly uid: string
      readonly annotations?: Readonly<Record<string, string | null>>
      readonly conditions?: readonly PodCondition[]
      readonly fence?: PodFence
    }
  /** What of a Service's status is ours to say, each field whole; one that is undefined is removed. Stale unless uid and version match. */
  | {
      readonly do: 'patchServiceStatus'
      readonly ref: Ref<'Service'>
      readonly uid: string
      readonly resourceVersion: string
      readonly fields: { readonly [F in 'loadBalancer' | 'conditions']: ServiceStatus[F] | undefined }
    }
  /** Adding one that is there, and removing one that is not, is done. With a version, else only on the object as it was read. */
  | {
      readonly do: 'addFinalizer' | 'removeFinalizer'
      readonly ref: Ref
      readonly uid: string
      readonly finalizer: string
      readonly resourceVersion?: string
    }
  /** Absent is done; with preconditions, another object of that name is left alone (also done), a newer version is Stale. */
  | { readonly do: 'delete'; readonly ref: Ref; readonly preconditions?: Preconditions }

/**
 * Promises:
 * 1 create is a lock: of any number of creates of one name exactly one succeeds;
 * 2 a write with a stale precondition changes nothing; a fence is one, and what other writers do beside it is none;
 * 3 an acknowledged write survives kill -9;
 * 4 a watch gives every state reached, in order per object, or `all` after a gap; it ends only by its signal;
 * 5 an object with finalizers is deleted when the last one goes, and not before;
 * 6 `commit` is in order; in sqlite all or nothing; in kube it stops at the first refusal and may be cut off anywhere, so
 *   whoever composes writes puts locks before the things that rely on them;
 * 7 a status write changes no generation, a spec write does; neither changes anything when nothing differs.
 * Errors: NotFound, AlreadyExists, Stale, NamespaceTerminating, Invalid, StoreUnavailable.
 */
export interface Store {
  get<K extends Kind>(ref: Ref<K>): Promise<Resource<K> | undefined>
  list<K extends Kind>(kind: K, within?: Within & { readonly limit?: number; readonly continue?: string }): Promise<Page<K>>
  /** `from`: a resourceVersion; the first `all` is left out where the changes since then are still kept. */
  watch<K extends Kind>(kind: K, within: Within & { readonly from?: string }, signal: AbortSignal): AsyncIterable<WatchEvent<K>>

  /** As `watch`; absent where nobody has so many objects that it would matter. */
  watchParts?<K extends Kind>(kind: K, within: Within, signal: AbortSignal): AsyncIterable<Parted<K>>

  create<K extends Kind>(draft: Draft<K>): Promise<Resource<K>>
  update<K extends Kind>(item: Resource<K>): Promise<Resource<K>>
  /** Unlike the Write of that name, throws Stale for another UID. Returns the object while finalizers keep it. */
  delete(ref: Ref, preconditions?: Preconditions): Promise<Resource | undefined>
  patchStatus<K extends OwnKind>(
    item: { readonly ref: Ref<K>; readonly uid: string; readonly resourceVersion?: string; readonly fence?: Fence },
    sections: StatusSections<K>,
  ): Promise<Resource<K>>
  commit(writes: readonly Write[]): Promise<void>
  close(): Promise<void>
}

/** Where pods are posted to us, name and UID are known before the pod is stored, as in a real API server. */
export interface IdentityGiver {
  identify<K extends keyof Foreign | OwnKind>(draft: Draft<K>): Draft<K>
}
