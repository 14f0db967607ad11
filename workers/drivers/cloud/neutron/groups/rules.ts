// A rule of a group as Neutron writes it, and as the contract of clouds does.
// https://docs.openstack.org/api-ref/network/v2/#security-group-rules-security-group-rules
import type { CloudRule } from '../../../../../core/contracts/cloud.ts'
import { protocolNumbers } from '../../../../../core/kinds/policy/protocols.ts'
import { parseCidr, printCidr } from '../../../../../core/net/cidr.ts'

export interface Rule {
  readonly id: string
  readonly direction: 'ingress' | 'egress'
  readonly ethertype: string
  readonly protocol?: string | null
  readonly port_range_min?: number | null
  readonly port_range_max?: number | null
  readonly remote_ip_prefix?: string | null
  readonly remote_group_id?: string | null
  readonly remote_address_group_id?: string | null
}

const { icmp, icmpv6, tcp, udp, sctp } = protocolNumbers
const words: ReadonlyMap<number, string> = new Map([
  [tcp, 'tcp'],
  [udp, 'udp'],
  [sctp, 'sctp'],
  [icmp, 'icmp'],
  [icmpv6, 'ipv6-icmp'],
])
const numbers: ReadonlyMap<string, number> = new Map([...[...words].map(([number, word]) => [word, number] as const), ['icmpv6', icmpv6]])

const isIcmp = (protocol: number | undefined): boolean => protocol === icmp || protocol === icmpv6

/** What Neutron has no rule for. */
export function cannot({ protocol, first }: CloudRule): string | undefined {
  if (protocol === 0) return 'names protocol 0, which is any protocol to Neutron'
  return first === 0 && !isIcmp(protocol) ? 'begins at port 0, which no rule of Neutron has' : undefined
}

export const ruleBody = ({ direction, family, protocol, first, last, block, group }: CloudRule, id: string): object => ({
  security_group_id: id,
  direction,
  ethertype: family === 4 ? 'IPv4' : 'IPv6',
  ...(protocol !== undefined && { protocol: words.get(protocol) ?? String(protocol) }),
  ...rangeOf(protocol, first, last),
  ...(block !== undefined && { remote_ip_prefix: block }),
  ...(group !== undefined && { remote_group_id: group }),
})

/** Of ICMP type and code, of which the code may be any. */
function rangeOf(protocol: number | undefined, first: number | undefined, last = isIcmp(protocol) ? undefined : first): object {
  return { ...(first !== undefined && { port_range_min: first }), ...(last !== undefined && { port_range_max: last }) }
}

/** Undefined: it says what no rule of ours does. */
export function ruleSeen(rule: Rule): CloudRule | undefined {
  const { direction, ethertype } = rule
  const protocol = protocolOf(rule)
  const remote = remoteOf(rule)
  if (protocol === 'unknown' || remote === 'unknown') return undefined
  return {
    direction,
    family: ethertype === 'IPv6' ? 6 : 4,
    ...(protocol !== undefined && { protocol }),
    ...portsOf(rule, protocol),
    ...remote,
  }
}

/** Neutron has nulls where nothing is said. */
function remoteOf(rule: Rule): Pick<CloudRule, 'block' | 'group'> | 'unknown' {
  if ((rule.remote_address_group_id ?? undefined) !== undefined) return 'unknown'
  const [group, prefix] = [rule.remote_group_id ?? undefined, rule.remote_ip_prefix ?? undefined]
  if (prefix === undefined) return group === undefined ? {} : { group }
  const block = parseCidr(prefix)
  if (block === undefined) return 'unknown'
  return block.length === 0 ? {} : { block: printCidr(block) }
}

function protocolOf({ protocol }: Rule): number | 'unknown' | undefined {
  const text = protocol ?? 'any'
  if (text === 'any') return undefined
  return numbers.get(text) ?? (/^\d+$/.test(text) ? Number(text) : 'unknown')
}

/** One port is a range of Neutron's that ends where it begins. */
function portsOf({ port_range_min, port_range_max }: Rule, protocol: number | undefined): Pick<CloudRule, 'first' | 'last'> {
  const [first, last] = [port_range_min ?? undefined, port_range_max ?? undefined]
  const isOne = last === first && !isIcmp(protocol)
  return { ...(first !== undefined && { first }), ...(last !== undefined && !isOne && { last }) }
}
