// The names in an address: what can be the name of nothing is told so on every route, before anybody is asked for it.
import type { FastifyRequest } from 'fastify'
import { isLabelName, isObjectName, labelMessage, nameMessage } from '../../core/admit/object/metadata.ts'
import { paramsOf } from './address.ts'
import { BadParameter } from './invalid-object.ts'

/** Undefined: they are names. */
export function badName(request: FastifyRequest): BadParameter | undefined {
  const { namespace, name } = paramsOf(request)
  if (namespace !== undefined && !isLabelName(namespace)) return new BadParameter('namespace', labelMessage)
  if (name === undefined) return undefined
  // A Namespace's own name.
  const isNamespace = request.routeOptions.url?.endsWith('/namespaces/:name') === true
  return (isNamespace ? isLabelName(name) : isObjectName(name))
    ? undefined
    : new BadParameter('name', isNamespace ? labelMessage : nameMessage)
}
