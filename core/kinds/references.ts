// Which objects an object refers to, from the table of kinds: fields that say whose name they hold (`x-refers-to`), holders, which name
// their kind themselves, and owners.
import { allKinds, definitionOf, isOwnKind, keyOf, resolveReference, scopeOf, type Kind, type Ref, type Resource } from './index.ts'

export interface Reference {
  readonly to: Ref
  /** JSON pointer of the field that holds it. */
  readonly at: string
}

type Node = Readonly<Record<string, unknown>>
interface ReferenceField {
  /** Below the spec; `[]` stands for each item of a list. */
  readonly path: readonly string[]
  /** Undefined: a holder, which says its kind. */
  readonly to: Kind | undefined
}

const holderFields = ['kind', 'name', 'uid']

function fieldsIn(schema: Node, path: readonly string[]): ReferenceField[] {
  const {
    items,
    properties,
    'x-refers-to': to,
  } = schema as { readonly items?: Node; readonly properties?: Node; readonly 'x-refers-to'?: Kind }
  if (to !== undefined) return [{ path, to }]
  if (items !== undefined) return fieldsIn(items, [...path, '[]'])
  if (properties === undefined) return []
  if (holderFields.every((field) => Object.hasOwn(properties, field))) return [{ path, to: undefined }]
  return Object.entries(properties).flatMap(([name, each]) => fieldsIn(each as Node, [...path, name]))
}

/** A pod's node is Kubernetes' to choose. */
const foreign: Readonly<Partial<Record<Kind, readonly ReferenceField[]>>> = { Pod: [{ path: ['nodeName'], to: 'Node' }] }
export const referenceFields: ReadonlyMap<Kind, readonly ReferenceField[]> = new Map(
  allKinds.map((kind) => [kind, isOwnKind(kind) ? fieldsIn(definitionOf(kind).spec as unknown as Node, []) : (foreign[kind] ?? [])]),
)

/** Kinds of which an object may refer to one of this kind; owners are any kind's. */
export const mayRefer = (from: Kind, to: Kind): boolean =>
  referenceFields.get(from)?.some((field) => field.to === to || field.to === undefined) === true || from === 'Pod' || isOwnKind(from)

interface Value {
  readonly value: unknown
  readonly at: string
}

function valuesAt(value: unknown, [step, ...rest]: readonly string[], at: string): Value[] {
  if (value === undefined || value === null) return []
  if (step === undefined) return [{ value, at }]
  if (step === '[]') return Array.isArray(value) ? value.flatMap((each, i) => valuesAt(each, rest, `${at}/${i}`)) : []
  return typeof value === 'object' ? valuesAt((value as Node)[step], rest, `${at}/${step}`) : []
}

export function referencesOf(item: Resource): readonly Reference[] {
  const fields = referenceFields.get(item.kind) ?? []
  return [
    ...fields.flatMap(({ path, to }) => valuesAt(item.spec, path, '/spec').flatMap((each) => referenceIn(item, each, to))),
    ...ownersOf(item),
  ]
}

function referenceIn({ metadata }: Resource, { value, at }: Value, to: Kind | undefined): Reference[] {
  if (to === undefined) return holderIn(value, at)
  const text = typeof value === 'object' && value !== null ? keyOf(value as { readonly namespace?: string; readonly name: string }) : value
  if (typeof text !== 'string' || text === '') return []
  const resolved = resolveReference(text, metadata.namespace ?? '')
  return [{ to: scopeOf(to) === 'Namespaced' ? { kind: to, ...resolved } : { kind: to, name: text }, at }]
}

const isKind = (kind: unknown): kind is Kind => (allKinds as readonly unknown[]).includes(kind)

function holderIn(value: unknown, at: string): Reference[] {
  const { kind, namespace, name } = value as { readonly kind?: unknown; readonly namespace?: unknown; readonly name?: unknown }
  if (!isKind(kind) || typeof name !== 'string') return []
  return [{ to: { kind, ...(typeof namespace === 'string' && { namespace }), name }, at }]
}

const ownersOf = ({ metadata: { ownerReferences = [], namespace } }: Resource): Reference[] =>
  ownerReferences.flatMap(({ kind, name }, i) =>
    isKind(kind)
      ? [
          {
            to: { kind, ...(scopeOf(kind) === 'Namespaced' && namespace !== undefined && { namespace }), name },
            at: `/metadata/ownerReferences/${i}`,
          },
        ]
      : [],
  )
