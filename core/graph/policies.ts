// Whom policies let a port talk to, both ways: what it sends is judged behind its guard, and what it is sent before its way out. By whose
// address the other end is (its identity), which a module for each identity notes, and by that. A verdict is about two ends: no connection
// is followed. What no rule speaks of is dropped.
//
//   guard.N ─→ kind.out ─┬─→ who4.out ─┬─→ peer.out.ID ──────────────────────────────┬─→ may.out ─→ else.out ─→ four, six or bum
//              ARP, ND,  │   whose it is └─→ vni4.out ─→ inside4.out.VNI ─→ peer.out.ID ┘   (port, ID)  (port)
//              DHCP: on  └─→ who6.out …                    known to nobody, or of nobody
//   fwd, … ─→ chk.M ─→ kind.in ─→ …                                                  the same with `in` ─→ out.M
//
// Where an identity may be talked to at some of its addresses alone, `may` and `else` lead to tables of these (policies/blocks.ts), and
// those to `sent` or `give`, which know where a port's packets go on.
import { unknown, world } from '../kinds/policy/tiers.ts'
import type { PeerAccess } from '../kinds/policy/access.ts'
import { anyoneElse } from '../kinds/policy/access.ts'
import { maxOf } from '../net/ip.ts'
import type { AddressRange } from '../net/ranges.ts'
import type { LocalPort, Segment } from '../node/wanted.ts'
import { hexOf, hexOfBlock } from './bytes.ts'
import type { Hex, MadeElement as Element, MatchField, RuleElement } from './elements.ts'
import { inPort, module, table, tunId, type TableRow } from './modules.ts'
import { anchoredBlocks, blockElements, blocksRole, sent } from './policies/blocks.ts'
import { markBase, markedTable, markRole, marksReader } from './policies/marks.ts'
import { addressOf, addressValues, familyOf, inFields, types, ways, type Family, type Way } from './policies/ways.ts'

/** Set by chk.M: the port that a frame is for; and by peer.WAY.ID: whose the other end is. */
export const outPort = 'mgz_out'
export const peerId = 'mgz_peer'
const arp = '0806'

const peerRole = (way: Way, identity: number): string => `peer.${way}.${identity}`

const vni: MatchField = { at: tunId, bytes: 4 }
const type: MatchField = { at: 12, bytes: 2 }
const peer: MatchField = { at: peerId, bytes: 4 }
const portOf = (way: Way): MatchField => ({ at: way === 'out' ? inPort : outPort, bytes: 2 })
/**
 * Type; version and length of an IPv4 header; fragment, or the next header of IPv6; protocol; UDP ports behind an IPv4 header; what is
 * behind an IPv6 header, UDP ports or the type of ICMPv6.
 */
const kindFields: readonly MatchField[] = [
  type,
  ...(
    [
      [14, 1],
      [20, 2],
      [23, 1],
      [34, 4],
      [54, 4],
    ] as const
  ).map(([at, bytes]) => ({ at, bytes })),
]
const families = [4, 6] as const
type Masked = Hex | { readonly value: Hex; readonly mask: Hex }

function kindRule(role: string, parts: readonly (Masked | undefined)[], to: string, priority: number): RuleElement {
  const all = kindFields.map(({ bytes }, i) => {
    const part = parts[i] ?? { value: '00'.repeat(bytes), mask: '00'.repeat(bytes) }
    return typeof part === 'string' ? { value: part, mask: 'ff'.repeat(bytes) } : part
  })
  return { kind: 'rule', table: role, values: all.map(({ value }) => value), masks: all.map(({ mask }) => mask), priority, to }
}

const firstFragment: Masked = { value: '0000', mask: '1fff' }
const next = (header: number): Masked => ({ value: `${hexOf(header, 1)}00`, mask: 'ff00' })
const [udp, icmp6] = [17, 58]
/** Router and neighbour discovery (RFC 4861): without it nobody finds anybody. */
const discovery = [133, 134, 135, 136, 137]
const dhcp = { out: '00440043', in: '00430044' } as const
const dhcp6 = { out: '02220223', in: '02230222' } as const

/** What is never judged goes on at once, and what is no IP goes nowhere. @param past where it goes on, by family */
function kindElements(role: string, way: Way, past: { readonly arp: string; readonly 4: string; readonly 6: string }): readonly Element[] {
  return [
    module(role, { mclass: 'WildcardMatch', fields: kindFields }, []),
    kindRule(role, [arp], past.arp, 1),
    kindRule(role, [types[4], '45', firstFragment, hexOf(udp, 1), dhcp[way]], past[4], 2),
    kindRule(role, [types[4]], `who4.${way}`, 1),
    ...discovery.map((is) =>
      kindRule(
        role,
        [types[6], undefined, next(icmp6), undefined, undefined, { value: `${hexOf(is, 1)}000000`, mask: 'ff000000' }],
        past[6],
        2,
      ),
    ),
    kindRule(role, [types[6], undefined, next(udp), undefined, undefined, dhcp6[way]], past[6], 2),
    kindRule(role, [types[6]], `who6.${way}`, 1),
  ]
}

