// Who may do what: role × verb × kind × field, the one table. REST asks it (roles.ts); the chart's ClusterRoles and its policies of
// fields are rendered from it (openapi/rights-*.ts), so that the API server says the same. What does not stand here may not be done.
import { resolveReference, type SpecOf } from '../../kinds/index.ts'
import { agentReads } from '../object/agent-access.ts'
import { sameJson } from '../../same-json.ts'
import { inventoryTopic } from '../../kinds/node/inquiry.ts'

/** owner: owns the networks of some namespaces, as the cluster's own `admin` does there. provider: owns what networks rest on. */
export const roles = ['viewer', 'operator', 'owner', 'provider', 'admin', 'agent'] as const
export type Role = (typeof roles)[number]

/** `write`: make, change, delete. `report`: say how something does, in its status. */
export const rightVerbs = ['read', 'write', 'report'] as const
export type RightVerb = (typeof rightVerbs)[number]

export interface KindRight {
  readonly act: RightVerb
  /** `allBut`: also kinds that came after this table. */
  readonly kinds: readonly string[] | { readonly allBut: readonly string[] }
  readonly roles: readonly Role[]
}

/** What runs, and what it is joined by: a tenant's own. */
const workload = [
  'Pod',
  'Port',
  'SecurityGroup',
  'Subscription',
  'Inquiry',
  'UnifiedNetworkPolicy',
  'NetworkPolicy',
  'L2ServiceAttachment',
  'NetworkAttachmentDefinition',
  'NetworkService',
  'NetworkServiceEndpoint',
  'EndpointScaler',
]
/** What it is joined to, and what that rests on. */
const network = [
  'Cloud',
  'Audit',
  'Vpc',
  'Subnet',
  'IPLock',
  'SegmentLock',
  'L2Service',
  'ConnectionPoint',
  'NodePool',
  'Fabric',
  'L2BridgeDomain',
  'BGPSessionGroup',
  'BGPSpeaker',
  'PrefixLock',
  'VpcPeering',
  'EgressClass',
  'EgressAddress',
  'Connection',
  'ServiceAddress',
  // Cluster-wide rules, before everybody's own and behind them.
  'AdminNetworkPolicy',
  'BaselineAdminNetworkPolicy',
  'ClusterNetworkPolicy',
]
const place = ['Node', 'Namespace']

export const kindRights: readonly KindRight[] = [
  // Nobody may read Secrets. Notices hold objects of every namespace, in one: whoever may read that one would read all.
  // What a node has answered may be a tenant's packets: who may ask may read it. What policies come to tells the host of a Vpc how its
  // guests label their pods. An Audit names what all tenants have.
  {
    act: 'read',
    kinds: { allBut: ['Secret', 'Notice', 'Inquiry', 'PolicyIdentity', 'PolicyRuleSet', 'Audit'] },
    roles: ['viewer', 'operator', 'owner'],
  },
  { act: 'read', kinds: ['Inquiry'], roles: ['operator', 'owner'] },
  { act: 'read', kinds: { allBut: ['Secret'] }, roles: ['admin'] },
  // A provider makes the networks and does not read the pods that are in them.
  { act: 'read', kinds: [...network, ...place, 'Port', 'Event'], roles: ['provider'] },
  // One node's: sees what it must wire, and says what it has wired.
  { act: 'read', kinds: Object.keys(agentReads), roles: ['agent'] },
  // Runs workloads in networks that are there.
  { act: 'write', kinds: workload, roles: ['operator', 'owner'] },
  { act: 'write', kinds: ['Vpc', 'Subnet', 'VpcPeering'], roles: ['owner'] },
  { act: 'write', kinds: network, roles: ['provider'] },
  { act: 'write', kinds: { allBut: ['Secret'] }, roles: ['admin'] },
  { act: 'report', kinds: ['Pod'], roles: ['operator', 'owner'] },
  { act: 'report', kinds: ['Pod', 'Node', 'Port'], roles: ['admin'] },
  { act: 'report', kinds: ['Port', 'Inquiry', 'BGPSpeaker'], roles: ['agent'] },
]

/** Verbs of our own, beside those of RBAC: what a field of an object asks for. `scale` is RBAC's patch of deployments/scale. */
export const fieldVerbs = ['assign-vni', 'assign-vlan', 'disable-port-security', 'allow-address-pairs', 'scale'] as const
export type FieldVerb = (typeof fieldVerbs)[number]

/**
 * Of which object a verb is asked. A Port's security is that of its Subnet, in whosever namespace that is; a Deployment is the API
 * server's, which alone knows who may scale it.
 */
export interface FieldQuestion {
  readonly verb: FieldVerb
  readonly of: 'Vpc' | 'Subnet' | 'Deployment'
}

type FieldKind = 'Vpc' | 'Port' | 'Inquiry' | 'EndpointScaler'
/** A field that not everybody who may write the kind may write. */
export interface FieldRight<K extends FieldKind = FieldKind> {
  readonly kind: K
  readonly field: string
  /** To be read after the field's pointer. */
  readonly message: string
  /** Absent: nobody's but our own accounts'. */
  readonly question?: FieldQuestion
  readonly roles: readonly Role[]
  /** Whether a write needs the right at all; what stays as it is, or becomes stricter, needs none. `cel` says the same to an API server. */
  readonly needs: (spec: SpecOf<K>, old: SpecOf<K> | undefined) => boolean
  readonly cel: string
}

