// What a report was planned from. It is taken from the very object that the report begins with, here and nowhere else, so that a
// worker whose watch is late cannot overwrite what it has not seen: neither a number that was drawn nor a sequence that has counted on.
import type { Fence, PodFence, Write } from '../contracts/store.ts'
import type { PodCondition } from '../kinds/foreign.ts'
import { askedAnnotation } from '../kinds/annotations.ts'
import { definitionOf, refOf, type OwnKind, type Resource } from '../kinds/index.ts'
import { sameJson } from '../same-json.ts'

type Fields = Readonly<Record<string, unknown>>

const statusOf = (item: Resource): Fields => item.status ?? {}
const sequenceOf = (item: Resource): number | undefined => statusOf(item)['sequence'] as number | undefined

/** @param sections whose fields the report is about, those that stay as they are included */
export function fenceOf(item: Resource<OwnKind>, sections: Iterable<string>): Fence {
  const { generation, deletionTimestamp } = item.metadata
  const names = [...sections].flatMap((section) => definitionOf(item.kind).sections[section] ?? [])
  return {
    generation,
    deletionTimestamp,
    sequence: sequenceOf(item),
    fields: Object.fromEntries(names.map((name) => [name, statusOf(item)[name]])),
  }
}

export function isAtFence(item: Resource, { generation, deletionTimestamp, sequence, fields }: Fence): boolean {
  const { metadata } = item
  if (
    (generation !== undefined && metadata.generation !== generation) ||
    metadata.deletionTimestamp !== deletionTimestamp ||
    sequenceOf(item) !== sequence
  )
    return false
  return Object.entries(fields).every(([name, value]) => sameJson(statusOf(item)[name], value))
}

export function isAtPodFence({ metadata }: Resource<'Pod'>, { deletionTimestamp, annotations }: PodFence): boolean {
  return (
    metadata.deletionTimestamp === deletionTimestamp &&
    Object.entries(annotations).every(([name, value]) => metadata.annotations?.[name] === value)
  )
}

export interface Fencing {
  /** Sections that the plan has looked at and leaves as they are. */
  readonly beside?: readonly string[]
  /** The spec may have changed meanwhile: what is told was learned outside, and is true for as long as it names what it was learned of. */
  readonly outlivesSpec?: boolean | undefined
}

/** Writes sections of an object's status, if it is still what was planned from. */
export function fencedStatus(
  item: Resource<OwnKind>,
  sections: Readonly<Record<string, object>>,
  { beside = [], outlivesSpec = false }: Fencing = {},
): Write {
  const fence = fenceOf(item, new Set([...Object.keys(sections), ...beside]))
  return {
    do: 'patchStatus',
    ref: refOf(item),
    uid: item.metadata.uid,
    sections,
    fence: outlivesSpec ? { ...fence, generation: undefined } : fence,
  }
}

/** The same for what a pod is told. */
export function fencedPodStatus(
  pod: Resource<'Pod'>,
  annotations: Readonly<Record<string, string>>,
  conditions: readonly PodCondition[],
): Write {
  const { uid, deletionTimestamp, annotations: there = {} } = pod.metadata
  const names = new Set([...Object.keys(annotations), askedAnnotation])
  const fence: PodFence = { deletionTimestamp, annotations: Object.fromEntries([...names].map((name) => [name, there[name]])) }
  return { do: 'patchPodStatus', pod: refOf(pod), uid, annotations, conditions, fence }
}
