// Policies that are not ours: as much of them as we read, as schemas, since standalone REST takes them. Networking v1, and both generations
// of policy.networking.k8s.io.
import { Type, type Static } from 'typebox'
import { LabelSelector } from './policy/label-selector.ts'
import { closed, OneOf } from './meta.ts'

/** More is refused at the door, and whatever an API server has taken is read all the same. */
const many = { maxItems: 256 }
const l4Port = Type.Integer({ minimum: 1, maximum: 65535 })
const cidr = Type.String({ maxLength: 49 })

const NetworkPolicyPort = Type.Object(
  {
    protocol: Type.Optional(OneOf(['TCP', 'UDP', 'SCTP'])),
    port: Type.Optional(
      Type.Union([l4Port, Type.String({ minLength: 1, maxLength: 15 })], { description: "a number, or the name of a container's port" }),
    ),
    endPort: Type.Optional(l4Port),
  },
  closed,
)
const NetworkPolicyPeer = Type.Object(
  {
    podSelector: Type.Optional(LabelSelector),
    namespaceSelector: Type.Optional(LabelSelector),
    ipBlock: Type.Optional(Type.Object({ cidr, except: Type.Optional(Type.Array(cidr, many)) }, closed)),
  },
  closed,
)
const ports = Type.Optional(Type.Array(NetworkPolicyPort, many))

/** networking.k8s.io/v1. */
const NetworkPolicySpec = Type.Object(
  {
    podSelector: Type.Optional(LabelSelector),
    policyTypes: Type.Optional(Type.Array(OneOf(['Ingress', 'Egress']), { maxItems: 2 })),
    ingress: Type.Optional(Type.Array(Type.Object({ from: Type.Optional(Type.Array(NetworkPolicyPeer, many)), ports }, closed), many)),
    egress: Type.Optional(Type.Array(Type.Object({ to: Type.Optional(Type.Array(NetworkPolicyPeer, many)), ports }, closed), many)),
  },
  closed,
)

/** Whom a cluster-wide policy selects: all pods of some namespaces, or some of them. */
const namespacesOrPods = {
  namespaces: Type.Optional(LabelSelector),
  pods: Type.Optional(Type.Object({ namespaceSelector: Type.Optional(LabelSelector), podSelector: Type.Optional(LabelSelector) }, closed)),
}
const NamespacesOrPods = Type.Object(namespacesOrPods, closed)
const ClusterPeer = Type.Object(
  {
    ...namespacesOrPods,
    networks: Type.Optional(Type.Array(cidr, many)),
    nodes: Type.Optional(LabelSelector),
    domainNames: Type.Optional(Type.Array(Type.String({ maxLength: 253 }), many)),
  },
  closed,
)
const clusterRule = {
  name: Type.Optional(Type.String({ maxLength: 100 })),
  from: Type.Optional(Type.Array(ClusterPeer, many)),
  to: Type.Optional(Type.Array(ClusterPeer, many)),
}
const priority = Type.Integer({ minimum: 0, maximum: 1000 })
const protocol = Type.Optional(OneOf(['TCP', 'UDP', 'SCTP']))

const AdminPort = Type.Object(
  {
    portNumber: Type.Optional(Type.Object({ protocol, port: l4Port }, closed)),
    portRange: Type.Optional(Type.Object({ protocol, start: l4Port, end: l4Port }, closed)),
    namedPort: Type.Optional(Type.String({ maxLength: 15 })),
  },
  closed,
)
const AdminRule = Type.Object(
  { ...clusterRule, action: OneOf(['Allow', 'Deny', 'Pass']), ports: Type.Optional(Type.Array(AdminPort, many)) },
  closed,
)
const rulesOf = <T extends typeof AdminRule | typeof ClusterNetworkPolicyRule>(rule: T) => ({
  ingress: Type.Optional(Type.Array(rule, many)),
  egress: Type.Optional(Type.Array(rule, many)),
})

const DestinationPort = Type.Object(
  {
    destinationPort: Type.Optional(
      Type.Object({ number: Type.Optional(l4Port), range: Type.Optional(Type.Object({ start: l4Port, end: l4Port }, closed)) }, closed),
    ),
  },
  closed,
)
const ClusterProtocol = Type.Object(
  {
    tcp: Type.Optional(DestinationPort),
    udp: Type.Optional(DestinationPort),
    sctp: Type.Optional(DestinationPort),
    destinationNamedPort: Type.Optional(Type.String({ maxLength: 15 })),
  },
  closed,
)
const ClusterNetworkPolicyRule = Type.Object(
  { ...clusterRule, action: OneOf(['Accept', 'Deny', 'Pass']), protocols: Type.Optional(Type.Array(ClusterProtocol, many)) },
  closed,
)

export const foreignPolicySpecs = {
  NetworkPolicy: NetworkPolicySpec,
  /** policy.networking.k8s.io/v1alpha1. */
  AdminNetworkPolicy: Type.Object({ priority, subject: NamespacesOrPods, ...rulesOf(AdminRule) }, closed),
  BaselineAdminNetworkPolicy: Type.Object({ subject: NamespacesOrPods, ...rulesOf(AdminRule) }, closed),
  /** v1alpha2, and v1beta1 after it. */
  ClusterNetworkPolicy: Type.Object(
    { tier: OneOf(['Admin', 'Baseline']), priority, subject: NamespacesOrPods, ...rulesOf(ClusterNetworkPolicyRule) },
    closed,
  ),
} as const

export type ForeignPolicy = keyof typeof foreignPolicySpecs
export const foreignPolicies = Object.keys(foreignPolicySpecs) as readonly ForeignPolicy[]
export type ForeignPolicySpec<K extends ForeignPolicy> = Static<(typeof foreignPolicySpecs)[K]>

export type NetworkPolicyPeer = Static<typeof NetworkPolicyPeer>
export type NetworkPolicyPort = Static<typeof NetworkPolicyPort>
export type NamespacesOrPods = Static<typeof NamespacesOrPods>
export type ClusterPeer = Static<typeof ClusterPeer>
export type AdminRule = Static<typeof AdminRule>
export type AdminPort = Static<typeof AdminPort>
export type ClusterNetworkPolicyRule = Static<typeof ClusterNetworkPolicyRule>
export type ClusterProtocol = Static<typeof ClusterProtocol>
