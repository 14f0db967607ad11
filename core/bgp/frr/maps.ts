// Route maps of FRR: what a session lets in and out, and what the kernel is given.
import { parseCidr } from '../../net/cidr.ts'
import { communityOf, gracefulShutdown } from '../communities.ts'
import { groupWord, sessionWord } from '../names.ts'
import { bitsOfFamily, bogons, defaultRoute, outsideMark, ownPrefixes, rangeOf, rulesOf, wantedOf, type Range } from '../safety.ts'
import type { Family, PrefixRule, SpeakerGroup, SpeakerSession } from '../speaker.ts'

/** Lists of all route maps. */
export const outsideList = 'm_outside'
export const shutdownList = 'm_graceful_shutdown'
const ip: Readonly<Record<Family, string>> = { ipv4: 'ip', ipv6: 'ipv6' }

/** One entry: its conditions all hold, or it is not that of the route. */
export interface Entry {
  readonly action: 'permit' | 'deny'
  readonly match?: readonly string[]
  readonly set?: readonly string[]
  /** Goes on with the next entry, or the one behind it. */
  readonly goesOn?: 'next' | 'skip'
}

export const prefixList = (name: string, family: Family, ranges: readonly Range[]): readonly string[] =>
  ranges.map(({ prefix, from, to }, i) => {
    const { length } = parseCidr(prefix)!
    const more = `${from > length ? ` ge ${from}` : ''}${to > from || from > length ? ` le ${to}` : ''}`
    return `${ip[family]} prefix-list ${name} seq ${(i + 1) * 5} permit ${prefix}${more}`
  })

/** An entry that says nothing else ends it: what passes entries that go on would be let through at the end. */
export const routeMap = (name: string, entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ action, match = [], set = [], goesOn }, i) => [
    `route-map ${name} ${action} ${(i + 1) * 10}`,
    ...match.map((each) => ` match ${each}`),
    ...set.map((each) => ` set ${each}`),
    ...(goesOn === undefined ? [] : [goesOn === 'next' ? ' on-match next' : ` on-match goto ${(i + 3) * 10}`]),
    'exit',
  ])

const matchList = (family: Family, name: string): string => `${ip[family]} address prefix-list ${name}`
const all = (prefix: string, family: Family): Range => ({ prefix, from: parseCidr(prefix)!.length, to: bitsOfFamily[family] })

const adds = (communities: readonly string[] = []): readonly string[] => {
  const of = (size: number): string =>
    communities
      .map(communityOf)
      .filter((each) => each.length === size)
      .map((each) => each.join(':'))
      .join(' ')
  return [...(of(2) === '' ? [] : [`community ${of(2)} additive`]), ...(of(3) === '' ? [] : [`large-community ${of(3)} additive`])]
}

/** The lists and entries of a session's rules. */
function ruled(rules: readonly PrefixRule[], name: string, family: Family, set: (rule: PrefixRule) => readonly string[]) {
  return rules.map((rule, i) => {
    const list = `${name}_${i + 1}`
    const entry: Entry = {
      action: rule.action === 'accept' ? 'permit' : 'deny',
      match: [matchList(family, list)],
      ...(rule.action === 'accept' && { set: set(rule) }),
    }
    return { lines: prefixList(list, family, [rangeOf(rule)]), entry }
  })
}

const outside = `large-community ${outsideList}`
/** A node passes on what a session of its own has been told to let in, the default route too. */
const noDefaultOfOurs = (family: Family): readonly Entry[] => [
  { action: 'permit', match: [outside], goesOn: 'skip' },
  { action: 'deny', match: [matchList(family, `m_default_${family}`)] },
]
const noBogons = (family: Family): Entry => ({ action: 'deny', match: [matchList(family, `m_bogons_${family}`)] })

export const mapName = (group: SpeakerGroup, session: SpeakerSession, way: 'in' | 'out', family: Family): string =>
  `${sessionWord(group.name, session.name)}_${way}_${family}`

