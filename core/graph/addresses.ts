// How an address of a VNI is found: its MAC by ARP, and its MAC again for what comes through the gateway.
import { gatewayMac } from '../net/gateway-mac.ts'
import { hexOf, hexOfMac, hexOfV4, isV4 } from './bytes.ts'
import { echoed } from './gateway/echo.ts'
import type { MadeElement as Element } from './elements.ts'

const arpRequest = '0001'
const ipv4 = '0800'

/** Answers ARP for (VNI, IPv4 address). A module each: an ArpResponder's entries cannot be read back, its name can. */
function answered(vni: number, ip: string, mac: string): readonly Element[] {
  const role = `arp.${vni}.${ip}`
  return [
    { kind: 'module', role, args: { mclass: 'ArpResponder', ip, mac }, next: ['reply'] },
    { kind: 'rule', table: 'arp', values: [hexOf(vni, 4), arpRequest, hexOfV4(ip)], to: role },
  ]
}

/** An address somewhere in a VNI. IPv6 has nothing here: BESS has no module that answers neighbour solicitations. */
export function addressElements(vni: number, address: string, mac: string): readonly Element[] {
  if (!isV4(address)) return []
  const role = `route.${vni}.${address}`
  return [
    ...answered(vni, address, mac),
    {
      kind: 'module',
      role,
      args: {
        mclass: 'Update',
        fields: [
          { offset: 0, value: hexOfMac(mac) },
          { offset: 6, value: hexOfMac(gatewayMac) },
        ],
      },
      next: ['ttl'],
    },
    { kind: 'rule', table: 'route', values: [hexOf(vni, 4), ipv4, hexOfV4(address)], to: role },
  ]
}

/** Who asks for it sends to the gateway. */
export const byGateway = (vni: number, address: string): readonly Element[] => (isV4(address) ? answered(vni, address, gatewayMac) : [])

/**
 * A VNI's gateways: they answer ARP and pings, and what else is sent to their MAC is routed by address.
 *
 * @param isRouted by the kernel, where others have addresses behind the gateway
 */
export function gatewayElements(vni: number, gateways: readonly string[], isRouted: boolean): readonly Element[] {
  const those = gateways.filter(isV4)
  if (those.length === 0 && !isRouted) return []
  return [
    ...those.flatMap((ip) => [...byGateway(vni, ip), echoed(vni, ip)]),
    { kind: 'rule', table: 'fwd', values: [hexOf(vni, 4), hexOfMac(gatewayMac)], to: 'gate' },
  ]
}
