// Tables that let pass those addresses of the other end that rules allow, where they are not all of a family. Each has the blocks of eight
// lengths of prefix, as many combinations of masks as a WildcardMatch has, and leads to the one of the next eight; the last drops. No two
// blocks have an address in common, and each lets pass: in whatever order they are put, nothing passes that is not to.
//
//   may.WAY, else.WAY ─→ block4.WAY.VNI.ID.PEER.4 ─→ block4.….3 ─→ …
//                              │ of these blocks         │
//                              └─────────────────────────┴→ sent or give
import { blocksOf, type AddressRange } from '../../net/ranges.ts'
import { printCidr, type Cidr } from '../../net/cidr.ts'
import { hexOf, hexOfBlock } from '../bytes.ts'
import type { MadeElement as Element, RuleElement } from '../elements.ts'
import { module, type TableRow } from '../modules.ts'
import { addressOf, inFields, type Family, type Way } from './ways.ts'

/** Lengths of one table: combinations of masks of a WildcardMatch (MAX_TUPLES in core/modules/wildcard_match.h). */
const lengthsMost = 8

/** Where what a port sends goes on that is allowed. */
export const sent = 'sent'

/** Whom it is about. */
export interface BlockedPair {
  readonly vni: number
  readonly identity: number
  readonly peer: number
}

interface BlockTable extends BlockedPair {
  readonly way: Way
  readonly family: Family
}

/** The first of them, by the lengths that it has. */
export const blocksRole = (table: BlockTable, ranges: readonly AddressRange[]): string =>
  roleOf(table, Math.max(...groupsOf(ranges).keys()))

/** @param to where goes on what they let pass */
export function blockElements(table: BlockTable, ranges: readonly AddressRange[], to: string): readonly Element[] {
  const { family, way } = table
  const groups = [...groupsOf(ranges)].sort(([one], [other]) => other - one)
  return groups.flatMap(([group, blocks], i) => {
    const role = roleOf(table, group)
    const next = groups[i + 1]
    return [
      module(role, { mclass: 'WildcardMatch', fields: addressOf(family, way) }, next === undefined ? [] : [roleOf(table, next[0])]),
      anchorOf(table, group),
      ...blocks.map((block) => allowing(role, block, to)),
    ]
  })
}

function allowing(table: string, block: Cidr, to: string): RuleElement {
  const { value, mask } = hexOfBlock(printCidr(block))
  return { kind: 'rule', table, values: inFields(value), masks: inFields(mask), priority: 1, to }
}

const groupsOf = (ranges: readonly AddressRange[]): Map<number, Cidr[]> =>
  Map.groupBy(ranges.flatMap(blocksOf), ({ length }) => Math.ceil(length / lengthsMost))

const roleOf = ({ way, family, vni, identity, peer }: BlockTable, group: number): string =>
  `block${family}.${way}.${vni}.${identity}.${peer}.${group}`

/**
 * Behind the anchor: they lead to tables that read metadata, and for a moment nothing may lead to them (base.ts). So does it to `sent`, as
 * the anchor's own Replicate has no gate left.
 */
export const anchoredBlocks: TableRow = {
  role: 'anchor.blocks',
  fields: [1, 1, 1, 4, 4, 4].map((bytes, i, all) => ({ at: all.slice(0, i).reduce((sum, one) => sum + one, 0), bytes })),
  next: [sent],
}
const anchorOf = (table: BlockTable, group: number): RuleElement => ({
  kind: 'rule',
  table: anchoredBlocks.role,
  values: [
    hexOf(table.way === 'in' ? 1 : 0, 1),
    hexOf(table.family, 1),
    hexOf(group, 1),
    ...[table.vni, table.identity, table.peer].map((number) => hexOf(number, 4)),
  ],
  to: roleOf(table, group),
})
