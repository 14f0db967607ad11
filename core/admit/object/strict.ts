// A kind's schema as the API server reads it, where that is stricter than JSON Schema 2020-12 or counts differently.
import Format from 'typebox/format'

export type JsonSchema = Readonly<Record<string, unknown>>
interface Refinement {
  readonly check: (value: unknown) => boolean
  readonly error: (value: unknown) => string
}

/** The same schema with: lengths in code points (typebox counts graphemes), sets without twins, RFC 3339 times without suffix. */
export function strict(schema: JsonSchema): JsonSchema {
  const { minLength, maxLength, properties, items, ...rest } = schema
  const refinements = [...lengths(minLength, maxLength), ...(schema.format === 'date-time' ? [plainTime] : [])]
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(properties as object).map(([name, inner]) => [name, strict(inner as JsonSchema)])),
        }),
    ...(items === undefined ? {} : { items: strict(items as JsonSchema) }),
    ...(schema['x-kubernetes-list-type'] === 'set' ? { uniqueItems: true } : {}),
    ...(refinements.length === 0 ? {} : { '~refine': refinements }),
  }
}

const plainTime: Refinement = {
  check: (value) => typeof value !== 'string' || (Format.Test('date-time', value) && !value.includes('[')),
  error: () => 'must be a time such as 2026-11-21T12:00:00Z (RFC 3339)',
}

function lengths(min: unknown, max: unknown): Refinement[] {
  const found: Refinement[] = []
  const is = (test: (text: string) => boolean) => (value: unknown) => typeof value !== 'string' || test(value)
  if (typeof min === 'number')
    found.push({
      check: is((text) => codePoints(text, min) >= min),
      error: () => (min === 1 ? 'must not be empty' : `must have at least ${min} characters`),
    })
  if (typeof max === 'number')
    found.push({
      check: is((text) => text.length <= max || count(text) <= max),
      error: (value) => `must have at most ${max} characters, not ${count(String(value))}`,
    })
  return found
}

/** Enough to know whether there are `min`: a text has at least half as many code points as UTF-16 units. */
const codePoints = (text: string, min: number): number => (text.length >= 2 * min ? min : count(text))
const count = (text: string): number => Array.from(text).length
