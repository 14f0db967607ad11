// What the API server does with a kind's schema, for those who have no API server in front of them: defaults, and refusals
// that say where and what would be right. Unknown fields are refused, as kubectl's strict validation does.
import { isObject } from '../../json.ts'
import { definitionOf, type OwnKind } from '../../kinds/index.ts'
import { apiVersion } from '../../kinds/meta.ts'
import { fillDefaults } from './fill-defaults.ts'
import { schemaValidator, type SchemaValidator } from './schema-validator.ts'
import { checkMetadata } from './metadata.ts'
import { nearest } from '../nearest.ts'
import { pointerTo } from '../refusal.ts'
import type { Problem } from '../problem.ts'
import type { JsonSchema } from './strict.ts'

export type { Problem } from '../problem.ts'

const tops = ['apiVersion', 'kind', 'metadata', 'spec', 'status']

const compiled = new Map<OwnKind, { readonly spec: SchemaValidator; readonly status: SchemaValidator }>()
function judgedOf(kind: OwnKind): { readonly spec: SchemaValidator; readonly status: SchemaValidator } {
  let found = compiled.get(kind)
  if (found === undefined) {
    const { spec, status } = definitionOf(kind)
    compiled.set(
      kind,
      (found = { spec: schemaValidator(spec as unknown as JsonSchema), status: schemaValidator(status as unknown as JsonSchema) }),
    )
  }
  return found
}

/**
 * The faults of an object by its kind's schema and by what all metadata must be; none when the API server would take it, rules
 * (judge) aside. Compiled once per kind; a good object costs some microseconds.
 */
export function check(kind: OwnKind, object: unknown): readonly Problem[] {
  if (!isObject(object)) return [{ at: '', message: `must be an object of kind ${kind}` }]
  const { spec, status } = judgedOf(kind)
  return [
    ...head(kind, object),
    ...checkMetadata(object.metadata, definitionOf(kind).scope === 'Cluster'),
    ...spec.problems(object.spec, '/spec'),
    ...(object.status === undefined ? [] : status.problems(object.status, '/status')),
  ]
}

function head(kind: OwnKind, object: Readonly<Record<string, unknown>>): Problem[] {
  const problems: Problem[] = []
  if (object.apiVersion !== apiVersion) problems.push({ at: '/apiVersion', message: `must be ${apiVersion}` })
  if (object.kind !== kind) problems.push({ at: '/kind', message: `must be ${kind}` })
  for (const field of Object.keys(object))
    if (!tops.includes(field)) problems.push({ at: pointerTo(field), message: unknownTop(kind, field) })
  return problems
}

function unknownTop(kind: OwnKind, field: string): string {
  const ofSpec = nearest(field, Object.keys(definitionOf(kind).spec.properties))
  return `is not a field of ${kind}; ${ofSpec === undefined ? `its fields are ${tops.join(', ')}` : `did you mean spec.${ofSpec}?`}`
}

/** The object with its schema's defaults, and without nulls, as the API server would store it; the given one is left as it is. */
export function withDefaults<T>(kind: OwnKind, object: T): T {
  if (!isObject(object)) return object
  const { spec, status } = definitionOf(kind)
  const schema = { type: 'object', properties: { metadata: { type: 'object', properties: nullable }, spec, status } }
  return fillDefaults(schema, object) as T
}

/** Metadata that tools write as null: kubectl's `create --dry-run=client -o yaml` has `creationTimestamp: null`. */
const nullable = Object.fromEntries(
  [
    'creationTimestamp',
    'deletionTimestamp',
    'labels',
    'annotations',
    'finalizers',
    'ownerReferences',
    'uid',
    'resourceVersion',
    'generateName',
    'namespace',
  ].map((name) => [name, {}]),
)
