// Filters in BIRD's language: what a session lets in and out, and what the kernel is given.
import { communityOf, gracefulShutdown } from '../communities.ts'
import { bitsOfFamily, bogons, defaultRoute, outsideMark, ownPrefixes, rangeOf, rulesOf, wantedOf, type Range } from '../safety.ts'
import type { Family, PrefixRule, SpeakerGroup, SpeakerSession } from '../speaker.ts'
import { parseCidr } from '../../net/cidr.ts'
import { leavingRouteProtocol, ownRouteProtocol } from '../../net/route-table.ts'

const set = (ranges: readonly Range[]): string => `[ ${ranges.map(({ prefix, from, to }) => `${prefix}{${from},${to}}`).join(', ')} ]`
const within = (prefix: string, family: Family): Range => ({ prefix, from: parseCidr(prefix)!.length, to: bitsOfFamily[family] })
const literal = (community: readonly number[]): string => `(${community.join(',')})`

const marked = ({ as }: SpeakerGroup): string => `(${as},${outsideMark},1) ~ bgp_large_community`
const noBogons = (family: Family): string => `if net ~ ${set(bogons[family].map((each) => within(each, family)))} then reject;`
const isDefault = (family: Family): string => `net = ${defaultRoute[family]}`

const adds = (communities: readonly string[] = []): string =>
  communities
    .map(communityOf)
    .map((each) => `${each.length === 2 ? 'bgp_community' : 'bgp_large_community'}.add(${literal(each)}); `)
    .join('')

/** @param more communities of whatever is let through */
const ruleLines = (rules: readonly PrefixRule[], more: readonly string[] = []): readonly string[] =>
  rules.map((rule) => {
    const what = rule.action === 'accept' ? `{ ${adds([...more, ...(rule.communities ?? [])])}accept; }` : 'reject;'
    return `if net ~ ${set([rangeOf(rule)])} then ${what}`
  })

export function importLines(group: SpeakerGroup, session: SpeakerSession, family: Family): readonly string[] {
  const own = ownPrefixes(group, family).map((each) => within(each, family))
  const fromOutside = [
    ...(own.length > 0 ? [`if net ~ ${set(own)} then reject;`] : []),
    `bgp_large_community.add((${group.as},${outsideMark},1));`,
  ]
  // A node passes on what a session of its own has been told to let in, the default route too; one that has not heard yet what is ours
  // may have let in what it should not.
  const fromNode = [
    ...(own.length > 0 ? [`if ${marked(group)} && net ~ ${set(own)} then reject;`] : []),
    `if ${isDefault(family)} && ! (${marked(group)}) then reject;`,
  ]
  return [
    noBogons(family),
    ...(session.external ? fromOutside : fromNode),
    `if ${literal(gracefulShutdown)} ~ bgp_community then bgp_local_pref = 0;`,
    ...ruleLines(rulesOf(session.import, family)),
    // RFC 8212: from outside comes what somebody has named.
    session.external ? 'reject;' : 'accept;',
  ]
}

export function exportLines(group: SpeakerGroup, session: SpeakerSession, family: Family): readonly string[] {
  const { communities = [] } = session
  return [
    noBogons(family),
    // What is from outside never goes out again: nobody's traffic passes through us.
    session.external ? `if ${marked(group)} then reject;` : `if ${isDefault(family)} && ! (${marked(group)}) then reject;`,
    ...ruleLines(rulesOf(session.export, family), communities),
    `${adds(communities)}accept;`,
  ]
}

/**
 * Of the table nothing is ours to tell of but host routes of Ports and service addresses, and blocks behind Ports, in what is advertised by
 * such. What leads nowhere BIRD does not learn. One that is about to go says so: who has another way takes that (RFC 8326).
 */
export function learnLines({ advertise }: SpeakerGroup, family: Family): readonly string[] {
  const ours = ownPrefixes({ advertise: advertise.filter(({ hostRoutes }) => hostRoutes) }, family)
  if (ours.length === 0) return ['reject;']
  return [
    `if krt_source != ${ownRouteProtocol} && krt_source != ${leavingRouteProtocol} then reject;`,
    `if krt_source = ${leavingRouteProtocol} then bgp_community.add(${literal(gracefulShutdown)});`,
    // It forgets the gateway, which would be the next hop to be told of: that is this node, whichever Port is behind it.
    'ifname = ifname;',
    `if net ~ ${set(ours.map((each) => within(each, family)))} then accept;`,
    'reject;',
  ]
}

/** Routes of our own nodes, and of those from outside what a Vpc has asked for. */
export function kernelLines(group: SpeakerGroup, family: Family): readonly string[] {
  const wanted = wantedOf(group, family)
  const fromOutside = wanted === 'all' ? 'accept;' : wanted.length === 0 ? 'reject;' : `if net ~ ${set(wanted)} then accept; else reject;`
  return ['if source != RTS_BGP || dest = RTD_UNREACHABLE then reject;', `if ${marked(group)} then { ${fromOutside} }`, 'accept;']
}
