// Who serves a Service: Ports of the pods that it selects, and how each stands.
import { containerPortsOf } from '../../kinds/container-ports.ts'
import type { ServicePort, ServiceSpec, SliceEndpoint } from '../../kinds/foreign-services.ts'
import type { Resource } from '../../kinds/index.ts'
import { mostEndpoints, type ServiceAddressSpec } from '../../kinds/services/service-address.ts'
import { isPodFinished } from '../pod/pod.ts'
import { onNode } from '../vpc/on-node.ts'

/** A pod and its Port in the Vpc of the pool. */
export interface Member {
  readonly pod: Resource<'Pod'>
  readonly port: Resource<'Port'>
}
type Endpoint = ServiceAddressSpec['endpoints'][number]
type Labels = Readonly<Record<string, string>>

/** Without a selector somebody else says who serves it. */
export function selectsPod({ selector }: ServiceSpec, labels: Labels = {}): boolean {
  const wanted = Object.entries(selector ?? {})
  return wanted.length > 0 && wanted.every(([name, value]) => labels[name] === value)
}

/** As Kubernetes' own slices say it (discovery.k8s.io/v1, EndpointConditions). */
export function conditionsOf({ pod }: Member, { publishNotReadyAddresses = false }: ServiceSpec): SliceEndpoint['conditions'] {
  const serving = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
  const terminating = pod.metadata.deletionTimestamp !== undefined
  return { ready: publishNotReadyAddresses || (serving && !terminating), serving, terminating }
}

/** It has addresses, and its pod may still run. */
export const canServe = ({ pod, port }: Member): boolean =>
  !isPodFinished(pod) && port.status?.phase === 'ready' && (port.status.addresses ?? []).length > 0

/** The number that a pod listens at; 0: it has no port of that name. */
export function targetPortOf({ port, protocol = 'TCP', targetPort = port }: ServicePort, pod: Resource<'Pod'>): number {
  if (typeof targetPort === 'number') return targetPort === 0 ? port : targetPort
  return containerPortsOf(pod)[`${protocol.toLowerCase()}/${targetPort}`] ?? 0
}

export interface Endpoints {
  /** By the names of their Ports. */
  readonly endpoints: readonly Endpoint[]
  /** Those for which there was no room. */
  readonly leftOut: number
}

/** Who is told to nodes: of too many those that are ready first. */
export function endpointsOf(spec: ServiceSpec, members: readonly Member[]): Endpoints {
  const all = members.flatMap((member) => endpointOf(member, spec) ?? [])
  const kept = [...all].sort((a, b) => order(a.state === b.state ? 0 : a.state === 'ready' ? -1 : 1, a, b)).slice(0, mostEndpoints)
  return { endpoints: kept.sort((a, b) => order(0, a, b)), leftOut: all.length - kept.length }
}
const order = (first: number, a: Endpoint, b: Endpoint): number => first || (a.port < b.port ? -1 : 1)

function endpointOf(member: Member, spec: ServiceSpec): Endpoint | undefined {
  const { pod, port } = member
  const state = canServe(member) ? stateOf(conditionsOf(member, spec)) : undefined
  const node = onNode(port) ? port.spec.node : undefined
  if (node === undefined || state === undefined) return undefined
  return {
    port: port.metadata.name,
    node,
    addresses: [...(port.status?.addresses ?? [])],
    targetPorts: (spec.ports ?? []).map((each) => targetPortOf(each, pod)),
    state,
  }
}

function stateOf({ ready, serving, terminating }: SliceEndpoint['conditions']): Endpoint['state'] | undefined {
  if (terminating) return ready || serving ? 'draining' : undefined
  return ready ? 'ready' : undefined
}
