// UnifiedNetworkPolicies. What is not done of one is said by name, never left out in silence.
import type { Resource } from '../../kinds/index.ts'
import { resolveReference } from '../../kinds/index.ts'
import type { TransportMatch } from '../../kinds/policy/transport-match.ts'
import { isNoIP } from '../../kinds/policy/ether-types.ts'
import { isProtocolName, protocolNumbers } from '../../kinds/policy/protocols.ts'
import type { KnownName, UnifiedSpec } from '../../kinds/policy/unified-network-policy.ts'
import type { UnifiedChain } from '../../kinds/policy/unified-chain.ts'
import type { UnifiedPeer, UnifiedPortMatch, UnifiedRule } from '../../kinds/policy/unified-rule.ts'
import type { CommonChain, CommonPeers, CommonRule, Direction, NamedPort, ReadPolicy, Selection, UnifiedRank } from '../one-form.ts'
import { isNamed } from '../one-form.ts'
import { Problems } from '../problem.ts'
import { withoutL7 } from '../rules/inspections.ts'
import { readFrames } from './frames.ts'
import { knownNames, namesMost } from './names.ts'
import { networkPattern } from './network.ts'
import { readBlock, readPods, readRange, readSelectors, ruleOf, selected, type At } from './parts.ts'
import { sourceOf } from './source.ts'
import { bitsOf, trafficOf } from './traffic.ts'

type Unified = Resource<'UnifiedNetworkPolicy'>

export function ofUnified(policy: Unified): ReadPolicy {
  const problems = new Problems()
  const { metadata, spec } = policy
  const { namespace = '' } = metadata
  const candidacy = candidacyOf(policy, problems)
  const traffic = trafficOf(spec)
  sayWhatIsNotDone(spec, problems)
  if (candidacy === undefined) return { problems: problems.all }
  const namesKnown = knownNames(policy)
  const opens = spec.onUnsupported === 'allow'
  const chains = (spec.chains ?? []).flatMap((chain, i) =>
    readChain(chain, { namespace, namesKnown, opens, at: { path: `/spec/chains/${i}`, problems } }),
  )
  const rules = (['ingress', 'egress'] as const).flatMap((direction) => [
    ...(spec[direction] ?? []).flatMap((rule, i) =>
      readRule(rule, { direction, namespace, namesKnown, opens, at: { path: `/spec/${direction}/${i}`, problems } }),
    ),
    defaultOf(spec.defaults?.[direction], direction),
  ])
  return {
    policy: {
      of: sourceOf(policy),
      tier: 'unified',
      // One alone is in force on a pod.
      priority: 0,
      ...(spec.mode === 'audit' && { audit: true }),
      ...(spec.onUnsupported === 'allow' && { onUnsupported: 'allow' }),
      ...(traffic !== undefined && { traffic }),
      ...(chains.length > 0 && { chains }),
      ...(spec.class !== undefined && { trafficClass: spec.class }),
      ...candidacy,
      isolates: [],
      rules,
    },
    problems: problems.all,
  }
}

/**
 * Whom it is about, and which place it has among others that select them.
 *
 * @returns undefined where it is in force on nobody: it is refused, or out of its schedule
 */
export function candidacyOf(policy: Unified, problems: Problems): { readonly subjects: Selection; readonly rank: UnifiedRank } | undefined {
  const { metadata, spec } = policy
  const subjects = readSelectors({ podSelector: spec.podSelector }, { path: '/spec', problems }, metadata.namespace ?? '')
  if (subjects === undefined || isOutOfSchedule(policy)) return undefined
  return { subjects, rank: { priority: spec.priority ?? 0, createdAt: metadata.creationTimestamp } }
}

/** Workers write it as windows begin and end: all of them go by what is written. */
const isOutOfSchedule = ({ spec, status }: Unified): boolean => spec.schedule !== undefined && status?.schedule?.inForce !== true

const defaultOf = (action: 'allow' | 'deny' = 'allow', direction: Direction): CommonRule => ({
  source: `/spec/defaults/${direction}`,
  direction,
  action,
})

function sayWhatIsNotDone({ network }: UnifiedSpec, problems: Problems): void {
  if (network !== undefined && !networkPattern.test(network))
    problems.refuse('/spec/network', 'must be the name of a Vpc, namespace/name, vni:NUMBER, or vlan:NETWORK/NUMBER')
}

/** What peers are read by, of one policy. */
interface Naming {
  readonly namespace: string
  readonly namesKnown: ReturnType<typeof knownNames>
}

interface OfRule extends Naming {
  readonly direction: Direction
  /** What is not done is left out of a rule, whatever the rule then lets pass. */
  readonly opens: boolean
  readonly at: At
}

function readRule(rule: UnifiedRule, { direction, opens, at, ...naming }: OfRule): readonly CommonRule[] {
  const { path, problems } = at
  const { action, peers, ports, l7 } = rule
  sayWhatRuleAsksInVain(rule, at)
  const frames = readFrames(rule, at)
  const readPeers = peers?.map((peer, i) => readPeer(peer, naming, { path: `${path}/peers/${i}`, problems }))
  const read = ruleOf(
    { source: path, direction, action, ...flagsOf(rule), ...frames.of, ...(l7 && { l7 }) },
    {
      // Frames that we cannot tell from others are nobody's.
      ...(frames.isWhole ? readPeers && { peers: readPeers } : { peers: [undefined] }),
      ...(ports && { transport: ports.map((each, i) => readPort(each, { path: `${path}/ports/${i}`, problems })) }),
    },
    opens,
  )
  return l7 === undefined ? read : read.flatMap((each) => inspected(each, opens, at))
}

