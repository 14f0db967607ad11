// What a port may send: its own MAC and addresses, in frames of IPv4, IPv6 and ARP, and those of its pairs. Everything else is dropped.
// docs/anti-spoofing.md has it frame by frame. What else IP may be is settled behind, by discovery.ts and split-pieces.ts.
import type { LocalPort } from '../../node/wanted.ts'
import { hexOfBlock, hexOfMac, isV4 } from '../bytes.ts'
import type { Hex, MatchField, RuleElement } from '../elements.ts'

/** A WildcardMatch takes eight fields and eight different combinations of masks (core/modules/wildcard_match.h). */
const fields: readonly MatchField[] = [
  { at: 6, bytes: 6 }, // source MAC
  { at: 12, bytes: 2 }, // EtherType
  { at: 22, bytes: 6 }, // ARP: sender's MAC
  { at: 28, bytes: 4 }, // ARP: sender's address
  { at: 38, bytes: 4 }, // ARP: target's address
  { at: 26, bytes: 4 }, // IPv4: source
  { at: 22, bytes: 8 }, // IPv6: source, first half
  { at: 30, bytes: 8 }, // IPv6: source, second half
]
/** @param tag bytes of a VLAN tag in front of the EtherType: 0 or 4 */
export const guardFields = (tag: 0 | 4): readonly MatchField[] =>
  fields.map((field, i) => (i === 0 ? field : { ...field, at: (field.at as number) + tag }))
export const guardMasksMax = 8
const names = ['mac', 'type', 'arpMac', 'arpFrom', 'arpFor', 'v4', 'v6a', 'v6b'] as const
type Matched = { readonly [K in (typeof names)[number]]?: Hex | { readonly value: Hex; readonly mask: Hex } }

const types = { ipv4: '0800', arp: '0806', ipv6: '86dd' } as const
const zero = (bytes: number): Hex => '00'.repeat(bytes)

/** Where what has a source of its own goes on. */
export interface GuardGates {
  readonly arp: string
  readonly ipv4: string
  readonly ipv6: string
  /** Of what nobody answers, and nobody looks into. */
  readonly all: string
}

function rule(table: string, matched: Matched, to: string, priority: number): RuleElement {
  const parts = names.map((name, i) => {
    const given = matched[name]
    const bytes = fields[i]!.bytes
    if (given === undefined) return { value: zero(bytes), mask: zero(bytes) }
    return typeof given === 'string' ? { value: given, mask: 'ff'.repeat(bytes) } : given
  })
  return { kind: 'rule', table, values: parts.map(({ value }) => value), masks: parts.map(({ mask }) => mask), priority, to }
}

/** One source that passes: a MAC with an address or a block. */
export interface Source {
  readonly mac: string
  readonly ip: string
}

export const sourcesOf = ({ mac, addresses, allowedAddressPairs }: LocalPort): readonly Source[] => [
  ...addresses.map((ip) => ({ mac, ip })),
  ...allowedAddressPairs.map((pair) => ({ mac: pair.mac ?? mac, ip: pair.ip })),
]

/** ARP about oneself (RFC 5227: probe, announcement) is for the others on the segment, and nobody answers for them. */
function aboutOneself(table: string, { mac, ip }: Source, ways: GuardGates): readonly RuleElement[] {
  const source = hexOfMac(mac)
  const own = hexOfBlock(ip).value
  const arp = { mac: source, type: types.arp, arpMac: source }
  return [
    rule(table, { ...arp, arpFrom: own, arpFor: own }, ways.all, 2),
    rule(table, { ...arp, arpFrom: zero(4), arpFor: own }, ways.all, 2),
  ]
}

function v4Rules(table: string, { mac, ip }: Source, ways: GuardGates): readonly RuleElement[] {
  const source = hexOfMac(mac)
  const { value, mask } = hexOfBlock(ip)
  const arp = { mac: source, type: types.arp, arpMac: source }
  return [
    rule(table, { mac: source, type: types.ipv4, v4: { value, mask } }, ways.ipv4, 1),
    rule(table, { ...arp, arpFrom: { value, mask } }, ways.arp, 1),
    // Whoever probes for an address speaks from none (RFC 5227).
    rule(table, { ...arp, arpFrom: zero(4) }, ways.arp, 1),
  ]
}

/** From a link-local address by RFC 4291 appendix A, and from `::`, as neighbour discovery is. */
function v6Rules(table: string, { mac, ip }: Source, own6: string, ways: GuardGates): readonly RuleElement[] {
  const { value, mask } = hexOfBlock(ip)
  const half = (hex: Hex, which: 0 | 1): Hex => hex.slice(which * 16, which * 16 + 16)
  const from = (first: Matched['v6a'], second: Matched['v6b']): RuleElement =>
    rule(table, { mac: hexOfMac(mac), type: types.ipv6, ...(first && { v6a: first }), ...(second && { v6b: second }) }, ways.ipv6, 1)
  return [
    from({ value: half(value, 0), mask: half(mask, 0) }, { value: half(value, 1), mask: half(mask, 1) }),
    ...(mac === own6 ? [from('fe80000000000000', linkLocalHalf(mac))] : []),
    from(zero(8), zero(8)),
  ]
}

/** The second half of the address that a MAC gives itself (RFC 4291 appendix A). */
export function linkLocalHalf(mac: string): Hex {
  const own = hexOfMac(mac)
  return `${(Number.parseInt(own.slice(0, 2), 16) ^ 2).toString(16).padStart(2, '0')}${own.slice(2, 6)}fffe${own.slice(6)}`
}

/** Rules of the port's own table, none of them twice. @param ways absent: those of a port in a VNI */
export function guardRules(
  port: LocalPort,
  table: string,
  ways: GuardGates = { arp: 'arp', ipv4: 'bum', ipv6: 'bum', all: 'bum' },
): readonly RuleElement[] {
  const own = port.addresses.filter(isV4)
  if (!port.portSecurity) {
    return [
      rule(table, { type: types.arp }, ways.arp, 1),
      ...own.map((ip) => rule(table, { type: types.arp, arpFor: hexOfBlock(ip).value }, ways.all, 2)),
      // A VNI has no VLANs (RFC 7348 section 6.1).
      ...['8100', '88a8'].map((type) => rule(table, { type }, 'drop', 3)),
    ]
  }
  const rules = [
    ...sourcesOf(port).flatMap((source) =>
      isV4(source.ip.split('/')[0]!) ? v4Rules(table, source, ways) : v6Rules(table, source, port.mac, ways),
    ),
    ...sourcesOf(port)
      .filter(({ ip }) => isV4(ip))
      .flatMap((source) => aboutOneself(table, source, ways)),
  ]
  return [...new Map(rules.map((each) => [`${each.values.join('.')}/${each.masks!.join('.')}`, each])).values()]
}

/** How many combinations of masks they have. */
export const masksOf = (rules: readonly RuleElement[]): number => new Set(rules.map(({ masks }) => masks!.join('.'))).size
