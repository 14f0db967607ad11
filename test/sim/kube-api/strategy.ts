// What becomes of an object when somebody writes: the registries' strategies and rest.BeforeCreate, BeforeUpdate, BeforeDelete.
import { withDefaults } from '../../../core/admit/object/schema.ts'
import { isOwnKind } from '../../../core/kinds/index.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { Raw, RawMeta } from './raw.ts'
import { conflict, invalid } from './refusals.ts'
import type { Table } from './tables.ts'

/** What the server gives and nobody else. */
export interface WriteContext {
  readonly uid: string
  readonly now: string
}
type Body = Readonly<Record<string, unknown>>

/** Empty lists and maps are not kept in metadata. */
function tidied(meta: { readonly [F in keyof RawMeta]: RawMeta[F] | undefined }): RawMeta {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => !isEmpty(value))) as unknown as RawMeta
}

const namespaceFinalizer = 'kubernetes'
const bornStatus: Partial<Record<string, object>> = { Pod: { phase: 'Pending', qosClass: 'BestEffort' }, Namespace: { phase: 'Active' } }

export function born(
  table: Table,
  body: Body,
  name: string,
  { namespace, uid, now }: WriteContext & { readonly namespace: string | undefined },
): Raw {
  const { apiVersion, kind } = table
  const { labels, annotations, finalizers, ownerReferences, generateName } = (body['metadata'] ?? {}) as Partial<RawMeta>
  const { status: _, metadata: __, ...fields } = body
  const metadata = tidied({
    name,
    namespace,
    generateName,
    uid,
    resourceVersion: '',
    generation: table.generations ? 1 : undefined,
    creationTimestamp: now,
    labels,
    annotations,
    finalizers,
    ownerReferences,
  })
  const status = table.kind === 'Node' ? body['status'] : bornStatus[kind]
  const spec = kind === 'Namespace' ? { spec: { ...(fields['spec'] as object | undefined), finalizers: [namespaceFinalizer] } } : {}
  return filled(table, { ...fields, apiVersion, kind, metadata, ...spec, ...(status !== undefined && { status }) })
}

/**
 * What a patch makes of an object, as far as it may; the very same one where nothing differs.
 *
 * @throws Refusal
 */
export function changed(table: Table, before: Raw, patched: Raw, subresource: string | undefined): Raw {
  const metadata =
    subresource === undefined || table.status === 'status and metadata'
      ? metadataOf(table, before, patched.metadata, subresource)
      : before.metadata
  const next = filled(
    table,
    subresource === undefined
      ? { ...wantedOf(patched), ...kindOf(before), metadata, ...statusOf(table.status === 'none' ? patched : before) }
      : { ...wantedOf(before), ...kindOf(before), metadata, ...statusOf(patched) },
  )
  if (sameJson(next, before)) return before
  const wantsMore = table.generations && subresource === undefined && !sameJson(wantedOf(next), wantedOf(before))
  return wantsMore ? { ...next, metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 } } : next
}

/** With the defaults of its schema, as a CRD has them. */
const filled = ({ kind }: Table, item: Raw): Raw => (isOwnKind(kind) ? withDefaults(kind, item) : item)
const kindOf = ({ apiVersion, kind }: Raw): Pick<Raw, 'apiVersion' | 'kind'> => ({ apiVersion, kind })
const statusOf = (item: Raw): object => (item['status'] === undefined ? {} : { status: item['status'] })
const wantedOf = ({ metadata: _, status: __, ...wanted }: Raw): object => wanted

/** Who and when it is stays; the status endpoint of a pod touches no owners. */
function metadataOf(table: Table, { metadata: before }: Raw, patched: RawMeta, subresource: string | undefined): RawMeta {
  if (patched.uid !== before.uid)
    throw invalid(table, before.name, {
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(patched.uid)}: field is immutable`,
      field: 'metadata.uid',
    })
  if (patched.resourceVersion !== before.resourceVersion) throw conflict(table, before.name)
  const { labels, annotations, finalizers } = patched
  const ownerReferences = subresource === undefined ? patched.ownerReferences : before.ownerReferences
  const next = tidied({ ...before, labels, annotations, finalizers, ownerReferences })
  const strangers = (next.finalizers ?? []).filter((each) => !(before.finalizers ?? []).includes(each))
  if (before.deletionTimestamp !== undefined && strangers.length > 0) {
    throw invalid(table, before.name, {
      reason: 'FieldValueForbidden',
      message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${strangers.map((each) => JSON.stringify(each)).join(', ')}}`,
      field: 'metadata.finalizers',
    })
  }
  return next
}

/** Nothing keeps it any more: it goes with the write that made it so. */
export const isOver = ({ kind, metadata, spec }: Raw): boolean =>
  metadata.deletionTimestamp !== undefined &&
  (metadata.finalizers ?? []).length === 0 &&
  (metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
  !(kind === 'Namespace' && keptBy(spec).length > 0)

const keptBy = (spec: unknown): readonly string[] => (spec as { readonly finalizers?: readonly string[] } | undefined)?.finalizers ?? []

/** A pod that a kubelet has begun is his to end. */
function graceOf({ kind, spec, status }: Raw, asked: number | undefined): number {
  if (kind !== 'Pod') return 0
  const { nodeName = '', terminationGracePeriodSeconds = 30 } = (spec ?? {}) as {
    readonly nodeName?: string
    readonly terminationGracePeriodSeconds?: number
  }
  const { phase } = (status ?? {}) as { readonly phase?: string }
  return nodeName === '' || phase === 'Succeeded' || phase === 'Failed' ? 0 : (asked ?? terminationGracePeriodSeconds)
}

/** As it is once somebody has deleted it, whether or not anything keeps it; the very same one where that says nothing new. */
export function going(before: Raw, { now, graceSeconds: asked }: { readonly now: string; readonly graceSeconds: number | undefined }): Raw {
  const { metadata } = before
  const grace = graceOf(before, asked)
  if (metadata.deletionTimestamp !== undefined) {
    return grace < (metadata.deletionGracePeriodSeconds ?? 0)
      ? { ...before, metadata: { ...metadata, deletionGracePeriodSeconds: grace } }
      : before
  }
  const deletionTimestamp = new Date(Date.parse(now) + grace * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
  const counted = metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }
  if (before.kind === 'Namespace')
    return {
      ...before,
      metadata: { ...metadata, deletionTimestamp },
      status: { ...(before['status'] as object | undefined), phase: 'Terminating' },
    }
  return { ...before, metadata: { ...metadata, ...counted, deletionTimestamp, deletionGracePeriodSeconds: grace } }
}
