// An address of a VNI on another node: into the tunnel to its host.
import type { Endpoint } from '../node/wanted.ts'
import { addressElements, byGateway } from './addresses.ts'
import { tunId } from './modules.ts'
import { hexOf, hexOfMac, hexOfV4 } from './bytes.ts'
import { identityElements } from './policies.ts'
import type { Attr, MadeElement as Element } from './elements.ts'

export const tunnelDestination = 'tun_ip_dst'

/** What VXLANEncap reads (core/modules/vxlan_encap.cc). */
export const tunnelAttrs = (vni: number, from: string, to: string): readonly Attr[] => [
  { name: tunId, value: hexOf(vni, 4) },
  { name: 'tun_ip_src', value: hexOfV4(from) },
  { name: tunnelDestination, value: hexOfV4(to) },
]

/** The addresses of one MAC share its way into the tunnel. */
export function endpointElements({ vni, address, mac, hostIP, identity }: Endpoint, tunnelAddress: string): readonly Element[] {
  const role = `to.${vni}.${hexOfMac(mac)}`
  return [
    { kind: 'module', role, args: { mclass: 'SetMetadata', attrs: tunnelAttrs(vni, tunnelAddress, hostIP) }, next: ['encap'] },
    { kind: 'rule', table: 'fwd', values: [hexOf(vni, 4), hexOfMac(mac)], to: role },
    ...addressElements(vni, address, mac),
    ...identityElements(vni, address, identity),
  ]
}

/** One that is reached by the gateway, in place of a tunnel. */
export const routedElements = ({ vni, address, identity }: Endpoint): readonly Element[] => [
  ...byGateway(vni, address),
  ...identityElements(vni, address, identity),
]