const defineField = <K extends FieldKind>(right: FieldRight<K>): FieldRight => right
const isNew = "request.operation == 'CREATE'"
const owners: readonly Role[] = ['owner', 'provider', 'admin']
/** Ours from the beginning to the end: by whatever a Port says of its pod, a node wires it. */
const ours = (field: 'claim' | 'podUID' | 'warm' | 'networkService'): FieldRight =>
  defineField<'Port'>({
    kind: 'Port',
    field,
    roles: [],
    message: 'is written by Megrez alone',
    needs: (spec, old) => !sameJson(spec[field], old?.[field]),
    cel: `object.spec.?${field} != (${isNew} ? optional.none() : oldObject.spec.?${field})`,
  })

export const fieldRights: readonly FieldRight[] = [
  defineField<'Vpc'>({
    kind: 'Vpc',
    field: 'vni',
    roles: ['provider', 'admin'],
    question: { verb: 'assign-vni', of: 'Vpc' },
    message: "is the provider's to choose: leave it out, and one is chosen",
    needs: (spec, old) => spec.vni !== undefined && spec.vni !== old?.vni,
    cel: `has(object.spec.vni) && (${isNew} || object.spec.?vni != oldObject.spec.?vni)`,
  }),
  defineField<'Vpc'>({
    kind: 'Vpc',
    field: 'vlan',
    roles: ['provider', 'admin'],
    question: { verb: 'assign-vlan', of: 'Vpc' },
    message: "is the provider's to give: whoever writes it is in that VLAN of the physical network",
    needs: (spec, old) => spec.vlan !== undefined && !sameJson(spec.vlan, old?.vlan),
    cel: `has(object.spec.vlan) && (${isNew} || object.spec.?vlan != oldObject.spec.?vlan)`,
  }),
  defineField<'Port'>({
    kind: 'Port',
    field: 'portSecurity',
    roles: owners,
    question: { verb: 'disable-port-security', of: 'Subnet' },
    message: 'is turned off by the owner of the Subnet alone',
    needs: (spec, old) => spec.portSecurity === false && old?.portSecurity !== false,
    cel: `!object.spec.?portSecurity.orValue(true) && (${isNew} || oldObject.spec.?portSecurity.orValue(true))`,
  }),
  defineField<'Port'>({
    kind: 'Port',
    field: 'allowedAddressPairs',
    roles: owners,
    question: { verb: 'allow-address-pairs', of: 'Subnet' },
    message: 'are allowed by the owner of the Subnet alone',
    needs: ({ allowedAddressPairs: now = [] }, old) =>
      now.some((pair) => !(old?.allowedAddressPairs ?? []).some((had) => sameJson(pair, had))),
    cel: `object.spec.?allowedAddressPairs.orValue([]).exists(p, ${isNew} || !(p in oldObject.spec.?allowedAddressPairs.orValue([])))`,
  }),
  ours('claim'),
  ours('podUID'),
  ours('warm'),
  ours('networkService'),
  // At its creation it is asked elsewhere, of the Node (core/admit/object/by-view.ts): no role says which nodes take Ports of whom.
  defineField<'Port'>({
    kind: 'Port',
    field: 'node',
    roles: [],
    message: 'is written by Megrez once the Port is made',
    needs: (spec, old) => old !== undefined && spec.node !== old.node,
    cel: `!(${isNew}) && object.spec.?node != oldObject.spec.?node`,
  }),
  // What a node has is all tenants'.
  defineField<'Inquiry'>({
    kind: 'Inquiry',
    field: 'about',
    roles: [],
    message: 'may not be inventory: an Audit asks that',
    needs: ({ about }) => about === inventoryTopic,
    cel: `object.spec.about == '${inventoryTopic}'`,
  }),
  // Whatever of it is changed, as it says when the Deployment is scaled down too.
  defineField<'EndpointScaler'>({
    kind: 'EndpointScaler',
    field: 'scaleTargetRef',
    roles: ['operator', 'owner', 'admin'],
    question: { verb: 'scale', of: 'Deployment' },
    message: 'is named by whoever may scale that Deployment',
    needs: (spec, old) => !sameJson(spec, old),
    cel: `${isNew} || object.spec != oldObject.spec`,
  }),
]

interface Named {
  readonly namespace?: string
  readonly name?: string | undefined
}

/** Which object a field's verb is asked of. */
export function fieldQuestionsOf(
  { question: asks }: FieldRight,
  at: Named,
  spec: { readonly subnet?: string; readonly scaleTargetRef?: { readonly name: string } },
): Named & { readonly namespace: string } {
  const { namespace = '', name } = at
  if (asks?.of === 'Deployment') return { namespace, name: spec.scaleTargetRef?.name }
  return asks?.of === 'Subnet' ? resolveReference(spec.subnet ?? '', namespace) : { namespace, name }
}
