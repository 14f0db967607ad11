// Addresses from one to another: what a block is where it need not begin and end at a power of two.
import { blockOf, type Cidr } from './cidr.ts'
import { bitsOf, printIp } from './ip.ts'

/** Of one family, the first and the last among them. */
export interface AddressRange {
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
}

/** `10.0.0.0-10.0.0.255`. */
export const rangeText = ({ family, first, last }: AddressRange): string =>
  `${printIp({ family, value: first })}-${printIp({ family, value: last })}`
/** The same of several, with spaces between. */
export const rangesText = (ranges: readonly AddressRange[]): string => ranges.map(rangeText).join(' ')

/** The fewest blocks that have just its addresses, in order. */
export function blocksOf({ family, first, last }: AddressRange): readonly Cidr[] {
  const blocks: Cidr[] = []
  for (let value = first; value <= last;) {
    let block = blockOf({ family, value }, bitsOf(family))
    for (let length = block.length - 1; length >= 0; length--) {
      const wider = blockOf({ family, value }, length)
      if (wider.first !== value || wider.last > last) break
      block = wider
    }
    blocks.push(block)
    value = block.last + 1n
  }
  return blocks
}
