// Defaults, by value: what is already complete is given back as it is.
import { isObject, type Json } from '../../json.ts'
import type { JsonSchema } from './strict.ts'

/**
 * A value with its schema's defaults. A null where the schema knows no null is left out first, and so takes its default
 * (Kubernetes, structural schemas: nulls are pruned before defaulting). Unknown fields stay: refusing them is check's.
 */
export function fillDefaults(schema: JsonSchema, value: unknown): unknown {
  if (isObject(value))
    return schema.properties === undefined
      ? fillOthers(schema, value)
      : fillObject(schema.properties as Readonly<Record<string, JsonSchema>>, value)
  if (Array.isArray(value) && schema.items !== undefined) return fillList(schema.items as JsonSchema, value)
  return value
}

function fillObject(properties: Readonly<Record<string, JsonSchema>>, value: Json): Json {
  let filled: Record<string, unknown> | undefined
  for (const [name, schema] of Object.entries(properties)) {
    const given = value[name] ?? schema.default
    const next = given === undefined ? undefined : fillDefaults(schema, given)
    if (Object.is(next, value[name]) && (next !== undefined || !Object.hasOwn(value, name))) continue
    filled ??= { ...value }
    if (next === undefined) delete filled[name]
    else filled[name] = next
  }
  return filled ?? value
}

function fillOthers(schema: JsonSchema, value: Json): Json {
  if (!isObject(schema.additionalProperties)) return value
  const others = schema.additionalProperties
  return fillObject(Object.fromEntries(Object.keys(value).map((name) => [name, others])), value)
}

function fillList(items: JsonSchema, value: readonly unknown[]): readonly unknown[] {
  const filled = value.map((each) => fillDefaults(items, each))
  return filled.some((each, i) => each !== value[i]) ? filled : value
}
