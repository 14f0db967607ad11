// What a port may say in neighbour discovery (RFC 4861): its own MAC in the one option that there may be, and its own addresses as a
// target. Behind its guard, for IPv6 alone. `nd.N` is for solicitations and what comes from `::`, `na.N` for advertisements.
import type { LocalPort } from '../../node/wanted.ts'
import { hexOf, hexOfBlock, hexOfMac, isV4 } from '../bytes.ts'
import { linkLocalHalf, sourcesOf, type Source } from './guard.ts'
import type { Hex, MadeElement as Element, MatchField, RuleElement } from '../elements.ts'

const fields: readonly MatchField[] = [
  { at: 22, bytes: 8 }, // first half of the source
  { at: 18, bytes: 2 }, // how long what stands behind the header is
  { at: 20, bytes: 1 }, // next header
  { at: 54, bytes: 1 }, // type of ICMPv6, or behind an extension header its next header
  { at: 62, bytes: 8 }, // target, first half
  { at: 70, bytes: 8 }, // target, second half
  { at: 78, bytes: 8 }, // option
]
const names = ['from', 'length', 'next', 'type', 'first', 'second', 'option'] as const
type Part = Hex | { readonly value: Hex; readonly mask: Hex }
type Matched = { readonly [K in (typeof names)[number]]?: Part }

function rule(table: string, matched: Matched, to: string, priority: number): RuleElement {
  const parts = names.map((name, i) => {
    const given = matched[name]
    const none = '00'.repeat(fields[i]!.bytes)
    if (given === undefined) return { value: none, mask: none }
    return typeof given === 'string' ? { value: given, mask: 'ff'.repeat(fields[i]!.bytes) } : given
  })
  return { kind: 'rule', table, values: parts.map(({ value }) => value), masks: parts.map(({ mask }) => mask), priority, to }
}

const [solicitation, advertisement, routerSolicitation] = ['87', '88', '85']
const [icmp6, hopByHop] = ['3a', '00']
/** Without an option, and with one of eight bytes. */
const [bare, whole] = [hexOf(24, 2), hexOf(32, 2)]
const nonce: Part = { value: '0e01000000000000', mask: 'ffff000000000000' }
const unspecified = '00'.repeat(8)

/** @param tag as the guard's */
export const discoveryFields = (tag: 0 | 4): readonly MatchField[] => fields.map((field) => ({ ...field, at: (field.at as number) + tag }))

/** Rules of `nd.N`. They leave alone what none of them matches. */
export function discoveryRules(
  port: LocalPort,
  { table, advertised, to }: { readonly table: string; readonly advertised: string; readonly to: string },
): readonly RuleElement[] {
  const match = { next: icmp6, type: solicitation }
  return [
    rule(table, { ...match, length: bare }, to, 4),
    ...macsOf(port).map((mac) => rule(table, { ...match, length: whole, option: `0101${hexOfMac(mac)}` }, to, 4)),
    rule(table, { ...match, length: whole, option: nonce }, to, 4),
    rule(table, match, 'drop', 3),
    rule(table, { next: icmp6, type: advertisement }, advertised, 3),
    // Before an address is taken into use: routers are looked for, groups reported behind a hop-by-hop header (RFC 3810).
    rule(table, { from: unspecified, next: icmp6, type: routerSolicitation }, to, 2),
    rule(table, { from: unspecified, next: hopByHop, type: icmp6 }, to, 2),
    rule(table, { from: unspecified }, 'drop', 1),
  ]
}

/** Rules of `na.N`. What none of them matches is dropped. */
export function advertisementRules(port: LocalPort, table: string, to: string): readonly RuleElement[] {
  return targetsOf(port).flatMap(({ mac, ...target }) => [
    rule(table, { ...target, length: bare }, to, 1),
    rule(table, { ...target, length: whole, option: `0201${hexOfMac(mac)}` }, to, 1),
  ])
}

const inV6 = (port: LocalPort): readonly Source[] => sourcesOf(port).filter(({ ip }) => !isV4(ip.split('/')[0]!))
const macsOf = (port: LocalPort): readonly string[] => [...new Set(inV6(port).map(({ mac }) => mac))]
export const speaksV6 = (port: LocalPort): boolean => inV6(port).length > 0

function targetsOf(port: LocalPort): readonly { readonly mac: string; readonly first: Part; readonly second: Part }[] {
  const all = inV6(port).map(({ mac, ip }) => {
    const { value, mask } = hexOfBlock(ip)
    return { mac, first: { value: value.slice(0, 16), mask: mask.slice(0, 16) }, second: { value: value.slice(16), mask: mask.slice(16) } }
  })
  return inV6(port).some(({ mac }) => mac === port.mac)
    ? [...all, { mac: port.mac, first: 'fe80000000000000', second: linkLocalHalf(port.mac) }]
    : all
}

/** Both tables with their rules. */
export function discoveryElements(port: LocalPort, { tag, to }: { readonly tag: 0 | 4; readonly to: string }): readonly Element[] {
  if (!speaksV6(port)) return []
  const [table, advertised] = [`nd.${port.number}`, `na.${port.number}`]
  return [
    { kind: 'module', role: table, args: { mclass: 'WildcardMatch', fields: discoveryFields(tag) }, next: [to] },
    { kind: 'module', role: advertised, args: { mclass: 'WildcardMatch', fields: discoveryFields(tag) }, next: [] },
    ...discoveryRules(port, { table, advertised, to }),
    ...advertisementRules(port, advertised, to),
  ]
}