const tablesOf = (way: Way): readonly TableRow[] => [
  ...families.flatMap((family) => [
    { role: `who${family}.${way}`, fields: [vni, ...addressOf(family, way)], next: [`vni${family}.${way}`] },
    { role: `vni${family}.${way}`, fields: [vni], next: [peerRole(way, world)] },
  ]),
  { role: `may.${way}`, fields: [portOf(way), type, peer], next: [`else.${way}`] },
  { role: `else.${way}`, fields: [portOf(way), type], next: [] },
]
const giveTable: TableRow = { role: 'give', fields: [portOf('in')], next: [] }
const sentTable: TableRow = { role: sent, fields: [portOf('out'), type], next: [] }
/** Where what is allowed goes on, whichever port it is about. */
const passed = { out: sent, in: giveTable.role } as const

/** Behind the anchor, which is upstream of all that reads metadata (base.ts). */
const anchoredPeers = 'anchor.peers'
const anchoredTable: TableRow = {
  role: anchoredPeers,
  fields: [
    { at: 0, bytes: 1 },
    { at: 1, bytes: 4 },
  ],
  next: [anchoredBlocks.role],
}

/** Roles of modules that read metadata, or lead to those that do. */
export const policyReaders: readonly string[] = [
  anchoredPeers,
  'kind.out',
  'kind.free',
  'kind.in',
  ...ways.flatMap((way) => tablesOf(way).map(({ role }) => role)),
  giveTable.role,
]
export const policyFieldsOf = (role: string): readonly MatchField[] | undefined =>
  [...ways.flatMap(tablesOf), giveTable, sentTable, markedTable].find((each) => each.role === role)?.fields

/** What every node has of it. Ports without port security are no less judged, and may be routers. */
export const policyBase = (): readonly Element[] => [
  ...kindElements('kind.out', 'out', { arp: 'arp', 4: 'four', 6: 'six' }),
  ...kindElements('kind.free', 'out', { arp: 'arp', 4: 'bum', 6: 'bum' }),
  ...kindElements('kind.in', 'in', { arp: 'give', 4: 'give', 6: 'give' }),
  ...[...ways.flatMap(tablesOf), giveTable, sentTable, anchoredTable, anchoredBlocks].map(table),
  ...[world, unknown].flatMap(peerElements),
  ...markBase(),
  { kind: 'rule', table: anchoredPeers, values: [hexOf(ways.length, 1), hexOf(0, 4)], to: marksReader },
]

/** An identity that somebody has. The anchor leads to its modules by rules that nothing matches: no address needs to. */
export function peerElements(identity: number): readonly Element[] {
  const attrs = [{ name: peerId, value: hexOf(identity, 4) }]
  return ways.flatMap((way, i): readonly Element[] => [
    module(peerRole(way, identity), { mclass: 'SetMetadata', attrs }, [`may.${way}`]),
    { kind: 'rule', table: anchoredPeers, values: [hexOf(i, 1), hexOf(identity, 4)], to: peerRole(way, identity) },
  ])
}

/** Whose an address is. @param identity absent: of nobody that is known by one */
export function identityElements(of: number, address: string, identity: number | undefined): readonly Element[] {
  if (identity === undefined) return []
  return ways.map((way): Element => ({
    kind: 'rule',
    table: `who${familyOf(address)}.${way}`,
    values: [hexOf(of, 4), ...addressValues(address)],
    to: peerRole(way, identity),
  }))
}

/** Different masks that a WildcardMatch takes. */
const masksMost = 8

/** Who is in a Subnet of the VNI and not known may be anybody; its gateways, and who is outside, are nobody. */
export function insideElements({ vni: of, subnets, judged = [] }: Segment): readonly Element[] {
  if (judged.length === 0) return []
  const gateways = [...new Set(subnets.flatMap(({ gateway }) => gateway ?? []))]
  const blocks = [...new Set(subnets.map(({ cidr }) => cidr))]
  return [
    ...gateways.flatMap((gateway) => identityElements(of, gateway, world)),
    ...ways.flatMap((way) => families.flatMap((family) => insideOf(way, family, { of, blocks }))),
  ]
}

