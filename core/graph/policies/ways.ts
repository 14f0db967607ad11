// Both ways in which policies judge, and where the address of the other end stands in a frame.
import { hexOfBlock, isV4 } from '../bytes.ts'
import type { Hex, MatchField } from '../elements.ts'

export const ways = ['out', 'in'] as const
export type Way = (typeof ways)[number]
export type Family = 4 | 6

/** Ethernet's type of each family. */
export const types = { 4: '0800', 6: '86dd' } as const
export const familyOf = (address: string): Family => (isV4(address) ? 4 : 6)

/** Of the other end; of IPv6 in halves, as no field of a table has more than eight bytes. */
export const addressOf = (family: Family, way: Way): readonly MatchField[] => {
  if (family === 4) return [{ at: way === 'out' ? 30 : 26, bytes: 4 }]
  const first = way === 'out' ? 38 : 22
  return [first, first + 8].map((at) => ({ at, bytes: 8 }))
}

/** Values for these fields, or masks. */
export const inFields = (hex: Hex): readonly Hex[] => (hex.length === 8 ? [hex] : [hex.slice(0, 16), hex.slice(16)])
export const addressValues = (address: string): readonly Hex[] => inFields(hexOfBlock(address).value)
