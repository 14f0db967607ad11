// How what a port sends is marked, once it is allowed and before it goes on. `Update` writes whole bytes, so a table tells first what else
// is in the byte and stays: ECN in IPv4 (RFC 2474 section 3, RFC 3168 section 5), and ECN with four bits of the flow label in IPv6, where
// the class is half a byte later (RFC 8200 section 3). Ports with one mark share its modules; those for the second byte of IPv6 have only
// the mark's last two bits in them.
//
//   may.out, … ─┬─ IPv4 ─→ mark4.DSCP ─→ mark4.DSCP.ECN ─→ sum4 ─┬→ marked ─→ four, six or bum
//               └─ IPv6 ─→ mark6.DSCP ─→ low6.BITS ─→ low6.BITS.REST ─┘  by port
import type { LocalPort } from '../../node/wanted.ts'
import { hexOf } from '../bytes.ts'
import type { MadeElement as Element, MatchField } from '../elements.ts'
import { inPort, module, table, type TableRow } from '../modules.ts'
import type { Family } from './ways.ts'

/** Version and length of an IPv4 header, or version of an IPv6 header and the first half of its class; and the byte behind it. */
const [first, second] = [14, 15]
const version6 = 6
/** Of the second byte, in IPv4 and in IPv6: what stays. */
const [ecn, rest] = [2, 6]

/** Where the packets of a port go on that were marked. */
export const markedTable: TableRow = {
  role: 'marked',
  fields: [
    { at: inPort, bytes: 2 },
    { at: 12, bytes: 2 },
  ],
  next: [],
}

const checksum = 'sum4'
/** What is upstream of all that reads metadata leads to it (base.ts). */
export const marksReader = checksum

/** What every node has of it. */
export const markBase = (): readonly Element[] => [module(checksum, { mclass: 'IPChecksum' }, [markedTable.role]), table(markedTable)]

type Marking = Pick<LocalPort, 'policy'>
/** Undefined: it is left as it is. */
export const markOf = ({ policy }: Marking): number | undefined => (policy?.isClosed === true ? undefined : policy?.traffic?.dscp)
const lowOf = (dscp: number): number => dscp & 3

/** Where what is to be marked so goes. */
export const markRole = (family: Family, dscp: number): string => `mark${family}.${dscp}`

/** Of whom it shares modules with. */
export const marksNames = (port: Marking): readonly string[] => {
  const dscp = markOf(port)
  return dscp === undefined ? [] : [`mark ${lowOf(dscp)}`]
}

export function markElements(port: Marking): readonly Element[] {
  const dscp = markOf(port)
  if (dscp === undefined) return []
  const low = lowOf(dscp)
  const toLow = `low6.${low}`
  const begins = { offset: first, value: hexOf(version6 * 16 + (dscp >> 2), 1) }
  return [
    ...written(markRole(4, dscp), { kept: ecn, value: dscp << ecn, next: checksum }),
    module(markRole(6, dscp), { mclass: 'Update', fields: [begins] }, [toLow]),
    ...written(toLow, { kept: rest, value: low << rest, next: markedTable.role }),
  ]
}

interface WrittenByte {
  /** So many bits, the last ones, stay as they are. */
  readonly kept: number
  readonly value: number
  readonly next: string
}

/** A table by the bits of the second byte that stay, and a module for each value of them. */
function written(role: string, { kept, value, next }: WrittenByte): readonly Element[] {
  const bits = Array.from({ length: 1 << kept }, (_, i) => i)
  const field: MatchField = { at: second, bytes: 1, mask: hexOf((1 << kept) - 1, 1) }
  return [
    table({ role, fields: [field], next: [] }),
    ...bits.flatMap((bit): readonly Element[] => [
      module(`${role}.${bit}`, { mclass: 'Update', fields: [{ offset: second, value: hexOf(value | bit, 1) }] }, [next]),
      { kind: 'rule', table: role, values: [hexOf(bit, 1)], to: `${role}.${bit}` },
    ]),
  ]
}
