// Cluster-wide policies of whoever runs the cluster: AdminNetworkPolicy and BaselineAdminNetworkPolicy (v1alpha1), and ClusterNetworkPolicy
// that came after both (v1alpha2, v1beta1). They differ in words alone.
import type {
  AdminPort,
  AdminRule,
  ClusterNetworkPolicyRule,
  ClusterPeer,
  ClusterProtocol,
  NamespacesOrPods,
} from '../../kinds/foreign-policies.ts'
import type { Resource } from '../../kinds/index.ts'
import type { TransportMatch } from '../../kinds/policy/transport-match.ts'
import type { CommonPeers, CommonPolicy, CommonRule, Direction, NamedPort, ReadPolicy, Selection } from '../one-form.ts'
import { hasOnly, ofForm, Problems } from '../problem.ts'
import { readBlock, readProtocol, readRange, readSelectors, ruleOf, selected, type At } from './parts.ts'
import { sourceOf } from './source.ts'

/** Of the baseline tier there is one alone, and it comes behind ClusterNetworkPolicies. */
const lastPriority = 1_000

export function ofAdminPolicy(policy: Resource<'AdminNetworkPolicy'> | Resource<'BaselineAdminNetworkPolicy'>): ReadPolicy {
  const isBaseline = policy.kind === 'BaselineAdminNetworkPolicy'
  const at = { path: '/spec', problems: new Problems() }
  const read = (direction: Direction): readonly CommonRule[] =>
    readRules<AdminRule>(policy.spec[direction], { direction, at }, ({ ports }) => ports?.map(adminPort))
  return readWhole(policy, {
    tier: isBaseline ? 'baseline' : 'admin',
    priority: isBaseline ? lastPriority : policy.spec.priority,
    rules: [...read('ingress'), ...read('egress')],
    at,
  })
}

export function ofClusterPolicy(policy: Resource<'ClusterNetworkPolicy'>): ReadPolicy {
  const at = { path: '/spec', problems: new Problems() }
  const tier = Object.hasOwn(tiers, policy.spec.tier) ? tiers[policy.spec.tier] : undefined
  if (tier === undefined) at.problems.refuse('/spec/tier', 'must be Admin or Baseline')
  const read = (direction: Direction): readonly CommonRule[] =>
    readRules<ClusterNetworkPolicyRule>(policy.spec[direction], { direction, at }, ({ protocols }) => protocols?.map(clusterProtocol))
  return readWhole(policy, { tier, priority: policy.spec.priority, rules: [...read('ingress'), ...read('egress')], at })
}

const tiers: Readonly<Record<string, 'admin' | 'baseline'>> = { Admin: 'admin', Baseline: 'baseline' }

interface Whole {
  readonly tier: CommonPolicy['tier'] | undefined
  readonly priority: number | undefined
  readonly rules: readonly CommonRule[]
  readonly at: At
}

type ClusterWide = Resource<'AdminNetworkPolicy'> | Resource<'BaselineAdminNetworkPolicy'> | Resource<'ClusterNetworkPolicy'>

/** Whom it is for, and when it is asked, must be plain: else it is refused whole. */
function readWhole(policy: ClusterWide, { tier, priority = -1, rules, at }: Whole): ReadPolicy {
  const { problems } = at
  const atSubject = { path: '/spec/subject', problems }
  const subjects = ofForm(() => readWho(policy.spec.subject, atSubject), atSubject)
  const hasPriority = Number.isInteger(priority) && priority >= 0 && priority <= lastPriority
  if (!hasPriority) problems.refuse('/spec/priority', 'must be a number from 0 to 1000')
  if (subjects === undefined || tier === undefined || !hasPriority) return { problems: problems.all }
  return { policy: { of: sourceOf(policy), tier, priority, subjects, isolates: [], rules }, problems: problems.all }
}

function readWho(who: NamespacesOrPods, at: At): Selection | undefined {
  const { namespaces, pods } = who
  if (!hasOnly(who, ['namespaces', 'pods'], at)) return undefined
  if ((namespaces === undefined) === (pods === undefined)) return at.problems.refuse(at.path, 'must name namespaces or pods')
  if (pods === undefined) return readSelectors({ namespaceSelector: namespaces }, at)
  const ofPods = { ...at, path: `${at.path}/pods` }
  if (!hasOnly(pods, ['podSelector', 'namespaceSelector'], ofPods)) return undefined
  const { podSelector, namespaceSelector = {} } = pods
  return readSelectors({ podSelector, namespaceSelector }, ofPods)
}

interface OfRules {
  readonly direction: Direction
  readonly at: At
}
type Rule = AdminRule | ClusterNetworkPolicyRule