function insideOf(
  way: Way,
  family: Family,
  { of, blocks }: { readonly of: number; readonly blocks: readonly string[] },
): readonly Element[] {
  const mine = blocks.filter((block) => familyOf(block.split('/')[0]!) === family)
  if (mine.length === 0) return []
  const role = `inside${family}.${way}.${of}`
  const parts = mine.map(hexOfBlock)
  const isTooMany = new Set(parts.map(({ mask }) => mask)).size > masksMost
  // With too many lengths of blocks an address that is not known may be anybody's, wherever it is.
  const rules = parts.map(({ value, mask }): Element => ({
    kind: 'rule',
    table: role,
    values: inFields(value),
    masks: inFields(mask),
    priority: 1,
    to: peerRole(way, unknown),
  }))
  return [
    module(role, { mclass: 'WildcardMatch', fields: addressOf(family, way) }, [peerRole(way, isTooMany ? unknown : world)]),
    { kind: 'rule', table: `vni${family}.${way}`, values: [hexOf(of, 4)], to: role },
    ...(isTooMany ? [] : rules),
  ]
}

/** Where what a port sends is judged. */
export const kindRole = ({ portSecurity }: Pick<LocalPort, 'portSecurity'>): string => (portSecurity ? 'kind.out' : 'kind.free')
export const checkRole = (number: number): string => `chk.${number}`

/** A port that is judged, as far as its own rules depend on it. */
export interface JudgedSender extends Pick<LocalPort, 'number' | 'portSecurity'> {
  /** Undefined: what it sends is not marked. */
  readonly dscp?: number | undefined
}

/** Where what a port sends goes on that is allowed and marked. */
const wayOn = ({ portSecurity }: Pick<LocalPort, 'portSecurity'>, family: Family): string =>
  portSecurity ? { 4: 'four', 6: 'six' }[family] : 'bum'

/** Where it goes on that is allowed. */
const allowedWay = (port: JudgedSender, family: Family): string =>
  port.dscp === undefined ? wayOn(port, family) : markRole(family, port.dscp)

/** Where what a port is sent is judged. */
export function checkElements(of: number, port: JudgedSender): readonly Element[] {
  const number = hexOf(port.number, 2)
  const attrs = [
    { name: tunId, value: hexOf(of, 4) },
    { name: outPort, value: number },
  ]
  return [
    module(checkRole(port.number), { mclass: 'SetMetadata', attrs }, ['kind.in']),
    { kind: 'rule', table: giveTable.role, values: [number], to: `out.${port.number}` },
    ...families.flatMap((family): readonly Element[] => {
      const values = [number, types[family]]
      const marked = { kind: 'rule', table: markedTable.role, values, to: wayOn(port, family) } as const
      return [{ kind: 'rule', table: sent, values, to: allowedWay(port, family) }, ...(port.dscp === undefined ? [] : [marked])]
    }),
  ]
}

/** Ports of one identity, all of which have the same rules. */
export interface JudgedPorts {
  readonly vni: number
  readonly identity: number
  readonly ports: readonly (JudgedSender & Pick<LocalPort, 'of'>)[]
}

/** Of all of these ports together: what they have in common. */
export function blockedElements({ vni, identity, ports }: JudgedPorts, access: readonly PeerAccess[]): readonly Element[] {
  if (ports.length === 0) return []
  return eachWay((way, family) =>
    access.flatMap((each) => {
      const { ranges, some } = rangesIn(each, family)
      return some ? blockElements({ way, family, vni, identity, peer: each.identity }, ranges, passed[way]) : []
    }),
  )
}

/** Rules of one of these ports. */
export function accessElements(
  { vni, identity }: Omit<JudgedPorts, 'ports'>,
  port: JudgedPorts['ports'][number],
  access: readonly PeerAccess[],
): readonly Element[] {
  const number = hexOf(port.number, 2)
  return eachWay((way, family) =>
    access.flatMap((each): readonly Element[] => {
      const { ranges, all, some } = rangesIn(each, family)
      const whole = way === 'in' ? `out.${port.number}` : allowedWay(port, family)
      const to = all ? whole : some ? blocksRole({ way, family, vni, identity, peer: each.identity }, ranges) : 'drop'
      if (each.identity !== anyoneElse)
        return [{ kind: 'rule', table: `may.${way}`, values: [number, types[family], hexOf(each.identity, 4)], to }]
      return to === 'drop' ? [] : [{ kind: 'rule', table: `else.${way}`, values: [number, types[family]], to }]
    }),
  )
}

const eachWay = (of: (way: Way, family: Family) => readonly Element[]): readonly Element[] =>
  ways.flatMap((way) => families.flatMap((family) => of(way, family)))

/** Of one family: all of its addresses, or some of them, or none. */
function rangesIn(
  { ranges }: PeerAccess,
  family: Family,
): { readonly ranges: readonly AddressRange[]; readonly all: boolean; readonly some: boolean } {
  const mine = ranges.filter((range) => range.family === family)
  const all = mine.some(({ first, last }) => first === 0n && last === maxOf(family))
  return { ranges: mine, all, some: !all && mine.length > 0 }
}
