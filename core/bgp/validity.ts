// A speaker is looked through before it becomes a daemon's text: what stands there unquoted must be what it says it is.
import { Invalid, type MegrezError } from '../errors.ts'
import { parsePlainCidr, parseCidr } from '../net/cidr.ts'
import { parsePlainIp, parseV4 } from '../net/ip.ts'
import { parseCommunity } from './communities.ts'
import { bitsOfFamily, familyOf } from './safety.ts'
import type { Family, PrefixFilter, PrefixRule, SpeakerGroup, SpeakerSession, SpeakerSpec } from './speaker.ts'

const refused = (at: string, is: unknown, right: string): MegrezError =>
  new Invalid({ at, reason: `${at} must be ${right}; it is ${JSON.stringify(is)}` })

function whole(at: string, is: number | undefined, [least, most]: readonly [number, number]): void {
  if (is !== undefined && !(Number.isInteger(is) && is >= least && is <= most))
    throw refused(at, is, `a whole number from ${least} to ${most}`)
}
function right(at: string, is: unknown, holds: boolean, what: string): void {
  if (!holds) throw refused(at, is, what)
}

const as = [1, 4_294_967_295] as const
const prefixes = [1, 100_000_000] as const
/** As names of objects and nodes are (RFC 1123), with `node-` before them. */
const name = /^[a-z0-9]([-.a-z0-9]{0,256}[a-z0-9])?$/
const aName = 'a name of letters, digits, dots and dashes'
/** Tables of the kernel's own (rt_tables): default, main, local. */
const kernelTables: readonly number[] = [253, 254, 255]

/** @throws Invalid with the path of the first thing that is not what it should be */
export function validate({ groups }: SpeakerSpec): void {
  groups.forEach((group, i) => {
    const at = `/spec/groups/${i}`
    validateGroup(group, at)
    const twin = groups.findIndex((each) => each.name === group.name || each.table === group.table)
    right(`${at}/table`, group.table, twin === i, `another than that of ${groups[twin]!.name}, and so must its name`)
    group.sessions.forEach((session, j) => {
      validateSession(session, `${at}/sessions/${j}`)
      right(
        `${at}/sessions/${j}/rrClient`,
        session.rrClient,
        session.rrClient !== true || session.as === group.as,
        'of a session within the AS',
      )
      const first = group.sessions.findIndex((each) => each.name === session.name)
      right(`${at}/sessions/${j}/name`, session.name, first === j, 'another than that of the sessions before')
    })
  })
}

const validateBlock = (cidr: string, at: string): void =>
  right(at, cidr, (parsePlainCidr(cidr)?.length ?? 0) > 0, 'a block whose host bits are zero')

function validateGroup(group: SpeakerGroup, at: string): void {
  right(`${at}/name`, group.name, name.test(group.name), aName)
  whole(`${at}/as`, group.as, as)
  right(`${at}/routerID`, group.routerID, (parseV4(group.routerID) ?? 0) !== 0, 'four numbers with dots, not 0.0.0.0')
  whole(`${at}/table`, group.table, [1, 4_294_967_295])
  right(`${at}/table`, group.table, !kernelTables.includes(group.table), 'a table that is not the kernel’s own')
  for (const family of ['ipv4', 'ipv6'] as const) {
    const address = group.addresses[family]
    if (address !== undefined) right(`${at}/addresses/${family}`, address, isAddress(address, family), `an address of ${family}`)
  }
  group.own?.forEach((cidr, i) => validateBlock(cidr, `${at}/own/${i}`))
  group.advertise.forEach(({ cidr }, i) => validateBlock(cidr, `${at}/advertise/${i}/cidr`))
  group.imports.forEach(({ allow }, i) => validateFilters(allow, `${at}/imports/${i}/allow`))
  // RFC 4724 section 3: twelve bits.
  whole(`${at}/gracefulRestartSeconds`, group.gracefulRestartSeconds, [1, 4_095])
  whole(`${at}/maximumPaths`, group.maximumPaths, [1, 64])
}

/** Link-local ones need the name of a link beside them, which a speaker does not have. */
const isAddress = (text: string, family: Family): boolean =>
  parsePlainIp(text) !== undefined && familyOf(text) === family && !/^fe[89ab]/i.test(text)

function validateSession(session: SpeakerSession, at: string): void {
  const { address, clusterID, bfd } = session
  right(`${at}/name`, session.name, name.test(session.name), aName)
  right(`${at}/address`, address, isAddress(address, familyOf(address)), 'an IPv4 or IPv6 address, not a link-local one')
  whole(`${at}/l4Port`, session.l4Port, [1, 65_535])
  whole(`${at}/as`, session.as, as)
  whole(`${at}/multihop`, session.multihop, [1, 255])
  if (clusterID !== undefined) right(`${at}/clusterID`, clusterID, (parseV4(clusterID) ?? 0) !== 0, 'four numbers with dots')
  whole(`${at}/bfd/intervalMilliseconds`, bfd?.intervalMilliseconds, [10, 60_000])
  whole(`${at}/bfd/multiplier`, bfd?.multiplier, [2, 255])
  validateTimers(session, at)
  whole(`${at}/maximumPrefixes/ipv4`, session.maximumPrefixes?.ipv4, prefixes)
  whole(`${at}/maximumPrefixes/ipv6`, session.maximumPrefixes?.ipv6, prefixes)
  validateRules(session.import, `${at}/import`)
  validateRules(session.export, `${at}/export`)
  validateCommunities(session.communities, `${at}/communities`)
}

function validateTimers({ holdSeconds, keepaliveSeconds, connectRetrySeconds }: SpeakerSession, at: string): void {
  // RFC 4271 section 4.2: below three there is no hold time, but none at all.
  whole(`${at}/holdSeconds`, holdSeconds, [3, 65_535])
  whole(`${at}/keepaliveSeconds`, keepaliveSeconds, [1, Math.max(1, Math.floor(holdSeconds / 2))])
  whole(`${at}/connectRetrySeconds`, connectRetrySeconds, [1, 65_535])
}

function validateRules(rules: readonly PrefixRule[], at: string): void {
  validateFilters(rules, at)
  rules.forEach(({ action, communities }, i) => {
    right(`${at}/${i}/action`, action, action === 'accept' || action === 'reject', 'accept or reject')
    validateCommunities(communities, `${at}/${i}/communities`)
  })
}

function validateFilters(filters: readonly PrefixFilter[], at: string): void {
  filters.forEach(({ prefix, ge, le }, i) => {
    const length = parseCidr(prefix)?.length
    if (length === undefined) throw refused(`${at}/${i}/prefix`, prefix, 'a block whose host bits are zero')
    const most = bitsOfFamily[familyOf(prefix)]
    whole(`${at}/${i}/ge`, ge, [length, most])
    whole(`${at}/${i}/le`, le, [ge ?? length, most])
  })
}

function validateCommunities(communities: readonly string[] = [], at: string): void {
  communities.forEach((each, i) =>
    right(`${at}/${i}`, each, parseCommunity(each) !== undefined, 'a community such as 64512:100, 64512:1:2 or graceful-shutdown'),
  )
}

/** Eighty bytes are the most that the kernel takes (TCP_MD5SIG_MAXKEYLEN). Neither daemon can say a quote, and FRR no space. */
export const isPassword = (text: string): boolean => /^[\x21\x23-\x7e]{1,80}$/.test(text)
