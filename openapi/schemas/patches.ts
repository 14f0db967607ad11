// A merge patch (RFC 7396) of something, from the schema of the thing: every field may be left out, a null takes away what need not
// be there, and what stands in a list stands there whole.
import type { Schema } from './render.ts'

type Fields = Readonly<Record<string, Schema>>

export function patchOf(schema: Schema): Schema {
  const {
    properties,
    required = [],
    additionalProperties,
    ...rest
  } = schema as { readonly properties?: Fields; readonly required?: readonly string[]; readonly additionalProperties?: boolean | Schema }
  if (schema['type'] !== 'object') return schema
  // What fills a field in is there again as soon as it is taken away.
  const kept = (name: string, field: Schema): Schema =>
    required.includes(name) && field['default'] === undefined ? patchOf(field) : orNull(patchOf(field))
  const { minProperties: _few, maxProperties: _many, default: _filled, ...said } = rest as Schema
  return {
    ...said,
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, kept(name, field)])),
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties: typeof additionalProperties === 'boolean' ? additionalProperties : orNull(patchOf(additionalProperties)),
    }),
  }
}

/** The same, or nothing. */
export function orNull(schema: Schema): Schema {
  const {
    type,
    enum: words,
    $ref,
    default: _filled,
    ...rest
  } = schema as { readonly type?: string; readonly enum?: readonly unknown[]; readonly $ref?: string; readonly default?: unknown }
  if ($ref !== undefined) return { anyOf: [{ $ref }, { type: 'null' }], ...rest }
  return { ...(type !== undefined && { type: [type, 'null'] }), ...(words !== undefined && { enum: [...words, null] }), ...rest }
}

/** Without the fields that keep the value they were made with; paths as `ipv4.cidr`. */
export function without(schema: Schema, paths: readonly string[]): Schema {
  const { properties = {}, required = [] } = schema as { readonly properties?: Fields; readonly required?: readonly string[] }
  const gone = (name: string): boolean => paths.includes(name)
  const inner = (name: string): readonly string[] =>
    paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))
  const kept = Object.entries(properties)
    .filter(([name]) => !gone(name))
    .map(([name, field]) => [name, inner(name).length === 0 ? field : without(field, inner(name))])
  return { ...schema, properties: Object.fromEntries(kept) as Fields, required: required.filter((name) => !gone(name)) }
}

/** What an API server holds names of labels and annotations to, and values of labels. */
const keys: Schema = {
  maxLength: 317,
  pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$',
}
const value: Schema = { type: 'string', maxLength: 63, pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$' }

/** @param draft of metadata, as it is sent whole */
export function metaPatch(draft: Schema): Schema {
  const { properties, ...rest } = patchOf(draft) as { readonly properties: Fields }
  const labels = orNull({ type: 'object', propertyNames: keys, additionalProperties: orNull(value) })
  const annotations = orNull({ type: 'object', propertyNames: keys, additionalProperties: orNull({ type: 'string' }) })
  return {
    ...rest,
    description: 'labels, annotations and owners change; all else may be said as it is, and not otherwise',
    properties: { ...properties, labels, annotations },
  }
}
