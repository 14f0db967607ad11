// The table of kinds. CRDs, the OpenAPI document, its types, REST routes and CLI lists are generated from it.
import type { Static } from 'typebox'
import type {
  DefinitionSpec,
  EventSpec,
  NamespaceSpec,
  NamespaceStatus,
  NodeSpec,
  NodeStatus,
  PodSpec,
  PodStatus,
  SecretSpec,
} from './foreign.ts'
import { foreignKinds } from './foreign.ts'
import type { EndpointSliceSpec, ServiceSpec, ServiceStatus } from './foreign-services.ts'
import type { ForeignPolicy, ForeignPolicySpec } from './foreign-policies.ts'
import type { NsmKind, NsmSpec } from './foreign-network-services.ts'
import { Audit } from './vpc/audit.ts'
import { BGPSessionGroup } from './bgp/bgp-session-group.ts'
import { BGPSpeaker } from './bgp/bgp-speaker.ts'
import { Cloud } from './vpc/cloud.ts'
import { CloudSecurityGroup } from './vpc/cloud-security-group.ts'
import { ConnectionPoint } from './l2/connection-point.ts'
import { Fabric } from './l2/fabric.ts'
import { Inquiry } from './node/inquiry.ts'
import { IPLock } from './vpc/ip-lock.ts'
import type { KindDefinition } from './kind.ts'
import { L2BridgeDomain } from './l2/l2-bridge-domain.ts'
import { L2ServiceAttachment } from './l2/l2-service-attachment.ts'
import { L2Service } from './l2/l2-service.ts'
import { apiVersion, type Meta } from './meta.ts'
import { NodePool } from './l2/node-pool.ts'
import { Notice } from './notify/notice.ts'
import { PolicyIdentity } from './policy/policy-identity.ts'
import { PolicyRuleSet } from './policy/policy-rule-set.ts'
import { Port } from './vpc/port.ts'
import { PrefixLock } from './bgp/prefix-lock.ts'
import { SecurityGroup } from './vpc/security-group.ts'
import { SegmentLock } from './vpc/segment-lock.ts'
import { Connection } from './services/connection.ts'
import { EndpointScaler } from './services/endpoint-scaler.ts'
import { ServiceAddress } from './services/service-address.ts'
import { Subnet } from './vpc/subnet.ts'
import { Subscription } from './notify/subscription.ts'
import { UnifiedNetworkPolicy } from './policy/unified-network-policy.ts'
import { Vpc } from './vpc/vpc.ts'
import { EgressAddress } from './egress/egress-address.ts'
import { EgressClass } from './egress/egress-class.ts'
import { VpcPeering } from './vpc/vpc-peering.ts'

export const kinds = {
  Vpc,
  Subnet,
  Port,
  IPLock,
  SegmentLock,
  SecurityGroup,
  Subscription,
  Notice,
  L2Service,
  L2ServiceAttachment,
  ConnectionPoint,
  NodePool,
  Fabric,
  L2BridgeDomain,
  Inquiry,
  Cloud,
  CloudSecurityGroup,
  Audit,
  UnifiedNetworkPolicy,
  PolicyIdentity,
  PolicyRuleSet,
  BGPSessionGroup,
  BGPSpeaker,
  PrefixLock,
  VpcPeering,
  EgressClass,
  EgressAddress,
  ServiceAddress,
  Connection,
  EndpointScaler,
} as const
export type OwnKind = keyof typeof kinds

export interface Foreign extends ForeignPolicies, NsmKinds {
  Pod: { spec: PodSpec; status: PodStatus }
  Node: { spec: NodeSpec; status: NodeStatus }
  Namespace: { spec: NamespaceSpec; status: NamespaceStatus }
  Event: { spec: EventSpec; status: never }
  NetworkAttachmentDefinition: { spec: DefinitionSpec; status: never }
  Secret: { spec: SecretSpec; status: never }
  Service: { spec: ServiceSpec; status: ServiceStatus }
  EndpointSlice: { spec: EndpointSliceSpec; status: never }
}
type NsmKinds = { readonly [K in NsmKind]: { spec: NsmSpec<K>; status: never } }
type ForeignPolicies = { readonly [K in ForeignPolicy]: { spec: ForeignPolicySpec<K>; status: never } }
export type Kind = OwnKind | keyof Foreign

