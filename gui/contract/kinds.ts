// The kinds as the contract has them. The compiler holds the table against the contract's addresses: a kind that is missing here, or
// has another plural there, does not compile.
import type { components, paths } from '../../openapi/types.ts'

type Schemas = components['schemas']
type Plural<P extends string> = P extends `${string}/${string}` | `{${string}` ? never : P
type NamespacedPlural = keyof paths extends infer P ? (P extends `/v1/namespaces/{namespace}/${infer N}/{name}` ? Plural<N> : never) : never
type ClusterPlural = keyof paths extends infer P ? (P extends `/v1/${infer N}/{name}` ? Plural<N> : never) : never
/** Addresses by name that are of no kind. */
type NoKind = 'operations' | 'secrets'

interface Row {
  readonly kind: string
  readonly namespaced: boolean
  /** What people who see one for the first time should know. */
  readonly is: string
}
type Table = {
  readonly [P in Exclude<NamespacedPlural | ClusterPlural, NoKind>]: Row & {
    readonly namespaced: P extends NamespacedPlural ? true : false
  }
}

/** In the order in which they are offered. */
const byPlural = {
  pods: { kind: 'Pod', namespaced: true, is: 'whose Nics are asked for' },
  ports: { kind: 'Port', namespaced: true, is: 'an attachment point in a Subnet: addresses, MAC, node, pod' },
  subnets: { kind: 'Subnet', namespaced: true, is: 'one block of addresses per family' },
  vpcs: { kind: 'Vpc', namespaced: true, is: "a tenant's own address space" },
  securitygroups: { kind: 'SecurityGroup', namespaced: true, is: 'what may pass a Port' },
  iplocks: { kind: 'IPLock', namespaced: true, is: 'that an address is taken' },
  segmentlocks: { kind: 'SegmentLock', namespaced: false, is: 'that a number of a segment is taken' },
  l2services: { kind: 'L2Service', namespaced: true, is: 'VLANs that pods may be attached to' },
  l2serviceattachments: { kind: 'L2ServiceAttachment', namespaced: true, is: 'L2Services as one definition of interfaces' },
  connectionpoints: { kind: 'ConnectionPoint', namespaced: false, is: 'where nodes meet a physical network' },
  nodepools: { kind: 'NodePool', namespaced: false, is: 'which nodes have which connection points' },
  unifiednetworkpolicies: { kind: 'UnifiedNetworkPolicy', namespaced: true, is: 'who may talk to pods, and whom they may talk to' },
  networkpolicies: { kind: 'NetworkPolicy', namespaced: true, is: "Kubernetes' own rules of who may talk to pods" },
  adminnetworkpolicies: { kind: 'AdminNetworkPolicy', namespaced: false, is: "the provider's rules, before everybody else's" },
  baselineadminnetworkpolicies: {
    kind: 'BaselineAdminNetworkPolicy',
    namespaced: false,
    is: "the provider's rules where nobody has others",
  },
  clusternetworkpolicies: {
    kind: 'ClusterNetworkPolicy',
    namespaced: false,
    is: "the provider's rules, before others or in place of none",
  },
  fabrics: { kind: 'Fabric', namespaced: false, is: 'switches, their ports and what is open on them' },
  l2bridgedomains: { kind: 'L2BridgeDomain', namespaced: false, is: 'a VLAN, and where it is open' },
  subscriptions: { kind: 'Subscription', namespaced: true, is: 'who is told of which changes' },
  notices: { kind: 'Notice', namespaced: true, is: 'one change that somebody is told of' },
  policyidentities: { kind: 'PolicyIdentity', namespaced: true, is: 'a number for addresses that policies cannot tell apart' },
  policyrulesets: { kind: 'PolicyRuleSet', namespaced: true, is: 'the rules of a policy, as nodes enforce them' },
  inquiries: { kind: 'Inquiry', namespaced: true, is: 'a question to a node, and its answer' },
  audits: { kind: 'Audit', namespaced: false, is: 'what disagrees with what, and what was done about it' },
  cloudsecuritygroups: { kind: 'CloudSecurityGroup', namespaced: true, is: 'a SecurityGroup as one cloud has it' },
  bgpsessiongroups: { kind: 'BGPSessionGroup', namespaced: false, is: 'which nodes speak BGP, with whom, and of what' },
  bgpspeakers: { kind: 'BGPSpeaker', namespaced: false, is: 'what one node says and hears by BGP' },
  prefixlocks: { kind: 'PrefixLock', namespaced: false, is: 'that advertised prefixes are taken' },
  vpcpeerings: { kind: 'VpcPeering', namespaced: true, is: 'one side of two Vpcs that reach each other' },
  egressclasses: { kind: 'EgressClass', namespaced: false, is: 'which Vpcs send outside, and from which addresses' },
  egressaddresses: { kind: 'EgressAddress', namespaced: true, is: 'what a Vpc sends from on a node' },
  connections: { kind: 'Connection', namespaced: true, is: 'a client of a network service, and its endpoint' },
  endpointscalers: { kind: 'EndpointScaler', namespaced: true, is: 'a Deployment that is started when a client waits' },
  serviceaddresses: { kind: 'ServiceAddress', namespaced: true, is: 'where clients reach a Service, and who serves it' },
  clouds: { kind: 'Cloud', namespaced: false, is: 'where a provider makes Vpcs' },
  networkservices: { kind: 'NetworkService', namespaced: true, is: 'what clients ask for by name, and who of them gets which endpoints' },
  networkserviceendpoints: { kind: 'NetworkServiceEndpoint', namespaced: true, is: 'who serves a NetworkService' },
  nodes: { kind: 'Node', namespaced: false, is: 'a machine that carries pods' },
  namespaces: { kind: 'Namespace', namespaced: false, is: 'a tenant' },
  'network-attachment-definitions': { kind: 'NetworkAttachmentDefinition', namespaced: true, is: 'an interface that a pod may ask for' },
  events: { kind: 'Event', namespaced: true, is: 'what happened to an object' },
} as const satisfies Table

export type PluralName = keyof typeof byPlural
export type Kind = (typeof byPlural)[PluralName]['kind'] & keyof Schemas
/** An object, whole, as REST gives it. */
export type Item<K extends Kind = Kind> = Schemas[K]

export const allKinds = Object.values(byPlural).map(({ kind }) => kind) as readonly Kind[]
const plurals = new Map<string, PluralName>(Object.entries(byPlural).map(([plural, { kind }]) => [kind, plural as PluralName]))

export const isKind = (word: string): word is Kind => plurals.has(word)
export const pluralOf = (kind: Kind): PluralName => plurals.get(kind) ?? 'ports'
export const isNamespaced = (kind: Kind): boolean => byPlural[pluralOf(kind)].namespaced
export const meaningOf = (kind: Kind): string => byPlural[pluralOf(kind)].is

/** The address of all of a kind, or of one. */
export function addressOf(kind: Kind, { namespace, name }: { readonly namespace?: string | undefined; readonly name?: string }): string {
  const within = isNamespaced(kind) && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `/v1${within}/${pluralOf(kind)}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`
}

export const keyAt = (namespace: string | undefined, name: string): string => (namespace === undefined ? name : `${namespace}/${name}`)
export const keyOf = ({ metadata: { namespace, name } }: Item): string => keyAt(namespace, name)