const actions: Readonly<Record<string, CommonRule['action']>> = { Allow: 'allow', Accept: 'allow', Deny: 'deny', Pass: 'pass' }

type ReadPort = (at: At) => readonly (TransportMatch | NamedPort)[] | undefined

/**
 * Of rules that are no list, or a rule that is none, nobody knows what they would have denied: everything is, in their place. One that
 * allows goes.
 */
function readRules<R extends Rule>(
  rules: readonly R[] | undefined,
  { direction, at: { problems } }: OfRules,
  portsOf: (rule: R) => readonly ReadPort[] | undefined,
): readonly CommonRule[] {
  const path = `/spec/${direction}`
  const unread = (source: string, action: CommonRule['action'] = 'deny'): readonly CommonRule[] =>
    ruleOf({ source, direction, action }, { peers: [undefined] })
  if (!Array.isArray(rules ?? [])) {
    problems.refuse(path, 'must be a list')
    return unread(path)
  }
  return (rules ?? []).flatMap((rule: R | null, i) => {
    const at = { path: `${path}/${i}`, problems }
    return ofForm(() => readRule(rule!, portsOf(rule!), { direction, at }), at) ?? unread(at.path, actionOf(rule?.action))
  })
}

const actionOf = (action = ''): CommonRule['action'] | undefined => (Object.hasOwn(actions, action) ? actions[action] : undefined)

/** @param ports absent: any */
function readRule(
  { action, from, to, ...rule }: Rule,
  ports: readonly ReadPort[] | undefined,
  { direction, at: { path: source, problems } }: OfRules,
): readonly CommonRule[] {
  const as = actionOf(action)
  if (as === undefined) problems.refuse(`${source}/action`, 'must be Allow, Accept, Deny or Pass')
  const [peers = [], peersPath] = direction === 'ingress' ? [from, 'from'] : [to, 'to']
  const portsPath = 'protocols' in rule ? 'protocols' : 'ports'
  const part = <T>(read: (at: At) => T | undefined, name: string): T | undefined => {
    const at = { path: `${source}/${name}`, problems }
    return ofForm(() => read(at), at)
  }
  return ruleOf(
    { source, direction, action: as ?? 'deny' },
    {
      peers: as === undefined ? [undefined] : peers.map((peer, n) => part((at) => readPeer(peer, at), `${peersPath}/${n}`)),
      ...(ports !== undefined && { transport: ports.map((read, n) => part(read, `${portsPath}/${n}`)) }),
    },
  )
}

function readPeer({ networks, nodes, domainNames, ...who }: ClusterPeer, at: At): CommonPeers | undefined {
  if (nodes !== undefined) return at.problems.unsupported(`${at.path}/nodes`, 'are not told from other addresses: name their networks')
  if (domainNames !== undefined) return at.problems.unsupported(`${at.path}/domainNames`, 'are not resolved')
  if (networks === undefined) return selected(readWho(who, at))
  const blocks = networks.map((cidr, i) => readBlock(cidr, [], { path: `${at.path}/networks/${i}`, exceptPath: '', problems: at.problems }))
  if (blocks.includes(undefined)) return undefined
  return { selections: [], blocks: blocks.flatMap((each) => each?.blocks ?? []) }
}

const adminPort =
  (rulePort: AdminPort): ReadPort =>
  (at) => {
    const { portNumber, portRange, namedPort } = rulePort
    if (namedPort !== undefined) return [{ named: namedPort }]
    const { protocol = 'TCP', ...range } = portNumber ?? portRange ?? {}
    const number = readProtocol(protocol, at)
    if (number === undefined) return undefined
    if ('port' in range) return listOf(readRange(number, range.port, undefined, at))
    if ('start' in range) return listOf(readRange(number, range.start, range.end, at))
    return at.problems.refuse(at.path, 'must be portNumber, portRange or namedPort')
  }

const clusterProtocol =
  (ruleProtocol: ClusterProtocol): ReadPort =>
  (at) => {
    const { destinationNamedPort, ...by } = ruleProtocol
    if (destinationNamedPort !== undefined) return [{ named: destinationNamedPort }]
    const [name, match] = Object.entries(by)[0] ?? []
    if (name === undefined) return at.problems.refuse(at.path, 'must be tcp, udp, sctp or destinationNamedPort')
    const protocol = readProtocol(name.toUpperCase(), at)
    if (protocol === undefined) return undefined
    const { number, range } = match?.destinationPort ?? {}
    if (number !== undefined) return listOf(readRange(protocol, number, undefined, at))
    return range === undefined ? [{ protocol }] : listOf(readRange(protocol, range.start, range.end, at))
  }

const listOf = (match: TransportMatch | undefined): readonly TransportMatch[] | undefined => match && [match]
