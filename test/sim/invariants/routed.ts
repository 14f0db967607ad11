// What goes by the kernels of nodes, and is for the invariant of routes: to addresses of Subnets in l3 mode on other nodes, and where nodes
// speak BGP from one Subnet to another.
import { isInBlock } from '../../../core/net/cidr.ts'
import { parseIp } from '../../../core/net/ip.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { subnetKeyOfPort } from '../../../core/plan/node/pieces.ts'
import type { Site } from '../site.ts'
import type { Truth } from '../truth.ts'

interface Destination {
  readonly address: string
  /** On the sender's own node. */
  readonly isHere: boolean
}

export function goesByRoutes(
  from: Resource<'Port'> | undefined,
  to: Resource<'Port'> | undefined,
  { address, isHere }: Destination,
  { truth, config }: Site,
): boolean {
  if (!isHere && isRouted(address, from?.status?.vni, truth)) return true
  return config.bgp !== 'off' && from !== undefined && to !== undefined && subnetKeyOfPort(from) !== subnetKeyOfPort(to)
}

export function isRouted(address: string | undefined, vni: number | undefined, truth: Truth): boolean {
  const ip = parseIp(address ?? '')
  if (ip === undefined) return false
  for (const { spec, status } of truth.values('Subnet'))
    if (spec.mode === 'l3' && status?.vni === vni && isInBlock(spec.ipv4?.cidr ?? '', ip)) return true
  return false
}
