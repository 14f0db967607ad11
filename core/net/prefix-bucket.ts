// Which PrefixLock a prefix stands in: all that may overlap stand in one object, so that compare-and-swap settles it.
import { parseCidr, type Cidr } from './cidr.ts'

const bucketBits = { 4: 8, 6: 16 } as const

/** `v4-10`, `v6-2001`; undefined: no block, or one that is larger than a bucket. */
export function bucketOf(text: string): string | undefined {
  const cidr = parseCidr(text)
  if (cidr === undefined || cidr.length < bucketBits[cidr.family]) return undefined
  return `v${cidr.family}-${numberOf(cidr)}`
}

const numberOf = ({ family, first }: Cidr): string => (family === 4 ? String(first >> 24n) : (first >> 112n).toString(16))

/** Of the one that a block is too large for. */
export const bucketText = (text: string): string => (text.includes(':') ? `a /${bucketBits[6]}` : `a /${bucketBits[4]}`)
