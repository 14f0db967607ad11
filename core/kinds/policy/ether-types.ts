// What frames carry by number (IEEE 802): those that rules treat otherwise than all others.

/** arp: never judged. vlan, serviceVlan: of a tag, behind which stands what the frame carries (IEEE 802.1Q, 802.1ad). */
export const etherTypes = { ipv4: 0x0800, arp: 0x0806, vlan: 0x8100, ipv6: 0x86dd, serviceVlan: 0x88a8 } as const

/** What is below is a length (IEEE 802.3). */
export const etherTypeLeast = 0x0600

export const ipTypes: readonly number[] = [etherTypes.ipv4, etherTypes.ipv6]
export const tagTypes: readonly number[] = [etherTypes.vlan, etherTypes.serviceVlan]

export const isTagType = (etherType: number | undefined): boolean => etherType !== undefined && tagTypes.includes(etherType)
/** Of frames that are of no connection, and in which no address of IP is. */
export const isNoIP = (etherType: number | undefined): boolean => etherType !== undefined && !ipTypes.includes(etherType)
