// What holds whatever the filters say.
import { parseCidr } from '../net/cidr.ts'
import type { Family, PrefixFilter, PrefixRule, SpeakerGroup } from './speaker.ts'

/** Never a destination beyond a node (RFC 6890): nobody's route to them is taken or given. */
export const bogons: Readonly<Record<Family, readonly string[]>> = {
  ipv4: ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '240.0.0.0/4'],
  ipv6: ['::/128', '::1/128', 'fe80::/10', 'ff00::/8'],
}
export const defaultRoute: Readonly<Record<Family, string>> = { ipv4: '0.0.0.0/0', ipv6: '::/0' }
export const families = ['ipv4', 'ipv6'] as const
export const bitsOfFamily: Readonly<Record<Family, number>> = { ipv4: 32, ipv6: 128 }
export const familyOf = (text: string): Family => (text.includes(':') ? 'ipv6' : 'ipv4')

/** The second part of the large community AS:77:1: a route that is from outside, and not of a node of ours. It never leaves the AS. */
export const outsideMark = 77

/** What a filter lets through, as lengths of prefixes within its own. Only one of the default route and nothing else lets that through. */
export interface Range {
  readonly prefix: string
  readonly from: number
  readonly to: number
}
export function rangeOf({ prefix, ge, le }: PrefixFilter): Range {
  const { length } = parseCidr(prefix)!
  const from = ge ?? length
  const to = le ?? (ge === undefined ? length : bitsOfFamily[familyOf(prefix)])
  return { prefix, from: from === 0 && to > 0 ? 1 : from, to }
}

export const rulesOf = (rules: readonly PrefixRule[], family: Family): readonly PrefixRule[] =>
  rules.filter(({ prefix }) => familyOf(prefix) === family)

/** Prefixes that are ours: nobody outside has them to give. */
export const ownPrefixes = ({ advertise, own = [] }: Pick<SpeakerGroup, 'advertise' | 'own'>, family: Family): readonly string[] =>
  [...new Set([...advertise.map(({ cidr }) => cidr), ...own])].filter((cidr) => familyOf(cidr) === family)

/** What of outside goes into the kernel: what a Vpc has asked for. `all`: one asked for whatever sessions let in. */
export function wantedOf({ imports }: SpeakerGroup, family: Family): readonly Range[] | 'all' {
  if (imports.some(({ allow }) => allow.length === 0)) return 'all'
  return imports.flatMap(({ allow }) => allow.filter(({ prefix }) => familyOf(prefix) === family).map(rangeOf))
}
