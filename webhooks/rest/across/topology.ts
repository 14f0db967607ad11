// GET /v1/topology: the network as a graph, a page of whole VNIs and physical networks at a time.
import { topologyPage } from '../../../core/views/topology/pages.ts'
import { vniMax } from '../../../core/net/segment.ts'
import { isObjectName, nameMessage } from '../../../core/admit/object/metadata.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { BadParameter } from '../invalid-object.ts'
import { flagIn, ListTokens, parametersOf, wholeIn, type Parameters } from '../query.ts'
import { namespaceIn } from './kinds-in.ts'
import type { NetworkViews } from './network-views.ts'

const limitUsual = 2_000
const limitMax = 20_000

interface TopologyQuestion {
  readonly namespace: string | undefined
  readonly vni: number | undefined
  readonly physicalNetwork: string | undefined
  readonly ports: boolean
}

export function topologyOf(deps: RestDeps, views: NetworkViews): Handler {
  return async (request, reply) => {
    const parameters = parametersOf(request, ['namespace', 'vni', 'physicalNetwork', 'ports', 'limit', 'continue'])
    const { namespace, vni, physicalNetwork, ports } = questionIn(parameters)
    const limit = wholeIn(parameters, 'limit', { max: limitMax }) ?? limitUsual
    const places = new ListTokens(deps.seal, 'continue', ['topology', namespace, vni?.toString(), physicalNetwork, String(ports)])
    const { continue: from } = places.read(parameters)
    const page = topologyPage(await views.of(request.caller, namespace), {
      ...(vni !== undefined && { vni }),
      ...(physicalNetwork !== undefined && { physicalNetwork }),
      ports,
      from,
      limit,
    })
    return reply.header('cache-control', 'no-store').send({
      nodes: page.nodes,
      edges: page.edges,
      parts: page.parts,
      ...(page.next !== undefined && { continue: places.print(page.next) }),
    })
  }
}

function questionIn(parameters: Parameters): TopologyQuestion {
  const { physicalNetwork } = parameters
  const vni = wholeIn(parameters, 'vni', { max: vniMax })
  if (physicalNetwork !== undefined && !isObjectName(physicalNetwork)) throw new BadParameter('physicalNetwork', nameMessage)
  const ports = parameters['ports'] === undefined || flagIn(parameters, 'ports')
  return { namespace: namespaceIn(parameters), vni, physicalNetwork, ports }
}
