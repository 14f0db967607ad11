// A typebox schema said twice: as JSON Schema 2020-12 for the OpenAPI document, and as Kubernetes' structural v3 for CRDs.
// What cannot be said in both is refused, with its path, when it is generated; so no kind can mean two things.

export type Schema = { readonly [keyword: string]: unknown }
export type Dialect = '2020-12' | 'structural'

const types = ['object', 'array', 'string', 'integer', 'number', 'boolean']
const shared = ['type', 'description', 'default', 'enum', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'required']
/** Said in CRDs only; `set` becomes uniqueItems elsewhere, `map` and `atomic` are about merging, which only the API server does. */
const kubernetes = ['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type', 'x-kubernetes-preserve-unknown-fields']
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

/** @param at the path that a refusal names, e.g. `Port.spec` */
export function render(schema: Schema, dialect: Dialect, at: string): Schema {
  refuseUnsayable(schema, at)
  const said: Record<string, unknown> = {}
  for (const keyword of [...shared, ...(dialect === 'structural' ? kubernetes : [])]) if (schema[keyword] !== undefined) said[keyword] = schema[keyword]
  if (dialect === '2020-12' && schema['x-kubernetes-list-type'] === 'set') said.uniqueItems = true
  return { ...said, ...renderNested(schema, dialect, at) }
}

function renderNested(schema: Schema, dialect: Dialect, at: string): Schema {
  const { items, properties } = schema as { readonly items?: Schema; readonly properties?: Readonly<Record<string, Schema>> }
  if (items !== undefined) return { items: render(items, dialect, `${at}[]`) }
  const others = valuesOf(schema)
  if (others !== undefined) return { additionalProperties: render(others, dialect, `${at}.*`) }
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return dialect === 'structural' ? {} : { additionalProperties: true }
  if (properties === undefined) return {}
  const inner = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, render(each, dialect, `${at}.${name}`)]))
  // The API server prunes what a CRD does not name, and strict clients are told so.
  return { properties: inner, ...(dialect === 'structural' ? {} : { additionalProperties: false }) }
}

/** The schema of every value, where any key may stand. */
function valuesOf(schema: Schema): Schema | undefined {
  if (schema.patternProperties !== undefined) return (schema.patternProperties as Readonly<Record<string, Schema>>)[anyKey]
  return typeof schema.additionalProperties === 'object' ? (schema.additionalProperties as Schema) : undefined
}

function refuseUnsayable(schema: Schema, at: string): void {
  const refuse = (why: string): never => {
    throw new Error(`${at} cannot be said both in OpenAPI and in a CRD: ${why}`)
  }
  for (const keyword of Object.keys(schema)) {
    if (!shared.includes(keyword) && !kubernetes.includes(keyword) && !nested.includes(keyword)) refuse(reasons[keyword] ?? `${keyword} is not a keyword of both`)
  }
  if (!types.includes(String(schema.type))) refuse(`it needs one type of ${types.join(', ')}`)
  if (schema.type === 'array' && schema.items === undefined) refuse('a list needs items')
  if (schema.type === 'object') refuseOpenObject(schema, refuse)
  // RE2 (CRDs) knows no look-around and no back-references, and inline flags differ from ECMA-262's.
  if (typeof schema.pattern === 'string' && /\(\?|\\[1-9]/.test(schema.pattern)) refuse(`RE2 and ECMA-262 do not both read the pattern ${schema.pattern}`)
}

function refuseOpenObject(schema: Schema, refuse: (why: string) => never): void {
  const patterns = Object.keys((schema.patternProperties ?? {}) as object)
  if (patterns.some((pattern) => pattern !== anyKey)) refuse('a CRD cannot tell keys apart by pattern')
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true
  if (open && schema.properties !== undefined) refuse('fields that are named beside fields that are kept unseen')
  if (schema.properties !== undefined && (schema.additionalProperties !== false || patterns.length > 0)) refuse('an object with fields must be closed (additionalProperties: false)')
  if (schema.properties === undefined && !open && valuesOf(schema) === undefined) refuse('an object needs properties, or x-kubernetes-preserve-unknown-fields')
}
