// What the schema of a UnifiedNetworkPolicy cannot say, for either direction.
import { sameJson } from '../../same-json.ts'
import { encloses, parsePlainCidr } from '../../net/cidr.ts'
import { isPlainMac, macPattern } from '../../net/mac.ts'
import type { Rule } from '../kind.ts'
import { etherTypes, ipTypes, isNoIP, isTagType, tagTypes } from './ether-types.ts'
import { protocolNumbers, protocolsWithPorts, type ProtocolName } from './protocols.ts'
import type { UnifiedChain } from './unified-chain.ts'
import type { UnifiedFrame, UnifiedPeer, UnifiedPortMatch, UnifiedRule } from './unified-rule.ts'

interface Judged {
  readonly podSelector?: UnifiedChain['functions'][number]['pods']
  readonly ingress?: readonly UnifiedRule[]
  readonly egress?: readonly UnifiedRule[]
  readonly chains?: readonly UnifiedChain[]
}
type Direction = 'ingress' | 'egress'
type Classified = Pick<UnifiedRule, 'peers' | 'ports'>

interface Part<T> {
  /** Of one part, `x`. Absent: CEL would cost an API server too much. */
  readonly cel?: string
  readonly message: string
  readonly holds: (part: T) => boolean
}

const ways = ['cidr', 'port', 'securityGroup', 'subnet', 'fqdn'] as const
const hasSelectors = ({ podSelector, namespaceSelector }: UnifiedPeer): boolean =>
  podSelector !== undefined || namespaceSelector !== undefined
const waysOf = (peer: UnifiedPeer): number => ways.filter((way) => peer[way] !== undefined).length + (hasSelectors(peer) ? 1 : 0)

const ofPeers: readonly Part<UnifiedPeer>[] = [
  {
    cel: `(has(x.podSelector) || has(x.namespaceSelector) ? 1 : 0) + ${ways.map((way) => `(has(x.${way}) ? 1 : 0)`).join(' + ')} == 1`,
    message: 'a peer is named in one way: by selectors, cidr, port, securityGroup, subnet or fqdn',
    holds: (peer) => waysOf(peer) === 1,
  },
  {
    cel: '!has(x.cidr) || (isCIDR(x.cidr) && cidr(x.cidr) == cidr(x.cidr).masked())',
    message: 'cidr must be a block whose host bits are zero',
    holds: ({ cidr }) => cidr === undefined || parsePlainCidr(cidr) !== undefined,
  },
  {
    message: 'except must be blocks within cidr',
    holds: ({ cidr = '', except = [] }) => except.every((each) => isWithin(each, cidr)),
  },
]

function isWithin(text: string, whole: string): boolean {
  const [part, of] = [parsePlainCidr(text), parsePlainCidr(whole)]
  return part !== undefined && of !== undefined && encloses(of, part)
}

/** By name or by number. */
const spelled = (names: readonly ProtocolName[]): readonly string[] => [...names, ...names.map((name) => String(protocolNumbers[name]))]
const withPorts = spelled(protocolsWithPorts)
const withTypes = spelled(['icmp', 'icmpv6'])
const among = (words: readonly string[]): string => `x.protocol in [${words.map((word) => `'${word}'`).join(', ')}]`

const ofPorts: readonly Part<UnifiedPortMatch>[] = [
  {
    cel: `!(has(x.l4Port) || has(x.l4PortName)) || ${among(withPorts)}`,
    message: 'only tcp, udp and sctp have ports',
    holds: ({ protocol = 'tcp', l4Port, l4PortName }) => (l4Port === undefined && l4PortName === undefined) || withPorts.includes(protocol),
  },
  {
    cel: '!has(x.l4PortMax) || (has(x.l4Port) && x.l4Port <= x.l4PortMax)',
    message: 'l4PortMax ends a range that l4Port begins',
    holds: ({ l4Port, l4PortMax }) => l4PortMax === undefined || (l4Port !== undefined && l4Port <= l4PortMax),
  },
  {
    cel: '!(has(x.l4Port) && has(x.l4PortName))',
    message: 'a port is named by l4Port or l4PortName, not both',
    holds: ({ l4Port, l4PortName }) => l4Port === undefined || l4PortName === undefined,
  },
  {
    cel: `(!has(x.icmpType) || ${among(withTypes)}) && (!has(x.icmpCode) || has(x.icmpType))`,
    message: 'only icmp and icmpv6 have types, and a code is of a type',
    holds: ({ protocol = 'tcp', icmpType, icmpCode }) =>
      (icmpType === undefined || withTypes.includes(protocol)) && (icmpCode === undefined || icmpType !== undefined),
  },
]

