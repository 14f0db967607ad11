// The caches that one process keeps: one per kind, shared by admission and workers, with the indexes either asks by.
import { isPlain, poolKeyOf } from '../../core/kinds/vpc/warm.ts'
import { readyCondition } from '../../core/kinds/meta.ts'
import { segmentAsked, segmentOf } from '../../core/kinds/vpc/segment.ts'
import { isOurService, servicePoolKey } from '../../core/admit/service/pool.ts'
import { managedBy, managedByLabel, serviceNameLabel } from '../../core/plan/services/slices.ts'
import { isNetworkByPolicy } from '../../core/admit/pod/network-by-policy.ts'
import { inNamespaceOf, resolveReference, type Kind, type Resource } from '../../core/kinds/index.ts'
import type { Store, Within } from '../../core/contracts/store.ts'
import { nsmKeyOf } from '../../core/nsm/named.ts'
import { networksOf } from '../../core/plan/pod/networks.ts'
import type { RuleSetSpec } from '../../core/kinds/policy/policy-rule-set.ts'
import { groupsAsked, namedGroupsOf } from '../../core/policy/member.ts'
import { factsText } from '../../core/policy/numbers.ts'
import { groupsInRules } from '../../core/plan/vpc/security-group.ts'
import { Cache, type IndexOf } from './cache.ts'

const some = (value: string | number | undefined): readonly string[] => (value === undefined ? [] : [String(value)])

/** The Subnet that a Port is in, as `namespace/name`. */
export function subnetKeyOf(item: Resource<'Port'>): string {
  const { namespace, name } = resolveReference(item.spec.subnet, item.metadata.namespace ?? '')
  return `${namespace}/${name}`
}

/** Every identity that a rule set tells nodes of. */
export const mentionedIn = ({ subjects, rules }: RuleSetSpec): readonly number[] => [
  ...new Set([...subjects, ...rules.flatMap(({ peers }) => peers?.identities ?? [])]),
]

const identityOf = (vni: number | undefined, number: number | undefined): readonly string[] =>
  vni === undefined || number === undefined ? [] : [`${vni}-${number}`]

/** They live where its Subnet does. */
const ruleSetsOf = (port: Resource<'Port'>): readonly string[] =>
  (port.status?.policy?.ruleSets ?? []).map(
    (name) => `${resolveReference(port.spec.subnet, port.metadata.namespace ?? '').namespace}/${name}`,
  )

const isRefused = ({ status: { cloud, conditions } = {} }: Resource<'Port'>): boolean =>
  cloud !== undefined && readyCondition(conditions)?.reason === 'Refused'

export const labelKey = (namespace: string | undefined, name: string, value: string): string => `${namespace ?? ''}/${name}=${value}`

