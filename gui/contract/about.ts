// What the server knows of one object beside itself: why it is as it is, and who uses it.
import type { operations } from '../../openapi/types.ts'
import { client, taken } from './api.ts'
import { pluralOf, type Item } from './kinds.ts'

export type Explanation = operations['explain']['responses'][200]['content']['application/json']
export type Step = Explanation['steps'][number]
export type Uses = operations['getUses']['responses'][200]['content']['application/json']
export type Use = Uses['uses'][number]

/** @throws Refusal */
export async function explanationOf({ kind, metadata: { namespace, name } }: Item): Promise<Explanation> {
  const path = { kind: pluralOf(kind), name }
  return namespace === undefined
    ? taken(await client.GET('/v1/explain/{kind}/{name}', { params: { path } }))
    : taken(await client.GET('/v1/explain/{kind}/{namespace}/{name}', { params: { path: { ...path, namespace } } }))
}

/** @throws Refusal */
export async function usesOf({ kind, metadata: { namespace, name } }: Item): Promise<Uses> {
  const path = { kind: pluralOf(kind), name }
  return namespace === undefined
    ? taken(await client.GET('/v1/uses/{kind}/{name}', { params: { path } }))
    : taken(await client.GET('/v1/uses/{kind}/{namespace}/{name}', { params: { path: { ...path, namespace } } }))
}
