// What of routes is not done for a port, whatever the data plane is.
import type { Unsupported } from '../node/unsupported.ts'
import type { LocalPort } from '../node/wanted.ts'
import { announcing, hostBlocksOf } from './host-routes.ts'
import { isRouted, type RoutedSegment } from './items.ts'

export function unroutedOf(
  { attachment, addresses, routedBlocks = [] }: LocalPort,
  segment: RoutedSegment | undefined,
): readonly Unsupported[] {
  const routed = addresses.filter((address) => isRouted(address, segment))
  if (attachment.kind !== 'vni' || routed.length === 0) return []
  const router = segment?.router
  const unsaid = routed.filter((address) => router === undefined || hostBlocksOf(router, address).length === 0)
  // No tunnel leads to an l3 Port, nor to what is behind it.
  const behind = routedBlocks.filter((block) => router === undefined || announcing(router, block).length === 0)
  return [
    ...(unsaid.length === 0 ? [] : [{ name: 'l3', why: `no BGPSessionGroup announces ${unsaid.join(', ')} from this node` } as const]),
    ...(behind.length === 0
      ? []
      : [{ name: 'routed-blocks', why: `no BGPSessionGroup announces ${behind.join(', ')} behind it from this node` } as const]),
  ]
}