/** One of a Service's selector is enough to find its pods by; undefined: it selects none. */
export function selectedLabelOf({ metadata, spec }: Resource<'Service'>): string | undefined {
  const [first] = Object.entries(spec.selector ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  return first && labelKey(metadata.namespace, ...first)
}

type Indexes = { readonly [K in Kind]?: Readonly<Record<string, IndexOf<K>>> }
const indexes = {
  Cloud: {},
  Audit: {},
  /** By VNI, or number of its VLAN. */
  Vpc: {
    segment: (vpc) => some(segmentOf(vpc) ?? segmentAsked(vpc.spec)),
    cloud: (vpc) => some(vpc.spec.cloud),
    /** Name of the EgressClass that it names, or sends by. */
    egressClass: ({ spec, status }) => [...new Set([...some(spec.egressClass), ...some(status?.egress?.class)])],
  },
  EgressClass: {
    /** `namespace/name` of the Subnet. */
    pool: ({ spec }) => some(spec.pool),
  },
  EgressAddress: {
    /** `namespace/name` of the Vpc. */
    vpc: ({ spec }) => [spec.vpc],
    /** The same of the pool. */
    subnet: ({ spec }) => [spec.subnet],
    node: ({ spec }) => [spec.node],
  },
  Subnet: {
    /** `namespace/name` of the Vpc. */
    vpc: (subnet) => (subnet.spec.vpc === undefined ? [] : [inNamespaceOf(subnet, subnet.spec.vpc)]),
    vni: (subnet) => some(segmentOf(subnet)),
  },
  Port: {
    /** `namespace/name` of the pod that claims it, whichever pod of that name it is. */
    claimPod: (item) => (item.spec.claim === undefined ? [] : [inNamespaceOf(item, item.spec.claim.pod)]),
    /** Both names that a Nic may find it by, as `namespace/portID` and `namespace/uid`. */
    portID: (item) => [...new Set([...some(item.spec.portID), item.metadata.uid])].map((id) => inNamespaceOf(item, id)),
    /** `namespace/name` of the Subnet. */
    subnet: (item) => [subnetKeyOf(item)],
    node: (item) => some(item.spec.node),
    /** Name of the Cloud where it stands. */
    cloud: (item) => some(item.status?.cloud),
    /** Name of the Cloud, and ID that it has there, as `cloud/id`. */
    providerID: ({ status: { cloud, providerID } = {} }) =>
      cloud === undefined || providerID === undefined ? [] : [`${cloud}/${providerID}`],
    /** The pool that it is of, or would take a Port from. */
    pool: (item) => (item.spec.warm !== undefined || (item.status?.cloud !== undefined && isPlain(item)) ? [poolKeyOf(item)] : []),
    /** `namespace/name` of the Subnet, of one for a pod that its cloud has refused. */
    refused: (item) => (item.spec.warm === undefined && isRefused(item) ? [subnetKeyOf(item)] : []),
    /** `namespace/name` of each SecurityGroup. */
    securityGroup: groupsAsked,
    /** The same of each that judges it, once there is one of that name. */
    group: namedGroupsOf,
    /** VNI of one that asks for blocks behind it. */
    routed: (item) => (item.spec.routedBlocks === undefined ? [] : some(segmentOf(item))),
    groupWithPairs: (item) => {
      const more = [...(item.spec.allowedAddressPairs ?? []), ...(item.spec.routedBlocks ?? [])]
      return more.length === 0 ? [] : namedGroupsOf(item)
    },
    namespace: (item) => some(item.metadata.namespace),
    vni: (item) => some(segmentOf(item)),
    /** VNI and number of its PolicyIdentity. */
    identity: (item) => identityOf(segmentOf(item), item.status?.policy?.identity),
    /** `namespace/name` of each PolicyRuleSet that it names. */
    ruleSet: ruleSetsOf,
  },
  IPLock: {
    /** `namespace/name` of the Subnet. */
    subnet: (lock) => (lock.spec.subnet === undefined ? [] : [inNamespaceOf(lock, lock.spec.subnet)]),
    /** UID of who has it, further holders included. */
    holder: (lock) => [...some(lock.spec.holder?.uid), ...(lock.spec.shared ?? []).map((holder) => holder.uid)],
    /** VNI and number of its PolicyIdentity. */
    identity: ({ spec }) => identityOf(spec.vni, spec.identity),
  },
  SegmentLock: { holder: (lock) => [lock.spec.holder.uid] },
  SecurityGroup: {
    /** `namespace/name` of each that its rules name. */ remoteGroup: (group) =>
      groupsInRules(group).map((name) => inNamespaceOf(group, name)),
  },
  CloudSecurityGroup: {
    /** `namespace/name` of the SecurityGroup. */
    group: (item) => [inNamespaceOf(item, item.spec.group)],
  },
  Subscription: { namespace: (item) => some(item.metadata.namespace), uid: (item) => [item.metadata.uid] },
  Notice: {
    /** UID of the object that it tells of. */
    of: (notice) => [notice.spec.of.uid],
    /** UIDs of the Subscriptions that it is for. */
    for: (notice) => notice.spec.subscriptions ?? [],
  },
  L2Service: {
    /** `namespace/name` of each Subnet. */ subnet: (service) => (service.spec.subnets ?? []).map((name) => inNamespaceOf(service, name)),
  },
  L2ServiceAttachment: {
    /** `namespace/name` of each L2Service. */
    l2Service: (attachment) => attachment.spec.l2Services.map((name) => inNamespaceOf(attachment, name)),
    connectionPoint: (attachment) => [attachment.spec.connectionPoint],
    /** Number of its VLAN, and of each PolicyIdentity of its pods. */
    identity: ({ status: { policy } = {} }) => (policy?.judged ?? []).flatMap(({ identity }) => identityOf(policy?.segment, identity)),
    /** `namespace/name` of each PolicyRuleSet that it names. */
    ruleSet: (attachment) =>
      [...new Set((attachment.status?.policy?.judged ?? []).flatMap(({ ruleSets }) => ruleSets))].map((name) =>
        inNamespaceOf(attachment, name),
      ),
  },
  Inquiry: { namespace: (inquiry) => some(inquiry.metadata.namespace), node: (inquiry) => some(inquiry.status?.node) },
  PolicyIdentity: {
    /** VNI and facts. */
    facts: ({ spec }) => [`${spec.vni} ${factsText(spec.facts)}`],
    /** VNI of those that some rule set has still to take in. */
    notReady: ({ spec, status }) => (status?.phase === 'ready' ? [] : [String(spec.vni)]),
  },
  PolicyRuleSet: {
    vni: ({ spec }) => [String(spec.vni)],
    /** `Kind namespace/name`. */
    policy: ({ spec: { policy } }) => [`${policy.kind} ${policy.namespace === undefined ? '' : `${policy.namespace}/`}${policy.name}`],
    /** VNI and number of each identity in it. */
    identity: ({ spec }) => mentionedIn(spec).map((number) => `${spec.vni}-${number}`),
  },
  L2BridgeDomain: { connectionPoint: (domain) => domain.spec.connectionPoints },
  ConnectionPoint: {},
  NodePool: {},
  BGPSessionGroup: {},
  BGPSpeaker: {},
  PrefixLock: {},
  ServiceAddress: {
    /** `namespace/name` of its pool. */
    subnet: ({ spec }) => [spec.subnet],
    vni: ({ spec }) => [String(spec.vni)],
  },
  Service: {
    /** Of one of our class: `namespace/name` of its pool. */
    pool: (service) => (isOurService(service) ? some(servicePoolKey(service)) : []),
    /** Of one of our class: the label that every pod has that it selects. */
    selected: (service) => (isOurService(service) ? some(selectedLabelOf(service)) : []),
  },
  EndpointSlice: {
    /** `namespace/name` of its Service. */
    service: (slice) => some(slice.metadata.labels?.[serviceNameLabel]).map((name) => inNamespaceOf(slice, name)),
  },
  Connection: {
    /** `namespace/name` of the NetworkService. */
    service: ({ spec }) => [spec.networkService],
    /** The same of one that has no endpoint. */
    waiting: ({ spec, status }) => (status?.endpoint === undefined ? [spec.networkService] : []),
    /** `namespace/name` of the NetworkServiceEndpoint that it has. */
    endpoint: ({ status }) => some(status?.endpoint),
    /** The same of that one's Port. */
    endpointPort: ({ status }) => some(status?.endpointPort),
  },
  EndpointScaler: {
    /** `namespace/name` of its Deployment. */
    target: (scaler) => [inNamespaceOf(scaler, scaler.spec.scaleTargetRef.name)],
  },
  VpcPeering: {
    /** `namespace/name` of its Vpc. */
    vpc: (peering) => [inNamespaceOf(peering, peering.spec.vpc)],
    /** The same of both Vpcs. */
    joined: (peering) => [...new Set([inNamespaceOf(peering, peering.spec.vpc), peering.spec.peer])],
  },
  Fabric: {},
  NetworkAttachmentDefinition: {},
  UnifiedNetworkPolicy: { namespace: (item) => some(item.metadata.namespace) },
  NetworkPolicy: {},
  AdminNetworkPolicy: {},
  BaselineAdminNetworkPolicy: {},
  ClusterNetworkPolicy: {},
  Pod: {
    /** `namespace/name` of each NetworkAttachmentDefinition. */
    network: networksOf,
    uid: (pod) => [pod.metadata.uid],
    /** Each of its labels. */
    label: ({ metadata: { namespace, labels } }) => Object.entries(labels ?? {}).map(([name, value]) => labelKey(namespace, name, value)),
    /** The namespace of one whose network is its policy's to say. */
    networkByPolicy: (pod) => (isNetworkByPolicy(pod) ? some(pod.metadata.namespace) : []),
  },
  NetworkService: {
    /** Its name to clients, as `namespace/name`. */
    name: (service) => [nsmKeyOf(service)],
  },
  NetworkServiceEndpoint: {
    /** Each service that it serves, as `namespace/name`: those of its own namespace. */
    service: ({ metadata, spec }) => [...new Set(spec.network_service_names ?? [])].map((name) => inNamespaceOf({ metadata }, name)),
  },
  Node: {},
  Namespace: {},
} as const satisfies Indexes

/** A cluster has slices of everybody's Services: followed are ours alone. */
const within: { readonly [K in keyof typeof indexes]?: Within } = { EndpointSlice: { labels: `${managedByLabel}=${managedBy}` } }

export type Cached = keyof typeof indexes
export const cachedKinds = Object.keys(indexes) as readonly Cached[]
/** What each index of a kind files an object under. */
export const indexesOf = <K extends Cached>(kind: K): Readonly<Record<string, IndexOf<K>>> =>
  indexes[kind] as unknown as Readonly<Record<string, IndexOf<K>>>
/** The names of a kind's indexes. */
export type IndexName<K extends Cached> = keyof (typeof indexes)[K] & string

export type Caches = { readonly [K in Cached]: Cache<K, IndexName<K>> } & {
  /** Follows the store until `signal` falls; resolves once everything there is has been seen. */
  start(signal: AbortSignal): Promise<void>
  readonly synced: () => boolean
  /** Resolves once they are, whoever has started them. */
  readonly whenSynced: () => Promise<void>
  /** Kinds that have not been seen whole yet. */
  readonly unseen: () => readonly Kind[]
}

export interface CachesOptions {
  readonly onProblem?: (err: unknown, key: string) => void
  /** The kinds that are followed, all unless given; the others stay empty. */
  readonly only?: readonly Cached[]
}

/**
 * A cluster may not have these kinds, without Multus, the API of cluster-wide policies or NSM's: nobody waits to have seen them whole,
 * and who needs one for sure asks the store.
 */
const optional: readonly Cached[] = [
  'NetworkAttachmentDefinition',
  'AdminNetworkPolicy',
  'BaselineAdminNetworkPolicy',
  'ClusterNetworkPolicy',
  'NetworkService',
  'NetworkServiceEndpoint',
]
const isOptional = (kind: Cached): boolean => optional.includes(kind)

/** The caches, empty until they are started; listeners may be put on before or after. */
export function openCaches(store: Store, { only, ...options }: CachesOptions = {}): Caches {
  const open = <K extends Cached>(kind: K): Cache<K> =>
    new Cache<K>(store, kind, {
      ...options,
      ...(within[kind] !== undefined && { within: within[kind] }),
      indexes: indexes[kind] as Readonly<Record<string, IndexOf<K>>>,
    })
  const made = Object.fromEntries((Object.keys(indexes) as Cached[]).map((kind) => [kind, open(kind)])) as unknown as {
    readonly [K in Cached]: Cache<K>
  }
  const followed = only ?? (Object.keys(made) as Cached[])
  const unseen = (): readonly Cached[] => followed.filter((kind) => !isOptional(kind) && !made[kind].synced)
  return {
    ...made,
    async start(signal) {
      for (const kind of followed.filter(isOptional)) made[kind].start(signal).catch((err: unknown) => options.onProblem?.(err, kind))
      await Promise.all(followed.filter((kind) => !isOptional(kind)).map((kind) => made[kind].start(signal)))
    },
    synced: () => unseen().length === 0,
    async whenSynced() {
      await Promise.all(unseen().map((kind) => made[kind].whenSynced()))
    },
    unseen,
  }
}
