// Addresses from one to another: what a block is where it need not begin and end at a power of two.
import { printIp } from './ip.ts'

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
