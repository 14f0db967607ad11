// Each write as the request that says no more than it means.
import {
  checkNamespace,
  type Draft,
  type Fence,
  type Preconditions,
  type StatusSections,
  type Write,
} from '../../../core/contracts/store.ts'
import { NotFound, Stale } from '../../../core/errors.ts'
import { pluralOf, refOf, type Kind, type OwnKind, type Ref, type Resource } from '../../../core/kinds/index.ts'
import type { PodCondition } from '../../../core/kinds/foreign.ts'
import { isAtFence, isAtPodFence } from '../../../core/plan/fence.ts'
import type { Clock } from '../../clock.ts'
import { absent, isStatus, ok, problemOf } from '../../kube/answers.ts'
import type { KubeResponse, KubeApi } from '../../kube/client.ts'
import { eventSeries } from '../../kube/events.ts'
import { bodyOf, collectionPath, objectPath, resourceOf } from '../../kube/objects.ts'
import { withFinalizer, withoutFinalizer } from './finalizers.ts'
import { patchGuarded, type Guarded, type Operation } from './guarded.ts'
import { atVersion, fencedChange } from './fenced.ts'
import { podFenceTests, podPatch, since } from './pods.ts'
import { fenceTests, hasFields, knowsStatus, sectionFields, statusPatch } from './status.ts'

const patchTypes = { json: 'application/json-patch+json', strategic: 'application/strategic-merge-patch+json' } as const

interface PatchOptions {
  readonly type: keyof typeof patchTypes
  readonly body: unknown
  readonly subresource?: 'status'
}

export interface KubeWritesOptions {
  readonly client: KubeApi
  readonly clock: Clock
  /** The object as last seen by a watch, if one is open: may be old. */
  readonly seen: <K extends Kind>(ref: Ref<K>) => Resource<K> | undefined
  /** The object as it is. */
  readonly get: <K extends Kind>(ref: Ref<K>) => Promise<Resource<K> | undefined>
}

type Finalizing = Omit<Extract<Write, { do: 'addFinalizer' | 'removeFinalizer' }>, 'do'>

// Strict: a field that the CRD does not know is refused, not dropped in silence.
const writing = { fieldManager: 'megrez', fieldValidation: 'Strict' }

export class KubeWrites {
  #options: KubeWritesOptions

  constructor(options: KubeWritesOptions) {
    this.#options = options
  }

  async create<K extends Kind>(draft: Draft<K>): Promise<Resource<K>> {
    checkNamespace(draft)
    const { kind, metadata } = draft
    const path = collectionPath(kind, metadata.namespace)
    const answer = await this.#options.client.ask({ verb: 'create', resource: pluralOf(kind), path, query: writing, body: bodyOf(draft) })
    return took(answer, { kind, ...metadata })
  }

