// A Service's EndpointSlices: the addresses of its pods' Ports, beside those that Kubernetes makes of the pods' own addresses.
import type { Draft } from '../../contracts/store.ts'
import type { EndpointSliceSpec, SliceEndpoint, SlicePort } from '../../kinds/foreign-services.ts'
import { apiVersionOf, refOf, type Resource } from '../../kinds/index.ts'
import { derivedName } from '../../net/names.ts'
import { sameJson } from '../../same-json.ts'
import type { Step } from '../plan.ts'
import { canServe, conditionsOf, targetPortOf, type Member } from './members.ts'

type Slice = Resource<'EndpointSlice'>
type AddressType = EndpointSliceSpec['addressType']

export type SliceAction =
  | { readonly do: 'makeSlice'; readonly draft: Draft<'EndpointSlice'> }
  | { readonly do: 'changeSlice'; readonly slice: Slice; readonly spec: EndpointSliceSpec }
  | { readonly do: 'deleteSlice'; readonly slice: Slice }

/** As Kubernetes' own have at most, unless told otherwise. */
export const endpointsPerSlice = 100

export const managedByLabel = 'endpointslice.kubernetes.io/managed-by'
export const serviceNameLabel = 'kubernetes.io/service-name'
export const managedBy = 'megrez.io'
/** kube-proxy leaves alone what has it: it would send to addresses that the node's own network does not reach. */
const proxyLabel = 'service.kubernetes.io/service-proxy-name'

/** Endpoints of one family that listen at the same ports: they may stand in one slice. */
interface Group {
  readonly addressType: AddressType
  readonly ports: readonly SlicePort[]
  readonly endpoints: readonly SliceEndpoint[]
}

/** Of a Service that is to have none no members are given. */
export function sliceSteps(
  service: Resource<'Service'>,
  members: readonly Member[],
  there: readonly Slice[],
): readonly Step<SliceAction>[] {
  const because = { rule: 'who serves a Service, in slices', of: refOf(service) }
  const wanted = new Map(groupsOf(service, members).flatMap((group) => placed(group, service, there)))
  const kept = there.flatMap((slice): readonly SliceAction[] => {
    const spec = wanted.get(slice.metadata.name)
    if (spec === undefined) return [{ do: 'deleteSlice', slice }]
    return sameJson(spec, slice.spec) ? [] : [{ do: 'changeSlice', slice, spec }]
  })
  const names = new Set(there.map(({ metadata }) => metadata.name))
  const made = [...wanted].flatMap(([name, spec]): readonly SliceAction[] =>
    names.has(name) ? [] : [{ do: 'makeSlice', draft: draftOf(service, name, spec) }],
  )
  return [...made, ...kept].map((action) => ({ action, because }))
}

function groupsOf(service: Resource<'Service'>, members: readonly Member[]): readonly Group[] {
  const groups = new Map<string, Group & { readonly endpoints: SliceEndpoint[] }>()
  for (const member of members.filter(canServe))
    for (const address of member.port.status?.addresses ?? []) {
      const addressType = address.includes(':') ? 'IPv6' : 'IPv4'
      const ports = portsOf(service, member)
      const key = JSON.stringify([addressType, ports])
      const group = groups.get(key) ?? { addressType, ports, endpoints: [] }
      group.endpoints.push(sliceEndpointOf(service, member, address))
      groups.set(key, group)
    }
  return [...groups.values()]
}

/** A pod that has no port of a name is no endpoint of it. */
const portsOf = ({ spec }: Resource<'Service'>, { pod }: Member): readonly SlicePort[] =>
  (spec.ports ?? []).flatMap((each) => {
    const port = targetPortOf(each, pod)
    return port === 0 ? [] : [{ name: each.name ?? '', protocol: each.protocol ?? 'TCP', port }]
  })

function sliceEndpointOf({ spec }: Resource<'Service'>, member: Member, address: string): SliceEndpoint {
  const { namespace = '', name, uid } = member.pod.metadata
  const node = member.port.spec.node
  return {
    addresses: [address],
    conditions: conditionsOf(member, spec),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(node !== undefined && { nodeName: node }),
  }
}

/** Who stands in a slice stays in it, so that one who comes or goes changes one of them. */
function placed(group: Group, service: Resource<'Service'>, there: readonly Slice[]): readonly (readonly [string, EndpointSliceSpec])[] {
  const { addressType, ports } = group
  const slices = new Map<string, SliceEndpoint[]>()
  const nameOf = (i: number): string =>
    derivedName(service.metadata.name, ['slice', service.metadata.uid, addressType, JSON.stringify(ports), String(i)], 253)
  const mine = there.filter(({ spec }) => spec.addressType === addressType && sameJson(spec.ports, ports))
  const placeOf = new Map(
    mine.flatMap(({ metadata, spec }) => spec.endpoints.map(({ addresses }) => [addresses[0], metadata.name] as const)),
  )
  const put = (name: string, endpoint: SliceEndpoint): void => void slices.set(name, [...(slices.get(name) ?? []), endpoint])
  const inOrder = [...group.endpoints].sort((a, b) => (a.targetRef.name < b.targetRef.name ? -1 : 1))
  const isNew = ({ addresses }: SliceEndpoint): boolean => !placeOf.has(addresses[0])
  for (const endpoint of inOrder.filter((each) => !isNew(each))) put(placeOf.get(endpoint.addresses[0])!, endpoint)
  let i = 0
  for (const endpoint of inOrder.filter(isNew)) {
    while ((slices.get(nameOf(i)) ?? []).length >= endpointsPerSlice) i++
    put(nameOf(i), endpoint)
  }
  return [...slices].map(([name, endpoints]) => [name, { addressType, endpoints, ports }])
}

function draftOf({ metadata }: Resource<'Service'>, name: string, spec: EndpointSliceSpec): Draft<'EndpointSlice'> {
  const owner = { apiVersion: apiVersionOf('Service'), kind: 'Service', name: metadata.name, uid: metadata.uid }
  return {
    kind: 'EndpointSlice',
    metadata: {
      name,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      labels: { [serviceNameLabel]: metadata.name, [managedByLabel]: managedBy, [proxyLabel]: managedBy },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
    spec,
  }
}
