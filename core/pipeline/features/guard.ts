// Anti-spoofing: a port speaks only as itself. MAC, IPv4, IPv6, ARP (RFC 826) and neighbour discovery (RFC 4861), save where its allowed
// address pairs say more, and nothing else; ports without portSecurity never come here. docs/anti-spoofing.md has it frame by frame.
import type { LocalPort } from '../../node/wanted.ts'
import { arpSha, arpSpa, ethSrc, ipProto, ipv4Src, ipv6Src, ndSll, ndTarget, ndTll, udpDst } from '../openflow/fields.ts'
import { is, type Term } from '../openflow/flow.ts'
import type { flowsOf, SwitchItem } from '../items.ts'
import { arp, icmp6, ipv4, ipv6, nd, ofPort, to } from '../match.ts'
import { sourcesOf, within, type Source } from '../sources.ts'
import type { Table } from '../tables.ts'

type Make = ReturnType<typeof flowsOf>

const udp = is(ipProto, 17)
/** RFC 2131, RFC 8415 section 7.2. */
const clients = { dhcp: 68, dhcp6: 546 } as const

/** What holds for all ports: nobody here is a router or hands out addresses. What no flow of a port names is refused. */
export function guardBase(flow: Make, next: Table): readonly SwitchItem[] {
  return [
    flow('guard', 130, [...ipv4, udp, is(udpDst, clients.dhcp)], []),
    flow('guard', 130, [...ipv6, udp, is(udpDst, clients.dhcp6)], []),
    ...(['routerAdvertisement', 'redirect'] as const).map((type) => flow('guardNd', 200, nd(type), [])),
    // Open vSwitch reads no target and no option where one stands twice or is malformed: as if there were none.
    flow('guardNd', 200, [...nd('solicitation'), is(ndTarget, 0n)], []),
    ...(['solicitation', 'advertisement'] as const).map((type) => flow('guardNd', 100, nd(type), [])),
    flow('guardNd', 0, [], [to(next)]),
  ]
}

/** @param next where a packet goes that is what it says */
export function guardOfPort(flow: Make, port: LocalPort, next: Table): readonly SwitchItem[] {
  const me = ofPort(port.number)
  const sources = sourcesOf(port)
  return [
    ...sources.flatMap((source) => (source.family === 4 ? source4(flow, me, { source, next }) : source6(flow, me, { source, next }))),
    ...macsOf(sources, 4).map((mac) => flow('guard', 120, [me, is(ethSrc, mac), ...arp, is(arpSpa, 0), is(arpSha, mac)], [to(next)])),
    // Before an address is taken into use there is none to send from (RFC 4862 section 5.4.2).
    ...macsOf(sources, 6).flatMap((mac) => [
      flow('guard', 120, [me, is(ethSrc, mac), ...ipv6, icmp6, is(ipv6Src, 0n)], [to('guardNd')]),
      flow('guardNd', 110, [me, ...nd('solicitation'), is(ndSll, mac)], [to(next)]),
    ]),
    ...(macsOf(sources, 6).length === 0 ? [] : [flow('guardNd', 110, [me, ...nd('solicitation'), is(ndSll, 0)], [to(next)])]),
  ]
}

const macsOf = (sources: readonly Source[], family: 4 | 6): number[] => [
  ...new Set(sources.filter((source) => source.family === family).map(({ mac }) => mac)),
]

interface Passing {
  readonly source: Source
  readonly next: Table
}

function source4(flow: Make, me: Term, { source, next }: Passing): readonly SwitchItem[] {
  return [
    flow('guard', 120, [me, is(ethSrc, source.mac), ...ipv4, within(ipv4Src, source)], [to(next)]),
    flow('guard', 120, [me, is(ethSrc, source.mac), ...arp, within(arpSpa, source), is(arpSha, source.mac)], [to(next)]),
  ]
}

function source6(flow: Make, me: Term, { source, next }: Passing): readonly SwitchItem[] {
  return [
    flow('guard', 120, [me, is(ethSrc, source.mac), ...ipv6, within(ipv6Src, source)], [to('guardNd')]),
    // Without its option, as who was asked directly may answer (RFC 4861 section 4.4).
    ...[source.mac, 0].map((mac) =>
      flow('guardNd', 110, [me, ...nd('advertisement'), within(ndTarget, source), is(ndTll, mac)], [to(next)]),
    ),
  ]
}
