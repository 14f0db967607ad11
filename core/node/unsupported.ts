/** What a data plane does not do of what a Port asks for, by name and with the reason. A user reads it on the Port: condition `Unsupported`. */
export interface Unsupported {
  readonly name: 'vlan' | 'neighbour-discovery' | 'guard-masks' | 'tunnel-over-ipv6' | 'mtu' | 'dpdk' | 'routes' | 'security-groups'
  readonly why: string
}
