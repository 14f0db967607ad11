// SecurityGroups, with Neutron's semantics: what no rule of any group of a Port allows is dropped, either way; a group without a rule for
// what goes out lets all of it out, as a new group of Neutron's does.
import type { Resource } from '../../kinds/index.ts'
import type { TransportMatch } from '../../kinds/policy/transport-match.ts'
import { protocolNumbers, protocolsWithPorts } from '../../kinds/policy/protocols.ts'
import { parsePlainCidr } from '../../net/cidr.ts'
import type { ReadPolicy, CommonPeers, CommonRule } from '../one-form.ts'
import { Problems } from '../problem.ts'
import { sourceOf } from './source.ts'

type Rule = NonNullable<Resource<'SecurityGroup'>['spec']['rules']>[number]

export function ofSecurityGroup(group: Resource<'SecurityGroup'>): ReadPolicy {
  const problems = new Problems()
  const { namespace = '', name } = group.metadata
  const rules = (group.spec.rules ?? []).flatMap((rule, i) => readRule(rule, { path: `/spec/rules/${i}`, namespace, problems }))
  const hasEgress = (group.spec.rules ?? []).some(({ direction }) => direction === 'egress')
  return {
    policy: {
      of: sourceOf(group),
      tier: 'securityGroup',
      priority: 0,
      subjects: { group: `${namespace}/${name}` },
      isolates: ['ingress', 'egress'],
      rules: hasEgress ? rules : [...rules, { source: '/spec/rules', direction: 'egress', action: 'allow' }],
    },
    problems: problems.all,
  }
}

interface At {
  readonly path: string
  readonly namespace: string
  readonly problems: Problems
}

/** What cannot be read allows nothing. */
function readRule(rule: Rule, at: At): readonly CommonRule[] {
  const transport = readTransport(rule, at)
  const peers = readPeers(rule, at)
  if (transport === undefined || peers === undefined) return []
  return [
    {
      source: at.path,
      direction: rule.direction,
      action: 'allow',
      ...(peers !== 'anyone' && { peers }),
      ...(transport !== 'anything' && { transport: [transport] }),
      families: [familyOf(rule)],
    },
  ]
}

const familyOf = ({ etherType }: Pick<Rule, 'etherType'>): 4 | 6 => (etherType === 'IPv6' ? 6 : 4)

function readPeers({ remoteCIDR, remoteGroup, ...rule }: Rule, { path, namespace, problems }: At): CommonPeers | 'anyone' | undefined {
  if (remoteCIDR !== undefined && remoteGroup !== undefined) return problems.refuse(path, 'names remoteCIDR or remoteGroup, not both')
  if (remoteGroup !== undefined) return { selections: [{ group: `${namespace}/${remoteGroup}` }], blocks: [] }
  if (remoteCIDR === undefined) return 'anyone'
  if (parsePlainCidr(remoteCIDR)?.family !== familyOf(rule))
    return problems.refuse(`${path}/remoteCIDR`, "must be a block of the rule's etherType")
  return { selections: [], blocks: [remoteCIDR] }
}

const { icmp: icmp4, icmpv6: icmp6 } = protocolNumbers
const withPorts: readonly number[] = protocolsWithPorts.map((name) => protocolNumbers[name])

function readTransport(rule: Rule, at: At): TransportMatch | 'anything' | undefined {
  const protocol = protocolOf(rule)
  const hasPorts = (rule.l4PortMin ?? rule.l4PortMax) !== undefined
  const path = `${at.path}/protocol`
  if (protocol === 'any') return hasPorts ? at.problems.refuse(path, 'must be named where ports are') : 'anything'
  if (protocol === icmp4 || protocol === icmp6) return icmp(rule, protocol, at)
  if (withPorts.includes(protocol)) return { protocol, ...ports(rule) }
  return hasPorts ? at.problems.refuse(path, 'has no ports') : { protocol }
}

function protocolOf(rule: Rule): number | 'any' {
  const { protocol = 'any', protocolNumber } = rule
  if (protocol === 'any') return protocolNumber ?? 'any'
  return protocol === 'icmp' ? icmpOf(rule) : protocolNumbers[protocol]
}

const icmpOf = (rule: Rule): number => (familyOf(rule) === 4 ? icmp4 : icmp6)

/** One bound alone is one port. */
function ports({ l4PortMin, l4PortMax }: Rule): Pick<TransportMatch, 'first' | 'last'> {
  const first = l4PortMin ?? l4PortMax
  const last = l4PortMax ?? l4PortMin
  if (first === undefined || last === undefined) return {}
  return last > first ? { first, last } : { first }
}

/** Of ICMP the lower bound is the type and the upper one the code, as in Neutron. Each family has its own. */
function icmp(rule: Rule, protocol: number, { path, problems }: At): TransportMatch | undefined {
  const { l4PortMin: icmpType, l4PortMax: icmpCode } = rule
  if (protocol !== icmpOf(rule)) return problems.refuse(`${path}/protocol`, "is not of the rule's etherType")
  return { protocol, ...(icmpType !== undefined && { icmpType }), ...(icmpCode !== undefined && { icmpCode }) }
}
