// What an address means, and where an object is.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Store } from '../../core/contracts/store.ts'
import { NotFound } from '../../core/errors.ts'
import { keyOf, type Kind, type Ref, type Resource } from '../../core/kinds/index.ts'
import { etagOf } from './write/etag.ts'

export interface Params {
  readonly namespace?: string
  readonly name?: string
  /** Of an operation, or a subscription of SOL's. */
  readonly id?: string
}
export const paramsOf = (request: FastifyRequest): Params => request.params as Params

/** Which object an address means; its names have been found to be names. */
export const refIn = <K extends Kind>(kind: K, { namespace, name = '' }: Params): Ref<K> =>
  namespace === undefined ? { kind, name } : { kind, namespace, name }

/** The namespace that a caller must be allowed in: a Namespace is its own. */
export const realmOf = (kind: Kind, { namespace, name }: Params): string | undefined => (kind === 'Namespace' ? name : namespace)

export async function mustGet<K extends Kind>(store: Store, ref: Ref<K>): Promise<Resource<K>> {
  const item = await store.get(ref)
  if (item === undefined) throw new NotFound({ kind: ref.kind, key: keyOf(ref) })
  return item
}

export function sendObject(reply: FastifyReply, item: Resource, code = 200): FastifyReply {
  return reply.code(code).header('etag', etagOf(item)).send(item)
}