/** One that asks of more than connections of TCP cannot be done: what it lets pass does not, and what it refuses is not let pass. */
function inspected(rule: CommonRule, opens: boolean, { path, problems }: At): readonly CommonRule[] {
  const isTcp = rule.transport?.every((each) => !isNamed(each) && each.protocol === protocolNumbers.tcp && each.first !== undefined)
  if (isTcp === true) return [rule]
  problems.unsupported(`${path}/l7`, 'is asked in connections of TCP alone, to ports that are named by number')
  return withoutL7([rule], opens)
}

/** What cannot be read of whom it is about makes it wider: who is to go by a function does not go past it. */
function readChain(
  { name, direction = 'egress', functions, ...about }: UnifiedChain,
  of: Omit<OfRule, 'direction'>,
): readonly CommonChain[] {
  return readRule({ action: 'deny', ...about }, { ...of, direction }).map((rule) => ({
    name,
    rule,
    functions: functions.map(({ name: its, pods, nic, onFailure = 'drop' }, i) => ({
      name: its,
      onFailure,
      pods: readPods(pods, { path: `${of.at.path}/functions/${i}/pods`, problems: of.at.problems }, of.namespace),
      ...(nic !== undefined && { nic }),
    })),
  }))
}

function flagsOf({ action, final, log, audit, dscp, bandwidth }: UnifiedRule): Partial<CommonRule> {
  const max = bitsOf(bandwidth?.max)
  const marks = action === 'allow' && { ...(dscp !== undefined && { dscp }), ...(max !== undefined && { max }) }
  return { ...(final && { final }), ...(audit && { audit }), ...(log && { log }), ...marks }
}

function sayWhatRuleAsksInVain({ action, bandwidth, dscp, log, l2 }: UnifiedRule, { path, problems }: At): void {
  const [denies, ofNoIP] = [action === 'deny', isNoIP(l2?.etherType)]
  const all: readonly (readonly [asked: boolean, field: string, message: string])[] = [
    [denies && bandwidth !== undefined, 'bandwidth', 'limits nothing, as nothing passes'],
    [denies && dscp !== undefined, 'dscp', 'marks nothing, as nothing passes'],
    [ofNoIP && log === true, 'log', 'logs nothing, as packets of IP alone are told of'],
    [ofNoIP && !denies && dscp !== undefined, 'dscp', 'marks nothing, as no such frame has one'],
  ]
  for (const [asked, field, message] of all) if (asked) problems.unsupported(`${path}/${field}`, message)
}

function readPeer(peer: UnifiedPeer, { namespace, namesKnown }: Naming, at: At): CommonPeers | undefined {
  const { cidr, except = [], port, securityGroup, subnet, fqdn } = peer
  if (fqdn !== undefined) return readName(namesKnown(fqdn), { ...at, path: `${at.path}/fqdn` })
  if (cidr !== undefined)
    return readBlock(cidr, except, { path: `${at.path}/cidr`, exceptPath: `${at.path}/except`, problems: at.problems })
  if (port !== undefined) return selected({ port: `${namespace}/${port}` })
  if (securityGroup !== undefined) return selected({ group: `${namespace}/${securityGroup}` })
  if (subnet !== undefined) return { selections: [], blocks: [], subnets: [keyOf(subnet, namespace)] }
  return selected(readSelectors(peer, at, namespace))
}

/** One without an address is as a part that is not done: what should not pass does not, whatever DNS says. */
function readName(known: KnownName | undefined, { path, problems }: At): CommonPeers | undefined {
  if (known === undefined) return problems.unsupported(path, `is more than ${namesMost} names in one policy`)
  const { addresses, problem } = known
  if (addresses.length === 0) return problems.unsupported(path, `has no address${problem === undefined ? '' : ` (${problem})`}`)
  const blocks = addresses.map(({ address }) => (address.includes(':') ? `${address}/128` : `${address}/32`))
  return { selections: [], blocks: [], names: [{ name: known.name, blocks }] }
}

function keyOf(reference: string, from: string): string {
  const { namespace, name } = resolveReference(reference, from)
  return `${namespace}/${name}`
}

function readPort(match: UnifiedPortMatch, at: At): readonly (TransportMatch | NamedPort)[] | undefined {
  const { protocol: word = 'tcp', l4Port, l4PortMax, l4PortName, icmpType, icmpCode } = match
  const protocol = isProtocolName(word) ? protocolNumbers[word] : Number(word)
  if (l4PortName !== undefined) return [{ named: l4PortName, protocol }]
  if (l4Port !== undefined) {
    const range = readRange(protocol, l4Port, l4PortMax, { ...at, path: `${at.path}/l4Port` })
    return range && [range]
  }
  return [{ protocol, ...(icmpType !== undefined && { icmpType }), ...(icmpCode !== undefined && { icmpCode }) }]
}
