// What no guarded port may send, whoever it is, of what has a source of its own: it is no router and hands out no addresses. One table for
// IPv4 and one for IPv6 behind the guards of all ports. Headers are read at fixed places: where what counts may stand elsewhere, or
// fragments and extension headers hide it, the frame is dropped.
import type { Hex, MadeElement as Element, MatchField, RuleElement } from '../elements.ts'

type Masked = readonly [value: number, mask: number]
type Values = readonly (number | Masked | undefined)[]

const [fields4, fields6]: readonly [readonly MatchField[], readonly MatchField[]] = [
  // EtherType, version and length of the header, flags and offset of a fragment, protocol, UDP port that it is for.
  [
    { at: 12, bytes: 2 },
    { at: 14, bytes: 1 },
    { at: 20, bytes: 2 },
    { at: 23, bytes: 1 },
    { at: 36, bytes: 2 },
  ],
  // EtherType, next header, and behind it: type of ICMPv6 or next header of an extension, the extension's length, UDP port or a fragment's
  // offset; behind an extension of eight bytes: type of ICMPv6, UDP port.
  [
    { at: 12, bytes: 2 },
    { at: 20, bytes: 1 },
    { at: 54, bytes: 1 },
    { at: 55, bytes: 1 },
    { at: 56, bytes: 2 },
    { at: 62, bytes: 1 },
    { at: 64, bytes: 2 },
  ],
]
const [inV4, inV6, udp, icmp6] = [0x0800, 0x86dd, 17, 58]
const [dhcp, dhcp6] = [68, 546]
const wholeHeader = 0x45
const first4: Masked = [0, 0x1fff]
const first6: Masked = [0, 0xfff8]
/** Hop-by-hop, routing, destination options (RFC 8200 section 4.1), and fragments. */
const [options, fragment] = [[0, 43, 60], 44]
const extensions = [...options, fragment]
const [routerAdvertisement, solicitation, advertisement, redirect] = [134, 135, 136, 137]

const hex = (value: number, bytes: number): Hex => value.toString(16).padStart(bytes * 2, '0')
const full = (bytes: number): number => 256 ** bytes - 1

function rule(
  table: string,
  fields: readonly MatchField[],
  values: Values,
  { to, priority }: { readonly to: string; readonly priority: number },
): RuleElement {
  const parts = fields.map(({ bytes }, i) => {
    const given = values[i]
    const [value, mask] = given === undefined ? [0, 0] : typeof given === 'number' ? [given, full(bytes)] : given
    return { value: hex(value, bytes), mask: hex(mask, bytes) }
  })
  return { kind: 'rule', table, values: parts.map(({ value }) => value), masks: parts.map(({ mask }) => mask), priority, to }
}

function rules4(table: string, to: string): readonly RuleElement[] {
  const of = (values: Values, does: { readonly to: string; readonly priority: number }): RuleElement => rule(table, fields4, values, does)
  return [
    of([inV4, wholeHeader, first4, udp, dhcp], { to: 'drop', priority: 3 }),
    of([inV4, wholeHeader, undefined, udp], { to, priority: 2 }),
    of([inV4, undefined, undefined, udp], { to: 'drop', priority: 1 }),
  ]
}

function rules6(table: string, to: string): readonly RuleElement[] {
  const drop = (...values: Values): RuleElement => rule(table, fields6, [inV6, ...values], { to: 'drop', priority: 3 })
  const hidden = [routerAdvertisement, solicitation, advertisement, redirect]
  return [
    drop(udp, undefined, undefined, dhcp6),
    ...[routerAdvertisement, redirect].map((type) => drop(icmp6, type)),
    ...extensions.flatMap((outer) => extensions.map((inner) => drop(outer, inner))),
    ...options.flatMap((outer) => hidden.map((type) => drop(outer, icmp6, undefined, undefined, type))),
    ...hidden.map((type) => drop(fragment, icmp6, undefined, first6, type)),
    ...options.map((outer) => drop(outer, udp, undefined, undefined, undefined, dhcp6)),
    drop(fragment, udp, undefined, first6, undefined, dhcp6),
    ...extensions.map((outer) => rule(table, fields6, [inV6, outer, undefined, 0], { to, priority: 2 })),
    ...extensions.map((outer) => rule(table, fields6, [inV6, outer], { to: 'drop', priority: 1 })),
  ]
}

/**
 * The two tables.
 * @param roles their names
 * @param before bytes in front of the EtherType that others do not have
 * @param to where each leads
 */
export function siftElements(
  roles: readonly [v4: string, v6: string],
  before: number,
  to: readonly [v4: string, v6: string],
): readonly Element[] {
  const behind = (fields: readonly MatchField[]): readonly MatchField[] =>
    fields.map((field) => ({ ...field, at: (field.at as number) + before }))
  return [
    { kind: 'module', role: roles[0], args: { mclass: 'WildcardMatch', fields: behind(fields4) }, next: [to[0]] },
    ...rules4(roles[0], to[0]),
    { kind: 'module', role: roles[1], args: { mclass: 'WildcardMatch', fields: behind(fields6) }, next: [to[1]] },
    ...rules6(roles[1], to[1]),
  ]
}