  /** A JSON patch and no PUT: finalizers, status and whatever this version does not know stay as they are. */
  async update<K extends Kind>(item: Resource<K>): Promise<Resource<K>> {
    const { uid, resourceVersion, labels = {}, annotations = {}, ownerReferences = [] } = item.metadata
    const metadata = { uid, resourceVersion, labels, annotations, ownerReferences }
    const fields = Object.entries(fieldsOf(item))
    const body = [
      ...Object.entries(metadata).map(([field, value]) => ({ op: 'add', path: `/metadata/${field}`, value })),
      ...fields.map(([field, value]) => ({ op: 'add', path: `/${field}`, value })),
    ]
    const ref = refOf(item)
    return took(await this.#patch(ref, { type: 'json', body }), ref)
  }

  /**
   * A JSON patch on the status, of just the sections' fields. Not a merge patch: on the status of our kinds the API server
   * ignores metadata, and with it a UID given as precondition (tried on 1.34). Not server-side apply, for the same reason, and
   * because it keeps a record per section in every object.
   */
  async patchStatus<K extends OwnKind>(
    item: { readonly ref: Ref<K>; readonly uid: string; readonly resourceVersion?: string; readonly fence?: Fence },
    sections: StatusSections<K>,
  ): Promise<Resource<K>> {
    const { ref, uid, resourceVersion, fence } = item
    const fields = sectionFields(ref.kind, sections)
    const believed = this.#seen(ref, uid)
    if (believed !== undefined && believed.metadata.resourceVersion === resourceVersion && hasFields(believed.status, fields))
      return believed
    // A fence that knows of a field knows that there is a status, also where no watch has shown the object.
    const known = fence !== undefined && knowsStatus(fence) ? {} : undefined
    const change = (there: Resource<K> | undefined): readonly Operation[] => statusPatch(fields, there?.status ?? known)
    if (fence === undefined && resourceVersion === undefined) return this.#guarded({ ref, uid, believed, change }, 'status')
    const holds = (there: Resource): boolean => fence === undefined || isAtFence(there, fence)
    const tests = (there: Resource<K> | undefined): readonly Operation[] =>
      fence === undefined ? [] : fenceTests(fence, there?.status ?? known)
    return this.#guarded({ ref, uid, believed, change: fencedChange<K>({ ref, resourceVersion, holds, tests }, change) }, 'status')
  }

  /** @throws NotFound, Stale for another UID, Invalid while it is being deleted */
  async addFinalizer({ ref, uid, finalizer, resourceVersion }: Finalizing): Promise<void> {
    const seen = this.#seen(ref, uid)
    // That it is there is not believed, for it may have been taken off since.
    const believed = seen === undefined || seen.metadata.finalizers?.includes(finalizer) === true ? await this.#options.get(ref) : seen
    await this.#guarded({
      ref,
      uid,
      believed: believed?.metadata.uid === uid ? believed : undefined,
      change: atVersion(withFinalizer(finalizer), { ref, resourceVersion }),
    })
  }

  /** Absent object, other UID, absent finalizer: done. */
  async removeFinalizer({ ref, uid, finalizer, resourceVersion }: Finalizing): Promise<void> {
    const seen = this.#seen(ref, uid)
    const believed = seen?.metadata.finalizers?.includes(finalizer) === true ? seen : undefined
    try {
      await this.#guarded({ ref, uid, believed, change: atVersion(withoutFinalizer(finalizer), { ref, resourceVersion }) })
    } catch (err) {
      if (!(err instanceof NotFound || err instanceof Stale)) throw err
      if (resourceVersion !== undefined && (await this.#options.get(ref))?.metadata.uid === uid) throw err
    }
  }

  /**
   * Unfenced, a strategic merge: conditions are joined by their type, annotations by their name. No merge tests what stood there, so a
   * fenced one is a JSON patch.
   */
  async patchPodStatus({
    pod,
    uid,
    annotations,
    conditions = [],
    fence,
  }: Omit<Extract<Write, { do: 'patchPodStatus' }>, 'do'>): Promise<void> {
    const now = new Date(this.#options.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
    if (fence === undefined) {
      const timed = conditions.map((condition) => since(this.#options.seen(pod), condition, now))
      const body = { metadata: { uid, annotations }, ...(timed.length === 0 ? {} : { status: { conditions: timed } }) }
      took(await this.#patch(pod, { type: 'strategic', subresource: 'status', body }), pod)
      return
    }
    const believed = this.#seen(pod, uid) ?? (await this.#options.get(pod))
    const timed = (there: Resource<'Pod'> | undefined): readonly PodCondition[] =>
      conditions.map((condition) => since(there, condition, now))
    const tests = (there: Resource<'Pod'> | undefined): readonly Operation[] => podFenceTests(fence, there)
    const change = fencedChange<'Pod'>({ ref: pod, holds: (there) => isAtPodFence(there, fence), tests }, (there) =>
      podPatch({ annotations: annotations ?? {}, conditions: timed(there) }, there),
    )
    await this.#guarded({ ref: pod, uid, believed, change })
  }

  /** Only on the Service as it was read. */
  async patchServiceStatus({ ref, uid, resourceVersion, fields }: Omit<Extract<Write, { do: 'patchServiceStatus' }>, 'do'>): Promise<void> {
    const holds = (): boolean => true
    const change = fencedChange<'Service'>({ ref, resourceVersion, holds, tests: () => [] }, (there) =>
      statusPatch({ ...fields }, there === undefined ? {} : there.status),
    )
    await this.#guarded({ ref, uid, believed: this.#seen(ref, uid), change }, 'status')
  }

  async delete(ref: Ref, preconditions: Preconditions): Promise<Resource | undefined> {
    const answer = await this.#delete(ref, preconditions)
    if (!ok(answer)) throw problemOf(answer, ref)
    // A Status says that it is gone; an object says how it was, or that something keeps it.
    if (isStatus(answer.body)) return undefined
    const { metadata } = answer.body as { metadata: { finalizers?: readonly string[]; deletionGracePeriodSeconds?: number } }
    const kept = (metadata.finalizers ?? []).length > 0 || (metadata.deletionGracePeriodSeconds ?? 0) > 0
    return kept || ref.kind === 'Namespace' ? resourceOf(ref.kind, answer.body) : undefined
  }

  /** Absent is done, and another object of that name is not meant. */
  async deleteIfMeant(ref: Ref, preconditions: Preconditions): Promise<void> {
    const answer = await this.#delete(ref, preconditions)
    if (ok(answer) || absent(answer)) return
    const err = problemOf(answer, ref)
    if (!(err instanceof Stale) || preconditions.uid === undefined) throw err
    // Which of the preconditions failed is said in prose only.
    const there = await this.#options.get(ref)
    if (there?.metadata.uid === preconditions.uid) throw err
  }

  #delete(ref: Ref, preconditions: Preconditions): Promise<KubeResponse> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions, propagationPolicy: 'Background' }
    return this.#options.client.ask({ verb: 'delete', resource: pluralOf(ref.kind), path: objectPath(ref), body })
  }

  #seen<K extends Kind>(ref: Ref<K>, uid: string): Resource<K> | undefined {
    const item = this.#options.seen(ref)
    return item?.metadata.uid === uid ? item : undefined
  }

  /** Pods and Services through their status, which lets their metadata be changed: nobody of ours may patch what they ask for. */
  #guarded<K extends Kind>(
    guarded: Guarded<K>,
    subresource = guarded.ref.kind === 'Pod' || guarded.ref.kind === 'Service' ? ('status' as const) : undefined,
  ): Promise<Resource<K>> {
    return patchGuarded(guarded, {
      get: (ref) => this.#options.get(ref),
      patch: (ref, body) => this.#patch(ref, { type: 'json', body, ...(subresource === undefined ? {} : { subresource }) }),
    })
  }

  #patch(ref: Ref, { type, body, subresource }: PatchOptions): Promise<KubeResponse> {
    const resource = subresource === undefined ? pluralOf(ref.kind) : `${pluralOf(ref.kind)}/${subresource}`
    const path = subresource === undefined ? objectPath(ref) : `${objectPath(ref)}/${subresource}`
    return this.#options.client.ask({ verb: 'patch', resource, path, query: writing, body, contentType: patchTypes[type] })
  }
}

function took<K extends Kind>(answer: KubeResponse, ref: Ref<K>): Resource<K> {
  if (ok(answer)) return resourceOf(ref.kind, answer.body)
  throw problemOf(answer, ref)
}

/** What of an object is written where it stands in the API server's JSON; the types of Secrets and EndpointSlices are never others. */
function fieldsOf(item: Resource): object {
  if (item.kind === 'Event') return eventSeries((item as Resource<'Event'>).spec)
  if (item.kind === 'Secret') return { data: (item as Resource<'Secret'>).spec.data }
  if (item.kind !== 'EndpointSlice') return { spec: item.spec }
  const { endpoints, ports } = (item as Resource<'EndpointSlice'>).spec
  return { endpoints, ports }
}
