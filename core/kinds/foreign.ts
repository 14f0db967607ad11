// Kubernetes' own kinds that we read: as much of them as we look at. Fields we do not name pass through untouched.
import type { Condition } from './meta.ts'

export interface PodCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
  readonly [more: string]: unknown
}

export interface PodSpec {
  readonly nodeName?: string
  readonly hostNetwork?: boolean
  readonly containers?: readonly { readonly name: string; readonly image?: string; readonly [more: string]: unknown }[]
  readonly [more: string]: unknown
}
export interface PodStatus {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
  readonly conditions?: readonly PodCondition[]
  readonly [more: string]: unknown
}

export interface NodeSpec {
  /** Of its pods. */
  readonly podCIDRs?: readonly string[]
  /** Cordoned. */
  readonly unschedulable?: boolean
  readonly taints?: readonly { readonly key: string; readonly effect: string; readonly value?: string }[]
  readonly [more: string]: unknown
}
export interface NodeStatus {
  readonly addresses?: readonly { readonly type: string; readonly address: string }[]
  readonly conditions?: readonly Condition[]
  /** By the name of a resource, quantities. */
  readonly capacity?: Readonly<Record<string, string>>
  readonly allocatable?: Readonly<Record<string, string>>
  readonly [more: string]: unknown
}

export interface NamespaceSpec {
  readonly [more: string]: unknown
}
export interface NamespaceStatus {
  readonly phase?: 'Active' | 'Terminating'
  readonly [more: string]: unknown
}

/** events.k8s.io/v1, its own fields kept under spec so that one store serves all kinds. */
export interface EventSpec {
  readonly regarding: {
    readonly apiVersion: string
    readonly kind: string
    readonly namespace?: string
    readonly name: string
    readonly uid: string
  }
  readonly type: 'Normal' | 'Warning'
  /** CamelCase, for machines. */
  readonly reason: string
  readonly action: string
  readonly note: string
  readonly eventTime: string
  readonly count?: number
}

/** Its own fields kept under spec, as an Event's. Read by name, and never offered over REST as an object. */
export interface SecretSpec {
  readonly type?: string
  /** Values in base64. */
  readonly data: Readonly<Record<string, string>>
}

/** k8s.cni.cncf.io/v1, the Network Plumbing Working Group's. `config` is a CNI network configuration as JSON text. */
export interface DefinitionSpec {
  readonly config?: string
  readonly [more: string]: unknown
}

export interface ForeignKind {
  readonly kind: string
  readonly apiVersion: string
  readonly plural: string
  readonly scope: 'Namespaced' | 'Cluster'
}
export const foreignKinds = {
  Pod: { kind: 'Pod', apiVersion: 'v1', plural: 'pods', scope: 'Namespaced' },
  Node: { kind: 'Node', apiVersion: 'v1', plural: 'nodes', scope: 'Cluster' },
  Namespace: { kind: 'Namespace', apiVersion: 'v1', plural: 'namespaces', scope: 'Cluster' },
  NetworkAttachmentDefinition: {
    kind: 'NetworkAttachmentDefinition',
    apiVersion: 'k8s.cni.cncf.io/v1',
    plural: 'network-attachment-definitions',
    scope: 'Namespaced',
  },
  NetworkPolicy: { kind: 'NetworkPolicy', apiVersion: 'networking.k8s.io/v1', plural: 'networkpolicies', scope: 'Namespaced' },
  AdminNetworkPolicy: {
    kind: 'AdminNetworkPolicy',
    apiVersion: 'policy.networking.k8s.io/v1alpha1',
    plural: 'adminnetworkpolicies',
    scope: 'Cluster',
  },
  BaselineAdminNetworkPolicy: {
    kind: 'BaselineAdminNetworkPolicy',
    apiVersion: 'policy.networking.k8s.io/v1alpha1',
    plural: 'baselineadminnetworkpolicies',
    scope: 'Cluster',
  },
  ClusterNetworkPolicy: {
    kind: 'ClusterNetworkPolicy',
    apiVersion: 'policy.networking.k8s.io/v1alpha2',
    plural: 'clusternetworkpolicies',
    scope: 'Cluster',
  },
  Event: { kind: 'Event', apiVersion: 'events.k8s.io/v1', plural: 'events', scope: 'Namespaced' },
  Secret: { kind: 'Secret', apiVersion: 'v1', plural: 'secrets', scope: 'Namespaced' },
  Service: { kind: 'Service', apiVersion: 'v1', plural: 'services', scope: 'Namespaced' },
  EndpointSlice: { kind: 'EndpointSlice', apiVersion: 'discovery.k8s.io/v1', plural: 'endpointslices', scope: 'Namespaced' },
  NetworkService: { kind: 'NetworkService', apiVersion: 'networkservicemesh.io/v1', plural: 'networkservices', scope: 'Namespaced' },
  NetworkServiceEndpoint: {
    kind: 'NetworkServiceEndpoint',
    apiVersion: 'networkservicemesh.io/v1',
    plural: 'networkserviceendpoints',
    scope: 'Namespaced',
  },
} as const satisfies Record<string, ForeignKind>
