// Single addresses that groups are told of: each is a route of its own.
import { isInBlock } from '../net/cidr.ts'
import { canonicalIp, parseIp } from '../net/ip.ts'
import type { RoutedBlock, SegmentRouter } from '../node/wanted.ts'

/** Those that an address is a route of its own in. */
export const hostBlocksOf = ({ blocks }: SegmentRouter, address: string): readonly RoutedBlock[] =>
  blocks.filter(({ cidr, hostRoutes }) => hostRoutes && isIn(address, cidr))

/** Those that a block behind a Port is a route of its own in. */
export const announcing = (router: SegmentRouter, block: string): readonly RoutedBlock[] => hostBlocksOf(router, block.split('/')[0] ?? '')

export const hostRoute = (address: string): string => `${canonicalIp(address) ?? address}/${address.includes(':') ? 128 : 32}`

export function isIn(address: string, block: string): boolean {
  const value = parseIp(address)
  return value !== undefined && isInBlock(block, value)
}
