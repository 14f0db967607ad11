// GET /v1/topology: the network as a graph, a page of whole VNIs and physical networks at a time.
import { topologyPage } from '../../../core/views/topology/pages.ts'
import { topologyKinds, type TopologyKind, type TopologyObjects } from '../../../core/views/topology/parts.ts'
import { isWanted, partsOfTopology } from '../../../core/views/topology/topology.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { vniMax } from '../../../core/net/segment.ts'
import { isObjectName, nameMessage } from '../../../core/admit/object/metadata.ts'
import type { Caller } from '../../plugins/auth.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { BadParameter } from '../invalid-object.ts'
import { flagIn, ListTokens, parametersOf, wholeIn, type Parameters } from '../query.ts'
import { gather, holdAny, type Gathering } from './gather.ts'
import { namespaceIn } from './kinds-in.ts'

const limitUsual = 2_000
const limitMax = 20_000

/** By the id of the operation. */
export const topologyHandlers = { getTopology: topologyOf }

interface TopologyQuestion {
  readonly namespace: string | undefined
  readonly vni: number | undefined
  readonly physicalNetwork: string | undefined
  readonly ports: boolean
}

function topologyOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const parameters = parametersOf(request, ['namespace', 'vni', 'physicalNetwork', 'ports', 'limit', 'continue'])
    const question = questionIn(parameters)
    const limit = wholeIn(parameters, 'limit', { max: limitMax }) ?? limitUsual
    const { namespace, vni, physicalNetwork, ports } = question
    const places = new ListTokens(deps.seal, 'continue', ['topology', namespace, vni?.toString(), physicalNetwork, String(ports)])
    const { continue: from } = places.read(parameters)
    const wanted = { ...(vni !== undefined && { vni }), ...(physicalNetwork !== undefined && { physicalNetwork }) }
    const parts = [...partsOfTopology(await objectsFor(deps, request.caller, question), { ports })]
    const page = topologyPage(new Map(parts.filter(([key]) => isWanted(key, wanted))), { from, limit })
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

/** What a VNI alone is about is asked for alone. */
async function objectsFor(deps: RestDeps, caller: Caller, { namespace, vni, physicalNetwork }: TopologyQuestion): Promise<TopologyObjects> {
  const ofVni = vni !== undefined && physicalNetwork === undefined ? { fields: { '.status.vni': String(vni) } } : {}
  const how = (kind: TopologyKind): Gathering => ({
    namespace,
    ...(['Vpc', 'Subnet', 'Port'].includes(kind) && ofVni),
  })
  const found = await Promise.all(topologyKinds.map((kind) => gather(deps, caller, kind, how(kind))))
  holdAny(found)
  return Object.fromEntries(topologyKinds.map((kind, i) => [kind, (found[i] ?? []) as readonly Resource[]])) as unknown as TopologyObjects
}
