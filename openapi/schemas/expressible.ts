// What JSON Schema 2020-12 and Kubernetes' structural v3 schemas can both say.

export type Schema = { readonly [keyword: string]: unknown }

const types = ['object', 'array', 'string', 'integer', 'number', 'boolean']
export const shared = [
  'type',
  'description',
  'default',
  'enum',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
]
/** Said in CRDs only; `set` becomes uniqueItems elsewhere, `map` and `atomic` are about merging, which only the API server does. */
export const kubernetes = [
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
]
/** Of our own, and said nowhere: what other fields of ours are derived from (core/kinds/references.ts). */
const ours = ['x-refers-to']
const nested = ['properties', 'items', 'additionalProperties', 'patternProperties']
/** typebox's Record: any key. */
const anyKey = '^.*$'
const reasons: Readonly<Record<string, string>> = {
  const: 'a CRD knows no const: use OneOf with one word',
  anyOf: 'a CRD takes no anyOf of types: use OneOf for words, optional fields and a rule for shapes',
  $ref: 'a CRD knows no $ref: write the schema out',
  uniqueItems: 'a CRD refuses uniqueItems: use x-kubernetes-list-type set',
  exclusiveMinimum: 'a number in 2020-12, a boolean in v3: use minimum',
  exclusiveMaximum: 'a number in 2020-12, a boolean in v3: use maximum',
}

type Objection = (schema: Schema) => string | undefined
const patternsOf = (schema: Schema): string[] => Object.keys(schema.patternProperties ?? {})
const open = (schema: Schema): boolean => schema['x-kubernetes-preserve-unknown-fields'] === true
const when =
  (test: (schema: Schema) => boolean, why: string): Objection =>
  (schema) =>
    test(schema) ? why : undefined

const objections: readonly Objection[] = [
  (schema) => {
    const strange = Object.keys(schema).find((keyword) => ![...shared, ...kubernetes, ...ours, ...nested].includes(keyword))
    return strange === undefined ? undefined : (reasons[strange] ?? `${strange} is not a keyword of both`)
  },
  when(({ type }) => !types.includes(String(type)), `it needs one type of ${types.join(', ')}`),
  when(({ type, items }) => type === 'array' && items === undefined, 'a list needs items'),
  // RE2 (CRDs) knows no look-around and no back-references, and inline flags differ from ECMA-262's.
  when(({ pattern }) => typeof pattern === 'string' && /\(\?|\\[1-9]/.test(pattern), 'RE2 and ECMA-262 do not both read its pattern'),
  when((schema) => patternsOf(schema).some((pattern) => pattern !== anyKey), 'a CRD cannot tell keys apart by pattern'),
  when((schema) => open(schema) && schema.properties !== undefined, 'fields that are named stand beside fields that are kept unseen'),
  when(
    (schema) => schema.properties !== undefined && (schema.additionalProperties !== false || patternsOf(schema).length > 0),
    'an object with fields must be closed (additionalProperties: false)',
  ),
  when(
    (schema) => schema.type === 'object' && schema.properties === undefined && !open(schema) && valuesOf(schema) === undefined,
    'an object needs properties, or x-kubernetes-preserve-unknown-fields',
  ),
]

/** Why a schema cannot be said in both, the schemas inside it aside. */
export function notExpressible(schema: Schema): string | undefined {
  for (const objection of objections) {
    const why = objection(schema)
    if (why !== undefined) return why
  }
  return undefined
}

/** The schema of every value, where any key may stand. */
export function valuesOf(schema: Schema): Schema | undefined {
  if (schema.patternProperties !== undefined) return (schema.patternProperties as Readonly<Record<string, Schema>>)[anyKey]
  return typeof schema.additionalProperties === 'object' ? (schema.additionalProperties as Schema) : undefined
}
