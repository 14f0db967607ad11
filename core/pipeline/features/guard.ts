// Anti-spoofing: a port speaks only as itself. MAC, IPv4, IPv6, ARP (RFC 826) and neighbour discovery (RFC 4861), save where its allowed
// address pairs say more; ports without portSecurity never come here.
import type { LocalPort } from '../../node/wanted.ts'
import { arpSha, arpSpa, ethSrc, ipv4Src, ipv6Src, ndSll, ndTarget, ndTll } from '../fields.ts'
import { is, type Term } from '../flow.ts'
import type { flowsOf, SwitchItem } from '../items.ts'
import { arp, icmp6, ipv4, ipv6, nd, ofPort, to } from '../match.ts'
import { sourcesOf, within, type Source } from '../sources.ts'
import type { Table } from '../tables.ts'
import { macValue } from '../values.ts'

type Make = ReturnType<typeof flowsOf>

/** What holds for all ports: addresses that no flow of a port names are refused, and nobody here is a router. */
export function guardBase(flow: Make, next: Table): readonly SwitchItem[] {
  return [
    ...[arp, ipv4, ipv6].map((match) => flow('guard', 110, match, [])),
    ...(['routerAdvertisement', 'redirect'] as const).map((type) => flow('guardNd', 200, nd(type), [])),
    ...(['solicitation', 'advertisement'] as const).map((type) => flow('guardNd', 100, nd(type), [])),
    flow('guardNd', 0, [], [to(next)]),
  ]
}

/** @param next where a packet goes that is what it says */
export function guardOfPort(flow: Make, port: LocalPort, next: Table): readonly SwitchItem[] {
  const me = ofPort(port.number)
  const sources = sourcesOf(port)
  const macs = [...new Set([macValue(port.mac), ...sources.map(({ mac }) => mac)])]
  return [
    ...macs.map((mac) => flow('guard', 100, [me, is(ethSrc, mac)], [to(next)])),
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

const macsOf = (sources: readonly Source[], family: 4 | 6): number[] => [...new Set(sources.filter((source) => source.family === family).map(({ mac }) => mac))]

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
    flow('guardNd', 110, [me, ...nd('advertisement'), within(ndTarget, source), is(ndTll, source.mac)], [to(next)]),
  ]
}
