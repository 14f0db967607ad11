// Who may do what over REST: role × act × kind × namespace, in one table. It is asked before anything is looked up, so that a
// refusal says the same, and takes as long, whether the object is there or not.

export const roles = ['viewer', 'operator', 'provider', 'admin', 'agent'] as const
export type Role = (typeof roles)[number]

/** `write`: make, change, delete. `report`: say how something does, in its status. `bind`: say which node a Port is on. */
export const acts = ['read', 'write', 'report', 'bind'] as const
export type Act = (typeof acts)[number]

/** A role, and where: absent namespaces are all of them, and what is of no namespace too. */
export interface Grant {
  readonly role: Role
  readonly namespaces: ReadonlySet<string> | undefined
}

export interface Asked {
  readonly act: Act
  readonly kind: string
  /** A Namespace is in itself; absent: something of the cluster, or of all namespaces. */
  readonly namespace: string | undefined
  /** The same more closely, as RBAC has it; the table does not look at it. */
  readonly verb?: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'
}

/** What runs, and what it is joined by: a tenant's own. */
const workload = ['Pod', 'Port', 'SecurityGroup', 'Subscription', 'UnifiedNetworkPolicy', 'L2ServiceAttachment', 'NetworkAttachmentDefinition', 'NetworkService', 'NetworkServiceEndpoint', 'Connection']
/** What it is joined to, and what that rests on. */
const network = ['Vpc', 'Subnet', 'IPLock', 'SegmentLock', 'L2Service', 'ConnectionPoint', 'NodePool', 'Fabric', 'L2BridgeDomain', 'BGPSessionGroup']
const place = ['Node', 'Namespace']

type Kinds = (kind: string) => boolean
const some = (...kinds: readonly string[]): Kinds => {
  const set = new Set(kinds)
  return (kind) => set.has(kind)
}
/** Also kinds that came after this table; a Secret is nobody's to see. */
const all: Kinds = (kind) => kind !== 'Secret'

/** Which kinds a role may act on. What does not stand here may not be done. */
const table: Readonly<Record<Role, Partial<Readonly<Record<Act, Kinds>>>>> = {
  viewer: { read: all },
  // Runs workloads in networks that are there.
  operator: { read: all, write: some(...workload), report: some('Pod') },
  // Makes the networks; whose pods are in them is none of his business.
  provider: { read: some(...network, ...place, 'Port', 'Event'), write: some(...network) },
  admin: { read: all, write: all, report: some('Pod', 'Node', 'Port'), bind: some('Port') },
  // One node's: sees what it must wire, and says what it has wired.
  agent: { read: some('Port', 'IPLock', 'Pod', 'Subnet', 'Vpc', 'Node', 'L2ServiceAttachment'), report: some('Port'), bind: some('Port') },
}

const holds = ({ role, namespaces }: Grant, { act, kind, namespace }: Asked): boolean =>
  table[role][act]?.(kind) === true && (namespaces === undefined || (namespace !== undefined && namespaces.has(namespace)))

/** Whether one of the grants allows it. */
export const allows = (grants: readonly Grant[], asked: Asked): boolean => grants.some((grant) => holds(grant, asked))

const word = /^(?:megrez:)?(viewer|operator|provider|admin|agent)(?::([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?))?$/

/** `operator`, or `operator:blue` for one namespace; `megrez:` may stand before it. Undefined: not one of these. */
export function grantOf(text: string): Grant | undefined {
  const [, role, namespace] = word.exec(text) ?? []
  return role === undefined ? undefined : { role: role as Role, namespaces: namespace === undefined ? undefined : new Set([namespace]) }
}
