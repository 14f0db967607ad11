// An object that an address names by kind, namespace and name: `/v1/uses/ports/a/x`, `/v1/uses/nodes/n1`.
import type { FastifyRequest } from 'fastify'
import { UnknownPath } from '../../../core/errors.ts'
import { scopeOf, type Kind, type Resource } from '../../../core/kinds/index.ts'
import { mayDo, storeFor } from '../../plugins/access.ts'
import { pathShown } from '../../plugins/errors.ts'
import { mustGet, paramsOf, realmOf, refIn } from '../address.ts'
import type { RestDeps } from '../deps.ts'
import { kindNamed } from './kinds-in.ts'

/** @throws UnknownPath for no kind, or one of another scope; Forbidden alike whether it is there or not; NotFound */
export async function objectOf(request: FastifyRequest, deps: RestDeps): Promise<Resource> {
  const params = paramsOf(request)
  const kind = kindIn(request, params.namespace !== undefined)
  await mayDo(deps, request.caller, { act: 'read', kind, namespace: realmOf(kind, params), verb: 'get' })
  return mustGet(storeFor(deps, request.caller), refIn(kind, params))
}

function kindIn(request: FastifyRequest, namespaced: boolean): Kind {
  const { kind: name = '' } = request.params as { readonly kind?: string }
  const kind = kindNamed(name)
  if (kind !== undefined && (scopeOf(kind) === 'Namespaced') === namespaced) return kind
  throw new UnknownPath({ path: pathShown(request) })
}
