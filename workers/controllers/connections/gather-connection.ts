// What a Connection is planned from: its Port, its NetworkService, and the endpoints that fit its labels, as they stand.
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { keyOf, keyOfItem, refFromKey, refOf, type Ref, type Resource } from '../../../core/kinds/index.ts'
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import type { Candidate } from '../../../core/plan/connections/choice.ts'
import { clientIn, chosenFor, type ConnectionDesired } from '../../../core/plan/connections/connection.ts'
import { matchEndpoints } from '../../../core/nsm/match.ts'
import { isEndpoint, portOfEndpoint } from '../../../core/plan/connections/endpoint.ts'
import type { Env } from '../../controller-env.ts'
import { isServing, isUnready } from '../../policy/serving.ts'

type Port = Resource<'Port'>
type Around = Pick<Env, 'caches' | 'config'>

const zoneLabel = 'topology.kubernetes.io/zone'

export async function gatherConnection(key: string, env: Env): Promise<ConnectionDesired | undefined> {
  const connection = env.caches.Connection.get(key)
  const port = await clientOf(key, connection, env)
  const of = clientIn(port)
  if (connection === undefined && of === undefined) return undefined
  const service = of && env.caches.NetworkService.get(of.name)
  const node = port?.spec.node
  return {
    port,
    connection,
    service,
    scaler: of && env.caches.EndpointScaler.get(of.name),
    candidates: port === undefined || service === undefined ? [] : candidatesFor(port, service, env),
    isEndpointThere: isThere(connection?.status, env),
    client: { node, zone: zoneOf(node, env) },
  }
}

/** Only the store itself can say that a client is gone. */
async function clientOf(key: string, connection: Resource<'Connection'> | undefined, { caches, store }: Env): Promise<Port | undefined> {
  const cached = caches.Port.get(key)
  const isKnown = connection === undefined || (clientIn(cached) !== undefined && cached?.metadata.uid === connection.spec.portUID)
  return isKnown ? cached : store.get(refFromKey('Port', key))
}

function isThere({ endpoint = '', endpointPort = '' }: NonNullable<Resource<'Connection'>['status']> = {}, { caches }: Around): boolean {
  return caches.NetworkServiceEndpoint.get(endpoint) !== undefined && isEndpoint(caches.Port.get(endpointPort))
}

const zoneOf = (node: string | undefined, { caches }: Around): string | undefined =>
  node === undefined ? undefined : caches.Node.get(node)?.metadata.labels?.[zoneLabel]

function candidatesFor(port: Port, service: Resource<'NetworkService'>, env: Env): readonly Candidate[] {
  const { name, labels = {} } = port.spec.networkService!
  const endpoints = [...env.caches.NetworkServiceEndpoint.by('service', name)]
  const labelsOf = ({ spec }: Resource<'NetworkServiceEndpoint'>): Readonly<Record<string, string>> =>
    spec.network_service_labels?.[service.metadata.name]?.labels ?? {}
  const fitting = new Set(matchEndpoints({ matches: service.spec.matches, labels, endpoints, labelsOf }))
  return [...fitting].flatMap((endpoint) => {
    const candidate = candidateOf(endpoint, name, env)
    return candidate !== undefined && segmentOf(candidate.port) === segmentOf(port) ? [candidate] : []
  })
}

/** A Port of ours that serves it itself: whoever may write an endpoint may name any Port. */
function candidateOf(endpoint: Resource<'NetworkServiceEndpoint'>, service: string, env: Env): Candidate | undefined {
  const port = env.caches.Port.get(portOfEndpoint(endpoint) ?? '')
  if (port === undefined || !isEndpoint(port) || port.spec.networkService?.name !== service) return undefined
  const { node } = port.spec
  const key = keyOfItem(endpoint)
  return {
    endpoint: key,
    port,
    node,
    zone: zoneOf(node, env),
    leaving: leavingOf(port, env),
    clients: () => [...env.caches.Connection.by('endpoint', key)].length,
  }
}

function leavingOf(port: Port, env: Around): Candidate['leaving'] {
  const pod = podOf(port, env)
  if (pod !== undefined && (isPodFinished(pod) || pod.metadata.deletionTimestamp !== undefined)) return 'EndpointGoing'
  if (!isServing(port, env) || (pod !== undefined && isUnready(pod))) return 'EndpointNotReady'
  return leavingAt(port, env)
}

/** What its node says, and what is said of that. */
function leavingAt({ spec, status }: Port, { caches }: Around): Candidate['leaving'] {
  if (status?.node?.unreachable === true) return 'EndpointUnreachable'
  return caches.Node.get(spec.node ?? '')?.spec.unschedulable === true ? 'NodeDrained' : undefined
}

function podOf({ spec: { claim }, metadata: { namespace = '' } }: Port, { caches }: Around): Resource<'Pod'> | undefined {
  const pod = claim && caches.Pod.get(`${namespace}/${claim.pod}`)
  return pod?.metadata.uid === claim?.podUID ? pod : undefined
}

/** All that a choice goes by: of the endpoint before, and of the one that comes. */
export function basisOfConnection(desired: ConnectionDesired, { now }: { readonly now: number }): readonly Ref[] {
  const { port, service, connection, candidates } = desired
  if (port === undefined) return []
  const { endpoint: had, endpointPort } = connection?.status ?? {}
  const { candidate } = chosenFor(desired, now)
  const before = candidates.find(({ endpoint }) => endpoint === had)
  const concerned = [...new Set([before, candidate])].filter((each) => each !== undefined)
  return [
    refOf(port),
    ...(service === undefined ? [] : [refOf(service)]),
    ...concerned.flatMap((each) => [refFromKey('NetworkServiceEndpoint', each.endpoint), ...aroundPort(each.port)]),
    ...(before === undefined ? endpointBefore(had, endpointPort) : []),
  ]
}

/** Of one that is none any more by what is known. */
const endpointBefore = (endpoint: string | undefined, port: string | undefined): readonly Ref[] =>
  endpoint === undefined || port === undefined ? [] : [refFromKey('NetworkServiceEndpoint', endpoint), refFromKey('Port', port)]

function aroundPort(port: Port): readonly Ref[] {
  const { claim, node } = port.spec
  return [
    refOf(port),
    ...(claim === undefined ? [] : [refFromKey('Pod', keyOf({ namespace: port.metadata.namespace ?? '', name: claim.pod }))]),
    ...(node === undefined ? [] : [refFromKey('Node', node)]),
  ]
}
