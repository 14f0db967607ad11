// What a write does to the objects there are, without knowing where they are kept. The rules are the API server's.
import { AlreadyExists, Invalid, NamespaceTerminating, NotFound, Stale } from '../../core/errors.ts'
import { checkNamespace, createdHere, type Draft, type Preconditions, type Write } from '../../core/contracts/store.ts'
import {
  apiVersionOf,
  definitionOf,
  keyOf,
  type Foreign,
  type Kind,
  type OwnKind,
  type Ref,
  type Resource,
} from '../../core/kinds/index.ts'
import type { Meta } from '../../core/kinds/meta.ts'
import type { PodCondition } from '../../core/kinds/foreign.ts'
import { isAtFence, isAtPodFence } from '../../core/plan/fence.ts'
import { sameJson } from '../../core/same-json.ts'

/** The objects as the writes before this one have left them. */
export interface View {
  get<K extends Kind>(kind: K, key: string): Resource<K> | undefined
}
/** What apply needs from outside: a new UID, the time as text. */
export interface Giver {
  uid(): string
  now(): string
}
/** One object's step; `after` absent: deleted. The resourceVersion of `after` is still to be given. */
export interface Effect {
  readonly key: string
  readonly before: Resource | undefined
  readonly after: Resource | undefined
}

/** The finalizer that keeps a Namespace until everything in it is gone. */
export const namespaceFinalizer = 'kubernetes'

/**
 * The effect of one write, or undefined when there is nothing to do.
 *
 * @throws AlreadyExists, NamespaceTerminating, NotFound, Stale, Invalid
 */
export function applyWrite(write: Write, view: View, giver: Giver): Effect | undefined {
  switch (write.do) {
    case 'create':
      return create(write.draft, view, giver)
    case 'update':
      return update(write.item, view)
    case 'patchStatus':
      return patchStatus(write, view)
    case 'patchPodStatus':
      return patchPodStatus(write, view, giver)
    case 'patchServiceStatus':
      return patchServiceStatus(write, view)
    case 'addFinalizer':
      return addFinalizer(write, view)
    case 'removeFinalizer':
      return removeFinalizer(write, view)
    case 'delete':
      return remove(write.ref, write.preconditions ?? {}, view, giver)
  }
}

function create(draft: Draft, view: View, giver: Giver): Effect {
  checkNamespace(draft)
  const { metadata, kind } = draft
  const key = keyOf(metadata)
  if (view.get(kind, key) !== undefined) throw new AlreadyExists({ kind, key })
  const { namespace } = metadata
  if (namespace !== undefined && view.get('Namespace', namespace)?.metadata.deletionTimestamp !== undefined)
    throw new NamespaceTerminating({ namespace })
  const meta: Meta = { ...metadata, uid: metadata.uid ?? giver.uid(), resourceVersion: '', generation: 1, creationTimestamp: giver.now() }
  const born = kind === 'Namespace' ? { ...meta, finalizers: [...(meta.finalizers ?? []), namespaceFinalizer] } : meta
  const status = kind === 'Pod' ? { status: { phase: 'Pending' } as Foreign['Pod']['status'] } : {}
  return { key, before: undefined, after: { apiVersion: apiVersionOf(kind), kind, metadata: born, spec: draft.spec, ...status } }
}

function update(item: Resource, view: View): Effect | undefined {
  const { kind } = item
  const key = keyOf(item.metadata)
  const before = found(kind, key, view)
  hold(before, key, { uid: item.metadata.uid, resourceVersion: item.metadata.resourceVersion })
  const { labels, annotations, ownerReferences } = item.metadata
  const { labels: _l, annotations: _a, ownerReferences: _o, ...kept } = before.metadata
  const metadata: Meta = {
    ...kept,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(ownerReferences && { ownerReferences }),
  }
  const specChanged = !sameJson(before.spec, item.spec)
  if (!specChanged && sameJson(metadata, before.metadata)) return undefined
  return {
    key,
    before,
    after: { ...before, metadata: specChanged ? { ...metadata, generation: metadata.generation + 1 } : metadata, spec: item.spec },
  }
}

function patchStatus(write: Extract<Write, { do: 'patchStatus' }>, view: View): Effect | undefined {
  const { kind } = write.ref
  const key = keyOf(write.ref)
  const before = found(kind, key, view)
  hold(before, key, preconditionsOf(write))
  if (write.fence !== undefined && !isAtFence(before, write.fence)) throw new Stale({ kind, key })
  const status = sectioned(kind, before.status ?? {}, write.sections)
  if (sameJson(status, before.status ?? {})) return undefined
  return { key, before, after: { ...before, status } }
}

/** A status with some sections replaced whole. */
function sectioned(
  kind: OwnKind,
  status: Readonly<Record<string, unknown>>,
  sections: Readonly<Record<string, object>>,
): Record<string, unknown> {
  const next = { ...status }
  for (const [name, values] of Object.entries(sections)) {
    const fields = definitionOf(kind).sections[name]
    if (fields === undefined) throw new Invalid({ reason: `${kind} has no status section ${name}` })
    const stranger = Object.keys(values).find((field) => !fields.includes(field))
    if (stranger !== undefined) throw new Invalid({ reason: `${stranger} is not of the status section ${name} of ${kind}` })
    for (const field of fields) delete next[field]
    for (const [field, value] of Object.entries(values)) if (value !== undefined) next[field] = value
  }
  return next
}

