// A block without what is excepted from it, as blocks.
import { overlaps, parsePlainCidr, printCidr, type Cidr } from '../../net/cidr.ts'
import { bitsOf } from '../../net/ip.ts'

/** Each exception cuts a block into as many as it is shorter by, at most: 128 of IPv6. */
export const blocksMax = 1_024

/**
 * @param excepts whose family is the block's; others take nothing away
 * @returns undefined where more than `blocksMax` blocks would be left
 */
export function subtract(block: Cidr, excepts: readonly Cidr[]): readonly Cidr[] | undefined {
  let left: readonly Cidr[] = [block]
  for (const except of excepts) {
    left = left.flatMap((each) => without(each, except))
    if (left.length > blocksMax) return undefined
  }
  return left
}

function without(block: Cidr, except: Cidr): readonly Cidr[] {
  if (!overlaps(block, except)) return [block]
  const kept: Cidr[] = []
  // Half of the block has none of the exception in it and is kept; the other is halved again.
  let rest = block
  while (rest.length < except.length) {
    const [low, high] = halvesOf(rest)
    const isLow = overlaps(low, except)
    kept.push(isLow ? high : low)
    rest = isLow ? low : high
  }
  return kept.sort((a, b) => (a.first < b.first ? -1 : 1))
}

function halvesOf({ family, first, last, length }: Cidr): readonly [Cidr, Cidr] {
  const middle = first + (1n << BigInt(bitsOf(family) - length - 1))
  return [
    { family, first, last: middle - 1n, length: length + 1 },
    { family, first: middle, last, length: length + 1 },
  ]
}

/** From text; undefined where one of them is no block, or too much would be left. */
export function subtractText(block: string, excepts: readonly string[]): readonly string[] | undefined {
  const whole = parsePlainCidr(block)
  const parts = excepts.map(parsePlainCidr)
  if (whole === undefined || parts.includes(undefined)) return undefined
  return subtract(
    whole,
    parts.filter((each) => each !== undefined),
  )?.map(printCidr)
}
