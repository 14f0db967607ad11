/**
 * What a data plane does not do of what is asked for, by name and with the reason. A user reads it on the Port: condition `Unsupported`.
 */
export interface Unsupported {
  /** Capitalized: a kind of pieces that the data plane does not have at all. */
  readonly name:
    'vlan' | 'neighbour-discovery' | 'guard-masks' | 'tunnel-over-ipv6' | 'mtu' | 'dpdk' | 'routes' | 'security-groups' | Capitalize<string>
  readonly why: string
}