/** There is one of a rule: `r.l2`. */
const ofFrames: readonly Required<Part<UnifiedRule & { readonly l2: UnifiedFrame }>>[] = [
  {
    cel: `!has(r.l2.mac) || r.l2.mac.matches('${macPattern}')`,
    message: 'l2.mac must be a unicast MAC address such as 02:00:00:00:00:01',
    holds: ({ l2: { mac } }) => mac === undefined || isPlainMac(mac),
  },
  {
    cel: `!has(r.l2.etherType) || r.l2.etherType != ${etherTypes.arp}`,
    message: 'l2.etherType must not be that of ARP, which is never judged: without it nobody finds anybody',
    holds: ({ l2: { etherType } }) => etherType !== etherTypes.arp,
  },
  {
    cel: `!has(r.l2.etherType) || !(r.l2.etherType in [${tagTypes.join(', ')}])`,
    message: 'l2.etherType must not be that of a tag (33024, 34984), but of what is behind it: the VLAN is l2.vlan',
    holds: ({ l2: { etherType } }) => !isTagType(etherType),
  },
  {
    cel: `!has(r.l2.etherType) || r.l2.etherType in [${ipTypes.join(', ')}] || !(has(r.peers) || has(r.ports))`,
    message: 'a rule with an l2.etherType that is no IP has no peers and no ports: in such frames is neither',
    holds: ({ l2: { etherType }, peers, ports }) => !isNoIP(etherType) || (peers === undefined && ports === undefined),
  },
]

/** @param list the parts of a rule that `part` is about, with their field */
function ruleFor<T>(
  direction: Direction | 'chains',
  field: 'peers' | 'ports',
  list: (rule: Classified) => readonly T[],
  part: Part<T>,
): Rule<Judged> {
  const { cel, message, holds } = part
  return {
    ...(cel !== undefined && { cel: ofEach(direction, `!has(r.${field}) || r.${field}.all(x, ${cel})`) }),
    message,
    at: `spec.${direction}`,
    holds: (spec) => ((spec[direction] ?? []) as readonly Classified[]).every((rule) => list(rule).every(holds)),
  }
}

const ofEach = (direction: Direction | 'chains', cel: string): string => `!has(self.${direction}) || self.${direction}.all(r, ${cel})`

const frameRule = (direction: Direction, { cel, message, holds }: (typeof ofFrames)[number]): Rule<Judged> => ({
  cel: ofEach(direction, `!has(r.l2) || ${cel}`),
  message,
  at: `spec.${direction}`,
  holds: (spec) => (spec[direction] ?? []).every(({ l2, ...rule }) => l2 === undefined || holds({ ...rule, l2 })),
})

const tcpSpelled = spelled(['tcp'])
/** Above are those that inspectors send from. */
const inspectedPortMax = 60_999
const isInspected = ({ protocol = 'tcp', l4Port, l4PortMax = l4Port }: UnifiedPortMatch): boolean =>
  tcpSpelled.includes(protocol) && l4Port !== undefined && l4PortMax !== undefined && l4Port > 0 && l4PortMax <= inspectedPortMax

