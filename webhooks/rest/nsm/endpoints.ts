// GET …/networkservices/{name}/endpoints: Find of Network Service Mesh's registry, for a client with these labels; once, or followed.
import type { FastifyRequest } from 'fastify'
import { candidatesOf } from '../../../core/nsm/find.ts'
import type { Labels } from '../../../core/nsm/match.ts'
import { nsmNameOf } from '../../../core/nsm/named.ts'
import { mayDo, storeFor } from '../../plugins/access.ts'
import { everyOf } from '../across/gather.ts'
import { mustGet, paramsOf } from '../address.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { BadParameter } from '../invalid-object.ts'
import { flagIn, parametersOf, type Parameters } from '../query.ts'
import { refuseHead, sendStream } from '../watch.ts'
import { EndpointsWatch } from './endpoints-watch.ts'

/** By the id of the operation. */
export const nsmHandlers = { findEndpoints: findOf }

function findOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const { parameters, labels } = questionIn(request)
    const watching = flagIn(parameters, 'watch')
    const { namespace = '', name = '' } = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'read', kind: 'NetworkService', namespace, verb: watching ? 'watch' : 'get', name })
    const verb = watching ? 'watch' : 'list'
    await mayDo(deps, request.caller, { act: 'read', kind: 'NetworkServiceEndpoint', namespace, verb })
    const store = storeFor(deps, request.caller)
    const service = await mustGet(store, { kind: 'NetworkService', namespace, name })
    if (watching) {
      refuseHead(request, reply)
      const watch = new EndpointsWatch(deps, request, { namespace, name, labels })
      void watch.run()
      return sendStream(reply, watch.stream)
    }
    const endpoints = await everyOf(deps, request.caller, 'NetworkServiceEndpoint', { namespace })
    return reply.header('cache-control', 'no-store').send({
      service: nsmNameOf(service),
      payload: service.spec.payload || 'IP',
      items: candidatesOf({ service, endpoints, labels, now: deps.clock.now() }),
    })
  }
}

const labelsMax = 64
const lengthMax = 1024

/** @throws BadParameter */
function questionIn(request: FastifyRequest): { readonly parameters: Parameters; readonly labels: Labels } {
  const { label, ...rest } = request.query as Readonly<Record<string, string | readonly string[]>>
  const given = label === undefined ? [] : typeof label === 'string' ? [label] : label
  if (given.length > labelsMax) throw new BadParameter('label', `is given ${given.length} times: ${labelsMax} labels are enough`)
  const labels = new Map<string, string>()
  for (const text of given) {
    const end = text.indexOf('=')
    if (end < 1 || text.length > lengthMax) throw new BadParameter('label', 'must be KEY=VALUE, of at most 1024 characters')
    if (labels.has(text.slice(0, end))) throw new BadParameter('label', `gives ${text.slice(0, end)} twice`)
    labels.set(text.slice(0, end), text.slice(end + 1))
  }
  return { parameters: parametersOf({ query: rest }, ['watch', 'label']), labels: Object.fromEntries(labels) }
}
