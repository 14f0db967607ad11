// What the guest behind a TAP is told of its network by DHCP and router advertisements: nobody can set it inside for it.

export interface GuestAddress {
  readonly address: string
  /** Of its block. */
  readonly length: number
  readonly gateway?: string
}

export interface Guest {
  /** Only frames from this MAC are answered. */
  readonly mac: string
  readonly mtu: number
  readonly v4?: GuestAddress
  readonly v6?: GuestAddress
  /** Beyond its blocks; of either family. */
  readonly routes: readonly { readonly destination: string; readonly nextHop: string }[]
  /** Everything else goes through this interface. */
  readonly defaultRoute: boolean
  /** The gateway is ours, and so is its link-local address. False in a VLAN: its routers are its own, and say so themselves. */
  readonly routed: boolean
  readonly dns: { readonly nameservers: readonly string[]; readonly domain?: string; readonly search: readonly string[] }
}
