// How large a pod's packet may be where it travels in VXLAN.

/** VXLAN's own eight bytes, UDP's eight, the outer IP header, and the inner Ethernet header (RFC 7348 section 5). */
export const tunnelOverhead = (tunnelAddress: string): number => (tunnelAddress.includes(':') ? 70 : 50)

export const mtuMost = (underlay: number, tunnelAddress: string): number => underlay - tunnelOverhead(tunnelAddress)

/** What a Nic gets: as asked, else as its Vpc says, else what fits. Undefined where what was asked for does not fit. */
export function mtuOf(requested: number | undefined, vpc: number | undefined, most: number): number | undefined {
  const mtu = requested ?? vpc ?? most
  return mtu > most ? undefined : mtu
}
