// A typebox schema said twice: as JSON Schema 2020-12 for the OpenAPI document, and as Kubernetes' structural v3 for CRDs.
// What cannot be said in both is refused, with its path, when it is generated; so no kind can mean two things.

import { kubernetes, shared, notExpressible, valuesOf, type Schema } from './expressible.ts'

export type { Schema } from './expressible.ts'
export type Dialect = '2020-12' | 'structural'

/** @param at the path that a refusal names, e.g. `Port.spec` */
export function render(schema: Schema, dialect: Dialect, at: string): Schema {
  const why = notExpressible(schema)
  if (why !== undefined) throw new Error(`${at} cannot be said both in OpenAPI and in a CRD: ${why}`)
  const rendered: Record<string, unknown> = {}
  for (const keyword of [...shared, ...(dialect === 'structural' ? kubernetes : [])])
    if (schema[keyword] !== undefined) rendered[keyword] = schema[keyword]
  if (dialect === '2020-12' && schema['x-kubernetes-list-type'] === 'set') rendered.uniqueItems = true
  return { ...rendered, ...renderNested(schema, dialect, at) }
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