/** Of all rules of a direction, in order. In CEL they would cost an API server too much. */
const ofInspected: readonly { readonly message: string; readonly holds: (rules: readonly UnifiedRule[]) => boolean }[] = [
  {
    message: 'l7 is one of http, urls, tls',
    holds: (rules) => rules.every(({ l7 }) => l7 === undefined || Object.keys(l7).length === 1),
  },
  {
    message: 'an item of l7.http has hosts, paths or methods',
    holds: (rules) => rules.every(({ l7 }) => l7?.http?.every((item) => Object.keys(item).length > 0) !== false),
  },
  {
    message: `a rule with l7 has ports: of tcp, by number, from 1 to ${inspectedPortMax}`,
    holds: (rules) => rules.every(({ l7, ports }) => l7 === undefined || ports?.every(isInspected) === true),
  },
  {
    message: 'a rule with l7 has no l2, bandwidth, dscp, log and audit beside it',
    holds: (rules) =>
      rules.every(
        ({ l7, l2, bandwidth, dscp, log, audit }) =>
          l7 === undefined || (l2 === undefined && bandwidth === undefined && dscp === undefined && log !== true && audit !== true),
      ),
  },
  {
    message: 'before a rule with l7 none has l2, nor names ports otherwise than by number',
    holds: (rules) =>
      rules
        .slice(0, rules.findLastIndex(({ l7 }) => l7 !== undefined) + 1)
        .every(({ l2, ports = [] }) => l2 === undefined && ports.every(({ l4PortName }) => l4PortName === undefined)),
  },
]

const inspectedRule = (direction: Direction, { message, holds }: (typeof ofInspected)[number]): Rule<Judged> => ({
  message,
  at: `spec.${direction}`,
  holds: (spec) => holds(spec[direction] ?? []),
})

const areUnlike = (names: readonly string[]): boolean => new Set(names).size === names.length

const ofChains: readonly Rule<Judged>[] = [
  {
    cel: ofEach('chains', '!has(r.ports) || r.ports.all(x, !has(x.l4PortName))'),
    message: 'a chain names ports by number',
    at: 'spec.chains',
    holds: ({ chains = [] }) => chains.every(({ ports = [] }) => ports.every(({ l4PortName }) => l4PortName === undefined)),
  },
  {
    cel: `!has(self.chains) || self.chains.all(r, self.chains.exists_one(x, x.name == r.name))`,
    message: 'no two chains have one name',
    at: 'spec.chains',
    holds: ({ chains = [] }) => areUnlike(chains.map(({ name }) => name)),
  },
  {
    cel: ofEach('chains', 'r.functions.all(x, r.functions.exists_one(y, y.name == x.name))'),
    message: 'no two functions of a chain have one name',
    at: 'spec.chains',
    holds: ({ chains = [] }) => chains.every(({ functions }) => areUnlike(functions.map(({ name }) => name))),
  },
  {
    message: 'a policy with chains has no rules with l7',
    at: 'spec.chains',
    holds: ({ chains = [], ingress = [], egress = [] }) =>
      chains.length === 0 || [...ingress, ...egress].every(({ l7 }) => l7 === undefined),
  },
  {
    // In CEL the two selectors are of two types, and are not compared.
    message: 'a function selects other pods than those that the policy is for',
    at: 'spec.chains',
    holds: ({ chains = [], podSelector }) =>
      chains.every(({ functions }) => functions.every(({ pods }) => podSelector === undefined || !sameJson(pods, podSelector))),
  },
]

export const unifiedRules: readonly Rule<Judged>[] = [
  ...(['ingress', 'egress', 'chains'] as const).flatMap((direction) => [
    ...ofPeers.map((part) => ruleFor(direction, 'peers', ({ peers = [] }) => peers, part)),
    ...ofPorts.map((part) => ruleFor(direction, 'ports', ({ ports = [] }) => ports, part)),
    ...(direction === 'chains'
      ? ofChains
      : [...ofFrames.map((part) => frameRule(direction, part)), ...ofInspected.map((part) => inspectedRule(direction, part))]),
  ]),
]