export function importMap(group: SpeakerGroup, session: SpeakerSession, family: Family): readonly string[] {
  const name = mapName(group, session, 'in', family)
  const own = ownPrefixes(group, family)
  const ownList = `${groupWord(group.name)}_own_${family}`
  const rules = ruled(rulesOf(session.import, family), name, family, ({ communities }) => adds(communities))
  const entries: readonly Entry[] = [
    noBogons(family),
    ...(own.length > 0 ? [{ action: 'deny', match: [...(session.external ? [] : [outside]), matchList(family, ownList)] } as const] : []),
    ...(session.external
      ? [{ action: 'permit', set: [`large-community ${group.as}:${outsideMark}:1 additive`], goesOn: 'next' } as const]
      : noDefaultOfOurs(family)),
    // Where bgpd puts it into the kernel: the table map below says whether, and cannot say where.
    { action: 'permit', set: [`table ${group.table}`], goesOn: 'next' },
    { action: 'permit', match: [`community ${shutdownList}`], set: ['local-preference 0'], goesOn: 'next' },
    ...rules.map(({ entry }) => entry),
    // RFC 8212: from outside comes what somebody has named.
    { action: session.external ? 'deny' : 'permit' },
  ]
  return [...rules.flatMap(({ lines }) => lines), ...routeMap(name, entries)]
}

export function exportMap(group: SpeakerGroup, session: SpeakerSession, family: Family): readonly string[] {
  const name = mapName(group, session, 'out', family)
  const nextHop = family === 'ipv6' && !session.address.includes(':') ? [`ipv6 next-hop global ${group.addresses.ipv6!}`] : []
  const more = session.communities ?? []
  const rules = ruled(rulesOf(session.export, family), name, family, ({ communities = [] }) => [
    ...adds([...more, ...communities]),
    ...nextHop,
  ])
  const entries: readonly Entry[] = [
    noBogons(family),
    // What is from outside never goes out again: nobody's traffic passes through us.
    ...(session.external ? [{ action: 'deny', match: [outside] } as const] : noDefaultOfOurs(family)),
    ...rules.map(({ entry }) => entry),
    { action: 'permit', set: [...adds(more), ...nextHop] },
  ]
  return [...rules.flatMap(({ lines }) => lines), ...routeMap(name, entries)]
}

export const kernelMapName = (group: SpeakerGroup, family: Family): string => `${groupWord(group.name)}_kernel_${family}`

/** Routes of our own nodes, and of those from outside what a Vpc has asked for. */
export function kernelMap(group: SpeakerGroup, family: Family): readonly string[] {
  const name = kernelMapName(group, family)
  const wanted = wantedOf(group, family)
  const entries: readonly Entry[] = [
    ...(wanted === 'all' || wanted.length === 0
      ? []
      : [{ action: 'permit', match: [outside, matchList(family, `${name}_wanted`)] } as const]),
    ...(wanted === 'all' ? [] : [{ action: 'deny', match: [outside] } as const]),
    { action: 'permit' },
  ]
  return [...(wanted === 'all' ? [] : prefixList(`${name}_wanted`, family, wanted)), ...routeMap(name, entries)]
}

/** Of what is about to go from here (RFC 8326). */
export const leavingMapName = 'm_leaving'
export const leavingMap = routeMap(leavingMapName, [{ action: 'permit', set: [`community ${gracefulShutdown.join(':')}`] }])

/** What maps of every session look into. */
export function commonLists(group: SpeakerGroup, family: Family): readonly string[] {
  return [
    ...prefixList(
      `m_bogons_${family}`,
      family,
      bogons[family].map((each) => all(each, family)),
    ),
    ...prefixList(`m_default_${family}`, family, [{ prefix: defaultRoute[family], from: 0, to: 0 }]),
    ...prefixList(
      `${groupWord(group.name)}_own_${family}`,
      family,
      ownPrefixes(group, family).map((each) => all(each, family)),
    ),
  ]
}
