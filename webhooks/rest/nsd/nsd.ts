// POST /v1/namespaces/{namespace}/nsd: what a network service descriptor comes to, as a List to look at and to send. Nothing is stored.
import { planNsd } from '../../../core/nsd/tosca.ts'
import { validObject, withAddress } from '../write/drafts.ts'
import { isOwnKind, scopeOf } from '../../../core/kinds/index.ts'
import { mayDo } from '../../plugins/access.ts'
import { paramsOf } from '../address.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { objectIn } from '../write/bodies.ts'
import { parametersOf } from '../query.ts'
import { InvalidObject } from '../invalid-object.ts'

export const nsdParameters = ['connectionPoint', 'physicalNW', 'callbackURL'] as const

/** By the id of the operation. */
export const nsdHandlers = { planNsd: planOf }

function planOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const { namespace } = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'write', kind: 'L2Service', namespace })
    const { connectionPoint, physicalNW, callbackURL } = parametersOf(request, nsdParameters)
    const planned = planNsd(objectIn(request), {
      ...(connectionPoint !== undefined && { connectionPoint }),
      ...(physicalNW !== undefined && { physicalNW: physicalNW.split(',') }),
      ...(callbackURL !== undefined && { callbackURL }),
    })
    if (planned.kind === 'refused') throw new InvalidObject(planned.problems)
    const items = planned.items.map((each) => {
      const { kind } = each
      if (!isOwnKind(kind)) return each
      return validObject(kind, withAddress({ ...each }, { kind, namespace: scopeOf(kind) === 'Namespaced' ? namespace : undefined }))
    })
    return reply.send({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items })
  }
}
