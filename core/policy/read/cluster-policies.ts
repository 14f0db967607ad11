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
import type { TransportMatch } from '../../kinds/policy/policy-rule-set.ts'
import type { CommonPeers, CommonPolicy, CommonRule, Direction, NamedPort, ReadPolicy, Selection } from '../one-form.ts'
import { hasOnly, Problems } from '../problem.ts'
import { readBlock, readProtocol, readRange, readSelectors, ruleOf, selected, type At } from './parts.ts'
import { sourceOf } from './source.ts'

/** Of the baseline tier there is one alone, and it comes behind ClusterNetworkPolicies. */
const lastPriority = 1_000

export function ofAdminPolicy(policy: Resource<'AdminNetworkPolicy'> | Resource<'BaselineAdminNetworkPolicy'>): ReadPolicy {
  const isBaseline = policy.kind === 'BaselineAdminNetworkPolicy'
  const at = { path: '/spec', problems: new Problems() }
  const read = (direction: Direction): readonly CommonRule[] =>
    (policy.spec[direction] ?? []).flatMap((rule: AdminRule, i) => readRule(rule, rule.ports?.map(adminPort), { direction, i, at }))
  return readWhole(policy, {
    tier: isBaseline ? 'baseline' : 'admin',
    priority: isBaseline ? lastPriority : policy.spec.priority,
    rules: [...read('ingress'), ...read('egress')],
    at,
  })
}

export function ofClusterPolicy(policy: Resource<'ClusterNetworkPolicy'>): ReadPolicy {
  const at = { path: '/spec', problems: new Problems() }
  const tier = tiers[policy.spec.tier]
  if (tier === undefined) at.problems.refuse('/spec/tier', 'must be Admin or Baseline')
  const read = (direction: Direction): readonly CommonRule[] =>
    (policy.spec[direction] ?? []).flatMap((rule: ClusterNetworkPolicyRule, i) =>
      readRule(rule, rule.protocols?.map(clusterProtocol), { direction, i, at }),
    )
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
  const subjects = readWho(policy.spec.subject, { path: '/spec/subject', problems })
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

interface OfRule {
  readonly direction: Direction
  readonly i: number
  readonly at: At
}

const actions: Readonly<Record<string, CommonRule['action']>> = { Allow: 'allow', Accept: 'allow', Deny: 'deny', Pass: 'pass' }

type ReadPort = (at: At) => readonly (TransportMatch | NamedPort)[] | undefined

/** @param ports absent: any */
function readRule(
  { action, from, to, ...rule }: AdminRule | ClusterNetworkPolicyRule,
  ports: readonly ReadPort[] | undefined,
  { direction, i, at: { problems } }: OfRule,
): readonly CommonRule[] {
  const source = `/spec/${direction}/${i}`
  const as = actions[action]
  if (as === undefined) problems.refuse(`${source}/action`, 'must be Allow, Accept, Deny or Pass')
  const [peers = [], peersPath] = direction === 'ingress' ? [from, 'from'] : [to, 'to']
  const portsPath = 'protocols' in rule ? 'protocols' : 'ports'
  return ruleOf(
    { source, direction, action: as ?? 'deny' },
    {
      peers: as === undefined ? [undefined] : peers.map((peer, n) => readPeer(peer, { path: `${source}/${peersPath}/${n}`, problems })),
      ...(ports !== undefined && { transport: ports.map((read, n) => read({ path: `${source}/${portsPath}/${n}`, problems })) }),
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
  ({ portNumber, portRange, namedPort }: AdminPort): ReadPort =>
  (at) => {
    if (namedPort !== undefined) return [{ named: namedPort }]
    const { protocol = 'TCP', ...range } = portNumber ?? portRange ?? {}
    const number = readProtocol(protocol, at)
    if (number === undefined) return undefined
    if ('port' in range) return listOf(readRange(number, range.port, undefined, at))
    if ('start' in range) return listOf(readRange(number, range.start, range.end, at))
    return at.problems.refuse(at.path, 'must be portNumber, portRange or namedPort')
  }

const clusterProtocol =
  ({ destinationNamedPort, ...by }: ClusterProtocol): ReadPort =>
  (at) => {
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