function patchPodStatus(write: Extract<Write, { do: 'patchPodStatus' }>, view: View, giver: Giver): Effect | undefined {
  const key = keyOf(write.pod)
  const before = found('Pod', key, view)
  holdPod(before, key, write)
  const annotations = mergeAnnotations(before.metadata.annotations ?? {}, write.annotations ?? {})
  const old = before.status?.conditions ?? []
  const conditions = mergeConditions(old, write.conditions ?? [], giver.now())
  if (sameJson(before.metadata.annotations ?? {}, annotations) && sameJson(old, conditions)) return undefined
  return { key, before, after: { ...before, metadata: { ...before.metadata, annotations }, status: { ...before.status, conditions } } }
}

function patchServiceStatus(write: Extract<Write, { do: 'patchServiceStatus' }>, view: View): Effect | undefined {
  const key = keyOf(write.ref)
  const before = found('Service', key, view)
  hold(before, key, preconditionsOf(write))
  const status = Object.fromEntries(Object.entries({ ...before.status, ...write.fields }).filter(([, value]) => value !== undefined))
  return sameJson(status, before.status ?? {}) ? undefined : { key, before, after: { ...before, status } }
}

function holdPod(before: Resource<'Pod'>, key: string, { uid, fence }: Extract<Write, { do: 'patchPodStatus' }>): void {
  hold(before, key, { uid })
  if (fence !== undefined && !isAtPodFence(before, fence)) throw new Stale({ kind: 'Pod', key })
}

function mergeAnnotations(
  before: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const merged: Record<string, string | null> = { ...before, ...given }
  return Object.fromEntries(Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null))
}

function mergeConditions(before: readonly PodCondition[], given: readonly PodCondition[], now: string): PodCondition[] {
  const byType = new Map(before.map((condition) => [condition.type, condition]))
  for (const condition of given) {
    const old = byType.get(condition.type)
    const since = old?.status === condition.status ? old.lastTransitionTime : undefined
    byType.set(condition.type, { ...condition, lastTransitionTime: since ?? condition.lastTransitionTime ?? now })
  }
  return [...byType.values()]
}

function addFinalizer(write: Extract<Write, { do: 'addFinalizer' | 'removeFinalizer' }>, view: View): Effect | undefined {
  const { kind } = write.ref
  const key = keyOf(write.ref)
  const before = found(kind, key, view)
  hold(before, key, { uid: write.uid })
  const there = before.metadata.finalizers ?? []
  if (there.includes(write.finalizer)) return undefined
  hold(before, key, preconditionsOf(write))
  if (before.metadata.deletionTimestamp !== undefined)
    throw new Invalid({ reason: `${kind} ${key} is being deleted: no finalizer can be added`, at: '/metadata/finalizers' })
  return { key, before, after: { ...before, metadata: { ...before.metadata, finalizers: [...there, write.finalizer] } } }
}

function removeFinalizer(write: Extract<Write, { do: 'addFinalizer' | 'removeFinalizer' }>, view: View): Effect | undefined {
  const key = keyOf(write.ref)
  const before = view.get(write.ref.kind, key)
  if (before?.metadata.uid !== write.uid) return undefined
  const { finalizers: there = [], ...rest } = before.metadata
  const left = there.filter((each) => each !== write.finalizer)
  if (left.length === there.length) return undefined
  hold(before, key, preconditionsOf(write))
  if (left.length === 0 && rest.deletionTimestamp !== undefined) return { key, before, after: undefined }
  return { key, before, after: { ...before, metadata: left.length === 0 ? rest : { ...rest, finalizers: left } } }
}

function remove(ref: Ref, preconditions: Preconditions, view: View, giver: Giver): Effect | undefined {
  const key = keyOf(ref)
  const before = view.get(ref.kind, key)
  if (before === undefined || (preconditions.uid !== undefined && preconditions.uid !== before.metadata.uid)) return undefined
  hold(before, key, preconditions)
  if ((before.metadata.finalizers ?? []).length === 0) return { key, before, after: undefined }
  if (before.metadata.deletionTimestamp !== undefined) return undefined
  const going = { ...before, metadata: { ...before.metadata, deletionTimestamp: giver.now(), generation: before.metadata.generation + 1 } }
  return { key, before, after: ref.kind === 'Namespace' ? { ...going, status: { phase: 'Terminating' } } : going }
}

const preconditionsOf = ({ uid, resourceVersion }: { readonly uid: string; readonly resourceVersion?: string }): Preconditions => ({
  uid,
  ...(resourceVersion !== undefined && { resourceVersion }),
})

function found<K extends Kind>(kind: K, key: string, view: View): Resource<K> {
  const item = view.get(kind, key)
  if (item === undefined) throw new NotFound({ kind, key })
  return item
}

function hold(item: Resource, key: string, wanted: Preconditions): void {
  // A store gives the resourceVersion last: none yet means made by an earlier write of this very commit.
  const uidDiffers =
    wanted.uid !== undefined && (wanted.uid === createdHere ? item.metadata.resourceVersion !== '' : wanted.uid !== item.metadata.uid)
  const versionDiffers = wanted.resourceVersion !== undefined && wanted.resourceVersion !== item.metadata.resourceVersion
  if (uidDiffers || versionDiffers) throw new Stale({ kind: item.kind, key })
}
