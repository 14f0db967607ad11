// SecurityGroups, with Neutron's semantics: what no rule of any group of a Port allows is dropped, either way; a group without a rule for
// what goes out lets all of it out, as a new group of Neutron's does.
import type { Resource } from '../../kinds/index.ts'
import type { TransportMatch } from '../../kinds/policy/policy-rule-set.ts'
import { parsePlainCidr } from '../../net/cidr.ts'
import type { Adapted, CommonPeers, CommonRule } from '../one-form.ts'
import { Faults } from '../fault.ts'
import { sourceOf } from './source.ts'

type Rule = NonNullable<Resource<'SecurityGroup'>['spec']['rules']>[number]

export function ofSecurityGroup(group: Resource<'SecurityGroup'>): Adapted {
  const faults = new Faults()
  const { namespace = '', name } = group.metadata
  const rules = (group.spec.rules ?? []).flatMap((rule, i) => readRule(rule, { path: `/spec/rules/${i}`, namespace, faults }))
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
    faults: faults.all,
  }
}

interface At {
  readonly path: string
  readonly namespace: string
  readonly faults: Faults
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

function readPeers({ remoteCIDR, remoteGroup, ...rule }: Rule, { path, namespace, faults }: At): CommonPeers | 'anyone' | undefined {
  if (remoteCIDR !== undefined && remoteGroup !== undefined) return faults.refuse(path, 'names remoteCIDR or remoteGroup, not both')
  if (remoteGroup !== undefined) return { selections: [{ group: `${namespace}/${remoteGroup}` }], blocks: [] }
  if (remoteCIDR === undefined) return 'anyone'
  if (parsePlainCidr(remoteCIDR)?.family !== familyOf(rule))
    return faults.refuse(`${path}/remoteCIDR`, "must be a block of the rule's etherType")
  return { selections: [], blocks: [remoteCIDR] }
}

const numbers: Readonly<Record<string, number>> = { tcp: 6, udp: 17, sctp: 132 }

function readTransport(rule: Rule, { path, faults }: At): TransportMatch | 'anything' | undefined {
  const { protocol = 'any', l4PortMin, l4PortMax } = rule
  const hasPorts = l4PortMin !== undefined || l4PortMax !== undefined
  if (protocol === 'any') return hasPorts ? faults.refuse(`${path}/protocol`, 'must be named where ports are') : 'anything'
  if (protocol === 'icmp') return icmp(rule)
  return { protocol: numbers[protocol]!, ...ports(rule) }
}

/** One bound alone is one port. */
function ports({ l4PortMin, l4PortMax }: Rule): Pick<TransportMatch, 'first' | 'last'> {
  const first = l4PortMin ?? l4PortMax
  const last = l4PortMax ?? l4PortMin
  if (first === undefined || last === undefined) return {}
  return last > first ? { first, last } : { first }
}

/** Of ICMP the lower bound is the type and the upper one the code, as in Neutron. */
function icmp(rule: Rule): TransportMatch {
  const { l4PortMin: icmpType, l4PortMax: icmpCode } = rule
  return {
    protocol: familyOf(rule) === 4 ? 1 : 58,
    ...(icmpType !== undefined && { icmpType }),
    ...(icmpCode !== undefined && { icmpCode }),
  }
}
