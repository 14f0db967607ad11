// GET /v1/explain/…: why an object is as it is, step by step; of a pod each Nic, of a Port also what its node does for it.
import type { Resource } from '../../../core/kinds/index.ts'
import { explanationOf } from '../../../core/views/explain/explain.ts'
import { explainFromObject } from '../../../core/views/explain/planes.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { parametersOf } from '../query.ts'
import { interfacesOf } from '../policy/interfaces.ts'
import { gather } from './gather.ts'
import { objectOf } from './one.ts'

/** By the id of the operation. */
export const explainHandlers = { explain: explainOf, explainCluster: explainOf }

function explainOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    parametersOf(request, [])
    const item = await objectOf(request, deps)
    const { namespace, name } = item.metadata
    const all = item.kind === 'Pod' ? await gather(deps, request.caller, 'Port', { namespace }) : []
    const ports = (all ?? []).filter(({ spec }) => spec.claim?.pod === name)
    const interfaces = await interfacesOf(item, deps, request.caller)
    const plane = item.kind === 'Port' ? explainFromObject(item as unknown as Resource<'Port'>) : undefined
    return reply.header('cache-control', 'no-store').send({
      ...explanationOf(item, { ports, agents: deps.admission.settings.agents === true }),
      ...(interfaces && { interfaces }),
      ...(plane && { plane }),
    })
  }
}
