// Whoever has an address of a VNI, as policies look at it.
import { containerPortsOf } from '../kinds/container-ports.ts'
import { unifiedPolicyAnnotation } from '../kinds/annotations.ts'
import { inNamespaceOf, resolveReference, type Resource } from '../kinds/index.ts'
import { endpointGroupName } from '../net/names.ts'
import { noEndpoint } from '../kinds/services/connection.ts'
import { holds, type Labels } from './label-selector.ts'
import type { CommonPolicy } from './one-form.ts'

export interface Member {
  readonly namespace: string
  readonly labels: Labels
  readonly namespaceLabels: Labels
  /** `namespace/name`. */
  readonly securityGroups: readonly string[]
  /** `namespace/name` of its Port. */
  readonly port: string
  /** Named ports of its containers: `tcp/http` → 80. */
  readonly containerPorts: Readonly<Record<string, number>>
  /** The UnifiedNetworkPolicy that its pod's annotation names. */
  readonly unified?: string
}

export interface AroundPort {
  /** Whose labels count; without a pod the Port's own do. */
  readonly pod?: Resource<'Pod'> | undefined
  readonly namespace?: Resource<'Namespace'> | undefined
  /** A SecurityGroup `default` is in the Port's namespace. */
  readonly hasDefaultGroup: boolean
}

/** The SecurityGroup that Ports without one have, where their namespace has it. */
export const defaultGroup = 'default'

export function memberOf(port: Resource<'Port'>, around: AroundPort): Member {
  const { namespace = '', name } = port.metadata
  const { labels = {}, annotations = {} } = (around.pod ?? port).metadata
  const unified = annotations[unifiedPolicyAnnotation]
  return {
    namespace,
    labels,
    namespaceLabels: namespaceLabelsOf(namespace, around.namespace),
    securityGroups: isWithoutGroup(port) && !around.hasDefaultGroup ? [] : namedGroupsOf(port),
    port: `${namespace}/${name}`,
    containerPorts: around.pod === undefined ? {} : containerPortsOf(around.pod),
    ...(unified !== undefined && { unified }),
  }
}

/** A pod in a VLAN of an external network: no Port is there, and no SecurityGroup. */
export function memberOfPod(pod: Resource<'Pod'>, namespace: Resource<'Namespace'> | undefined): Member {
  const { namespace: its = '', labels = {}, annotations = {} } = pod.metadata
  const unified = annotations[unifiedPolicyAnnotation]
  return {
    namespace: its,
    labels,
    namespaceLabels: namespaceLabelsOf(its, namespace),
    securityGroups: [],
    port: '',
    containerPorts: containerPortsOf(pod),
    ...(unified !== undefined && { unified }),
  }
}

/** Every namespace can be selected by its name (Kubernetes, "Automatic labelling"), also one that no object stands for. */
export const namespaceLabelsOf = (name: string, namespace?: Resource<'Namespace'>): Labels => ({
  ...namespace?.metadata.labels,
  'kubernetes.io/metadata.name': name,
})

/** `namespace/name` of each SecurityGroup that a Port names, or of the default one where it names none: whether that is there or not. */
export const namedGroupsOf = (port: Resource<'Port'>): readonly string[] =>
  isWithoutGroup(port) ? [inNamespaceOf(port, defaultGroup)] : groupsAsked(port)

const isWithoutGroup = ({ spec }: Resource<'Port'>): boolean =>
  spec.networkService === undefined && (spec.securityGroups ?? []).length === 0

/**
 * `namespace/name` of each SecurityGroup that a Port names itself: until they are there nothing passes. Of a NetworkService's Port it is
 * the endpoint's, or that of the clients of the endpoint that it has, whatever else it says.
 */
export function groupsAsked(port: Resource<'Port'>): readonly string[] {
  const of = port.spec.networkService
  if (of === undefined) return [...new Set(port.spec.securityGroups ?? [])].map((name) => inNamespaceOf(port, name))
  if (of.as === 'endpoint') return [inNamespaceOf(port, endpointGroupName(port.metadata.name, 'endpoint'))]
  if (of.endpointPort === undefined) return [inNamespaceOf(port, noEndpoint)]
  const { namespace, name } = resolveReference(of.endpointPort, port.metadata.namespace ?? '')
  return [`${namespace}/${endpointGroupName(name, 'clients')}`]
}

/** Whether a policy that selects by labels is about it. */
export function isSelected({ subjects: { namespace, namespaceLabels = [], labels = [] } }: CommonPolicy, member: Member): boolean {
  if (namespace !== undefined && namespace !== member.namespace) return false
  return holds(labels, member.labels) && (namespaceLabels.length === 0 || holds(namespaceLabels, member.namespaceLabels))
}
