// A Port that is an endpoint of a NetworkService: as the registry of network services knows it, and the SecurityGroups by which it and its
// clients reach each other and nobody else. All of them come and go with it.
import type { Draft } from '../../contracts/store.ts'
import { apiVersionOf, refOf, type Resource, type SpecOf } from '../../kinds/index.ts'
import { endpointGroupName } from '../../net/names.ts'
import { sameJson } from '../../same-json.ts'
import { inPlace, type Plan, type Step } from '../plan.ts'

type Port = Resource<'Port'>
type Endpoint = Resource<'NetworkServiceEndpoint'>

type Group = Resource<'SecurityGroup'>

export type EndpointAction =
  | { readonly do: 'register'; readonly draft: Draft<'NetworkServiceEndpoint'> }
  | { readonly do: 'correct'; readonly endpoint: Endpoint; readonly spec: SpecOf<'NetworkServiceEndpoint'> }
  | { readonly do: 'unregister'; readonly endpoint: Endpoint }
  | { readonly do: 'makeGroup'; readonly draft: Draft<'SecurityGroup'> }
  | { readonly do: 'correctGroup'; readonly group: Group; readonly spec: SpecOf<'SecurityGroup'> }
  | { readonly do: 'deleteGroup'; readonly group: Group }

export interface EndpointDesired {
  /** Undefined: there is none of that name, as the store itself says where something is left of it. */
  readonly port: Port | undefined
  /** Of its name. */
  readonly endpoint: Endpoint | undefined
  /** That there are: its own, and that of its clients. */
  readonly groups: readonly Group[]
}

const scheme = 'port://'
export const portUrl = (port: Pick<Port, 'metadata'>): string => `${scheme}${port.metadata.namespace ?? ''}/${port.metadata.name}`

/** `namespace/name` of the Port that an endpoint is; undefined: it is something else. Whoever may write one may name any Port. */
export function portOfEndpoint({ spec: { url }, metadata: { namespace, name } }: Endpoint): string | undefined {
  const key = `${namespace ?? ''}/${name}`
  return url === `${scheme}${key}` ? key : undefined
}

/** The Port stays an endpoint: its phase is another matter. */
export const isEndpoint = (port: Port | undefined): boolean =>
  port?.spec.networkService?.as === 'endpoint' && port.metadata.deletionTimestamp === undefined

/** Nobody chooses it before its groups are there, and they go after it: whoever has it is moved first. */
export function planEndpoint({ port, endpoint, groups }: EndpointDesired): Plan<EndpointAction> {
  const steps = [...groupSteps(port, groups), ...stepsFor(port, endpoint)]
  return { ...inPlace('InPlace', 'it is as its Port'), steps: isEndpoint(port) ? steps : steps.reverse() }
}

function groupSteps(port: Port | undefined, groups: readonly Group[]): readonly Step<EndpointAction>[] {
  const isKept = (group: Group): boolean => port !== undefined && isEndpoint(port) && isOwnedBy(group, port)
  const gone = groups.filter((group) => !isKept(group) && isOwnedByPort(group) && group.metadata.deletionTimestamp === undefined)
  return [
    ...gone.map((group): Step<EndpointAction> => ({
      action: { do: 'deleteGroup', group },
      because: { rule: 'a SecurityGroup whose endpoint is gone', of: refOf(group) },
    })),
    ...(port === undefined || !isEndpoint(port) ? [] : sides.flatMap((side) => groupStep(port, side, groups))),
  ]
}

export const sides = ['endpoint', 'clients'] as const
type Side = (typeof sides)[number]

function groupStep(port: Port, side: Side, groups: readonly Group[]): readonly Step<EndpointAction>[] {
  const name = endpointGroupName(port.metadata.name, side)
  const group = groups.find(({ metadata }) => metadata.name === name)
  const spec = { rules: rulesTo(endpointGroupName(port.metadata.name, side === 'endpoint' ? 'clients' : 'endpoint')) }
  const because = { rule: 'an endpoint and its clients reach each other, and nobody else', of: refOf(port) }
  if (group === undefined)
    return [{ action: { do: 'makeGroup', draft: { kind: 'SecurityGroup', metadata: ownedBy(port, name), spec } }, because }]
  return !isOwnedBy(group, port) || sameJson(group.spec, spec) ? [] : [{ action: { do: 'correctGroup', group, spec }, because }]
}

const rulesTo = (remoteGroup: string): NonNullable<SpecOf<'SecurityGroup'>['rules']> =>
  (['ingress', 'egress'] as const).flatMap((direction) =>
    (['IPv4', 'IPv6'] as const).map((etherType) => ({ direction, etherType, remoteGroup })),
  )

const isOwnedByPort = ({ metadata: { ownerReferences = [] } }: Group): boolean => ownerReferences.some(({ kind }) => kind === 'Port')

/** Of a group that is an endpoint's, or its clients': the key of the Port. */
export function portOfGroup({ metadata: { namespace = '', name, ownerReferences = [] } }: Group): string | undefined {
  const owner = ownerReferences.find(({ kind }) => kind === 'Port')
  return owner !== undefined && sides.some((side) => endpointGroupName(owner.name, side) === name)
    ? `${namespace}/${owner.name}`
    : undefined
}

function stepsFor(port: Port | undefined, endpoint: Endpoint | undefined): readonly Step<EndpointAction>[] {
  if (port === undefined || !isEndpoint(port)) return endpoint === undefined ? [] : gone(endpoint)
  const spec = specOf(port)
  const because = { rule: 'a Port that is an endpoint of a NetworkService', of: refOf(port) }
  if (endpoint === undefined) return [{ action: { do: 'register', draft: draftOf(port, spec) }, because }]
  // One of that name that is not this Port's is somebody's own.
  if (!isOwnedBy(endpoint, port)) return portOfEndpoint(endpoint) === undefined ? [] : gone(endpoint)
  return sameJson(endpoint.spec, spec) ? [] : [{ action: { do: 'correct', endpoint, spec }, because }]
}

function gone(endpoint: Endpoint): readonly Step<EndpointAction>[] {
  const isOurs = portOfEndpoint(endpoint) !== undefined && endpoint.metadata.deletionTimestamp === undefined
  const because = { rule: 'an endpoint whose Port is gone', of: refOf(endpoint) }
  return isOurs ? [{ action: { do: 'unregister', endpoint }, because }] : []
}

export const isOwnedBy = ({ metadata: { ownerReferences = [] } }: Endpoint | Group, port: Port): boolean =>
  ownerReferences.some(({ uid }) => uid === port.metadata.uid)

function specOf(port: Port): SpecOf<'NetworkServiceEndpoint'> {
  const { name, labels = {} } = port.spec.networkService!
  const service = name.slice(name.indexOf('/') + 1)
  return {
    name: port.metadata.name,
    network_service_names: [service],
    network_service_labels: { [service]: { labels: { ...labels } } },
    url: portUrl(port),
  }
}

function draftOf(port: Port, spec: SpecOf<'NetworkServiceEndpoint'>): Draft<'NetworkServiceEndpoint'> {
  return { kind: 'NetworkServiceEndpoint', metadata: ownedBy(port, port.metadata.name), spec }
}

/** Whose end is that of its Port. */
export function ownedBy({ metadata: { namespace = '', name: port, uid } }: Port, name: string): Draft['metadata'] {
  return { namespace, name, ownerReferences: [{ apiVersion: apiVersionOf('Port'), kind: 'Port', name: port, uid }] }
}
