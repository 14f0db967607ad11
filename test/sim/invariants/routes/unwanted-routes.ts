// Routes in a kernel that are not to be there: such as BGP has brought although nobody there asked for them, and such as lead to a Port
// that has left.
import { wantedOf } from '../../../../core/bgp/safety.ts'
import { parseCidr, encloses } from '../../../../core/net/cidr.ts'
import { ownRouteProtocol } from '../../../../core/net/route-table.ts'
import type { World } from '../../happening.ts'
import { gatewayAddress } from '../../world/routing/gateway.ts'
import type { KernelNet } from '../../world/routing/kernel.ts'
import { own } from '../../world/routing/bird-rib.ts'
import type { SpeakerGroup, Speakers } from './speakers.ts'

/** An agent that nothing is wrong with has dropped by then what a Port that left had. */
export const leftMs = 5_000

/**
 * In words, of each.
 *
 * @param isLate whether who had an address (`VNI address`) on a node has left it so long ago that its host route must be gone
 */
export function* unwantedRoutes(
  { machines }: World,
  speakers: Speakers,
  isLate: (node: string, address: string) => boolean,
): Generator<string> {
  for (const { name, kernel } of machines.all.values())
    for (const { table, to, protocol, via, index } of kernel.routes.values()) {
      if (protocol === ownRouteProtocol && to.endsWith('/32') && isLate(name, `${vniOf(kernel, index)} ${to.slice(0, -3)}`))
        yield `${name} has a route to ${to}, which left it ${leftMs / 1_000} s ago`
      if (protocol !== own.protocol) continue
      const groups = speakers.possible(name).filter((group) => group.table === table)
      if (groups.length === 0) yield `${name} has a route to ${to} in a table of no group that it was told of`
      else if (via === gatewayAddress && !groups.some((group) => isWanted(group, to)))
        yield `${name} has a route to ${to} by the gateway in the table of ${groups[0]!.name}, and no Vpc there has asked for it`
    }
}

const vniOf = ({ pairs }: KernelNet, index: number | undefined): number | undefined =>
  [...pairs.values()].find(({ router }) => router === index)?.vni

function isWanted(group: SpeakerGroup, to: string): boolean {
  const wanted = wantedOf(group, to.includes(':') ? 'ipv6' : 'ipv4')
  if (wanted === 'all') return true
  const inner = parseCidr(to)!
  return wanted.some(({ prefix, from, to: most }) => inner.length >= from && inner.length <= most && encloses(parseCidr(prefix)!, inner))
}