export type SpecOf<K extends Kind> = K extends OwnKind
  ? Static<(typeof kinds)[K]['spec']>
  : K extends keyof Foreign
    ? Foreign[K]['spec']
    : never
export type StatusOf<K extends Kind> = K extends OwnKind
  ? Static<(typeof kinds)[K]['status']>
  : K extends keyof Foreign
    ? Foreign[K]['status']
    : never

/** An object as a store holds it. Shared and never changed in place. */
export interface Resource<K extends Kind = Kind> {
  readonly apiVersion: string
  readonly kind: K
  readonly metadata: Meta
  readonly spec: SpecOf<K>
  readonly status?: StatusOf<K>
}

/** Which object: by name. */
export interface Ref<K extends Kind = Kind> {
  readonly kind: K
  readonly namespace?: string
  readonly name: string
}

export const isOwnKind = (kind: string): kind is OwnKind => Object.hasOwn(kinds, kind)
/** Nobody may list Secrets; and Services with those who serve them are an API server's, which standalone there is none of. */
const unoffered = ['Secret', 'Service', 'EndpointSlice'] as const satisfies readonly Kind[]
export type OfferedKind = Exclude<Kind, (typeof unoffered)[number]>
/** All kinds that may be read. */
export const allKinds: readonly Kind[] = [
  ...(Object.keys(kinds) as OwnKind[]),
  ...(Object.keys(foreignKinds) as (keyof Foreign)[]).filter((kind) => !unoffered.some((each) => each === kind)),
]
export const definitionOf = (kind: OwnKind): KindDefinition => kinds[kind] as unknown as KindDefinition
export const apiVersionOf = (kind: Kind): string => (isOwnKind(kind) ? apiVersion : foreignKinds[kind].apiVersion)
/** The API group; empty for the core of Kubernetes. */
export const groupOf = (kind: Kind): string => /^(.*)\//.exec(apiVersionOf(kind))?.[1] ?? ''
export const pluralOf = (kind: Kind): string => (isOwnKind(kind) ? kinds[kind].plural : foreignKinds[kind].plural)
export const scopeOf = (kind: Kind): 'Namespaced' | 'Cluster' => (isOwnKind(kind) ? kinds[kind].scope : foreignKinds[kind].scope)

export const refOf = <K extends Kind>(item: Resource<K>): Ref<K> =>
  item.metadata.namespace === undefined
    ? { kind: item.kind, name: item.metadata.name }
    : { kind: item.kind, namespace: item.metadata.namespace, name: item.metadata.name }

/** `namespace/name`, or `name` for cluster kinds: the key of an object within its kind, and the only thing a queue carries. */
export const keyOf = (ref: { readonly namespace?: string; readonly name: string }): string =>
  ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`
export const keyOfItem = (item: Resource): string => keyOf(item.metadata)
/** The key of what an object names in its own namespace. */
export const inNamespaceOf = ({ metadata }: Pick<Resource, 'metadata'>, name: string): string => `${metadata.namespace ?? ''}/${name}`

export function refFromKey<K extends Kind>(kind: K, key: string): Ref<K> {
  const slash = key.indexOf('/')
  return slash < 0 ? { kind, name: key } : { kind, namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}

/** `name` or `namespace/name` as written in a spec, seen from the namespace it is written in. */
export function resolveReference(reference: string, from: string): { readonly namespace: string; readonly name: string } {
  const slash = reference.indexOf('/')
  return slash < 0 ? { namespace: from, name: reference } : { namespace: reference.slice(0, slash), name: reference.slice(slash + 1) }
}
