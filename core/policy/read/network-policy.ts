// NetworkPolicies of Kubernetes (networking.k8s.io/v1), read as the API's own text has them.
import type { NetworkPolicyPeer, NetworkPolicyPort } from '../../kinds/foreign-policies.ts'
import type { Resource } from '../../kinds/index.ts'
import type { TransportMatch } from '../../kinds/policy/transport-match.ts'
import { isNamed, type CommonPeers, type CommonRule, type Direction, type NamedPort, type ReadPolicy } from '../one-form.ts'
import { hasOnly, Problems } from '../problem.ts'
import { readBlock, readProtocol, readRange, readSelectors, ruleOf, selected, type At } from './parts.ts'
import { sourceOf } from './source.ts'

export function ofNetworkPolicy(policy: Resource<'NetworkPolicy'>): ReadPolicy {
  const problems = new Problems()
  const { namespace = '' } = policy.metadata
  const subjects = readSelectors({ podSelector: policy.spec.podSelector }, { path: '/spec', problems }, namespace)
  if (subjects === undefined) return { problems: problems.all }
  const isolates = directionsOf(policy.spec)
  const rules = isolates.flatMap((direction) => rulesOf(policy, direction, problems))
  return { policy: { of: sourceOf(policy), tier: 'networkPolicy', priority: 0, subjects, isolates, rules }, problems: problems.all }
}

/** Where no types are named: ingress always, egress where there is a rule for it. */
function directionsOf({ policyTypes = [], egress = [] }: Resource<'NetworkPolicy'>['spec']): readonly Direction[] {
  const isNamedNone = policyTypes.length === 0
  const isIngress = isNamedNone || policyTypes.includes('Ingress')
  const isEgress = isNamedNone ? egress.length > 0 : policyTypes.includes('Egress')
  return [...(isIngress ? (['ingress'] as const) : []), ...(isEgress ? (['egress'] as const) : [])]
}

interface Rule {
  readonly peers: readonly NetworkPolicyPeer[]
  readonly peersPath: string
  readonly ports: readonly NetworkPolicyPort[]
}

function rulesOf({ metadata, spec }: Resource<'NetworkPolicy'>, direction: Direction, problems: Problems): readonly CommonRule[] {
  const rules: readonly Rule[] =
    direction === 'ingress'
      ? (spec.ingress ?? []).map(({ from = [], ports = [] }) => ({ peers: from, peersPath: 'from', ports }))
      : (spec.egress ?? []).map(({ to = [], ports = [] }) => ({ peers: to, peersPath: 'to', ports }))
  return rules.flatMap(({ peers, peersPath, ports }, i) => {
    const source = `/spec/${direction}/${i}`
    const readPeers = peers.map((peer, n) => readPeer(peer, { path: `${source}/${peersPath}/${n}`, problems }, metadata.namespace ?? ''))
    const transport = ports.map((each, n) => readPort(each, { path: `${source}/ports/${n}`, problems }))
    if (direction === 'egress') sayIfBlocksAreNamed(readPeers, transport, { path: source, problems })
    return ruleOf(
      { source, direction, action: 'allow' },
      // An empty list is as good as none: everybody, everything.
      { ...(peers.length > 0 && { peers: readPeers }), ...(ports.length > 0 && { transport }) },
    )
  })
}

function readPeer({ ipBlock, ...selectors }: NetworkPolicyPeer, at: At, own: string): CommonPeers | undefined {
  if (!hasOnly(selectors, ['podSelector', 'namespaceSelector'], at)) return undefined
  const hasSelectors = selectors.podSelector !== undefined || selectors.namespaceSelector !== undefined
  if ((ipBlock !== undefined) === hasSelectors) return at.problems.refuse(at.path, 'must name selectors or an ipBlock')
  if (ipBlock === undefined) return selected(readSelectors(selectors, at, own))
  const path = `${at.path}/ipBlock`
  return readBlock(ipBlock.cidr, ipBlock.except ?? [], { path: `${path}/cidr`, exceptPath: `${path}/except`, problems: at.problems })
}

function readPort(match: NetworkPolicyPort, at: At): readonly (TransportMatch | NamedPort)[] | undefined {
  const { protocol = 'TCP', port: l4Port, endPort } = match
  const number = hasOnly(match, ['protocol', 'port', 'endPort'], at) ? readProtocol(protocol, at) : undefined
  if (number === undefined) return undefined
  if (endPort !== undefined && typeof l4Port !== 'number') return at.problems.refuse(`${at.path}/endPort`, 'is for a port that is a number')
  if (l4Port === undefined) return [{ protocol: number }]
  if (typeof l4Port === 'string') return [{ named: l4Port, protocol: number }]
  const range = readRange(number, l4Port, endPort, { ...at, path: `${at.path}/port` })
  return range && [range]
}

type ReadPeers = readonly (CommonPeers | undefined)[]
type ReadPorts = readonly (readonly (TransportMatch | NamedPort)[] | undefined)[]

/** What is behind a block calls none of its ports by a name that we know. */
function sayIfBlocksAreNamed(peers: ReadPeers, ports: ReadPorts, { path, problems }: At): void {
  const isNamedAnywhere = ports.some((matches) => matches?.some(isNamed))
  const block = peers.findIndex((each) => each !== undefined && each.blocks.length > 0)
  if (isNamedAnywhere && block >= 0) problems.unsupported(`${path}/to/${block}/ipBlock`, 'has no ports by name: those are left out for it')
}
