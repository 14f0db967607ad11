// What an address means, and where an object is.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Store } from '../../core/contracts/store.ts'
import { NotFound } from '../../core/errors.ts'
import { keyOf, type Kind, type Ref, type Resource } from '../../core/kinds/index.ts'
import { etagOf } from './etag.ts'

export interface Params {
  readonly namespace?: string
  readonly name?: string
}
export const paramsOf = (request: FastifyRequest): Params => request.params as Params

const nameForm = /^[A-Za-z0-9]([-A-Za-z0-9.:_]{0,251}[A-Za-z0-9])?$/

/** Which object an address means. @throws NotFound for what can be no name, so that it reaches no store */
export function refIn<K extends Kind>(kind: K, { namespace, name = '' }: Params): Ref<K> {
  const ref = namespace === undefined ? { kind, name } : { kind, namespace, name }
  if (!nameForm.test(name) || (namespace !== undefined && !nameForm.test(namespace))) throw new NotFound({ kind, key: keyOf(ref).slice(0, 300) })
  return ref
}

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
