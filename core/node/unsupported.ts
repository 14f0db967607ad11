/**
 * What a data plane does not do of what is asked for, by name and with the reason. A user reads it on the Port: condition `Unsupported`.
 */
export interface Unsupported {
  /** Capitalized: a kind of pieces that the data plane does not have at all. */
  readonly name:
    | 'vlan'
    | 'neighbour-discovery'
    | 'guard-masks'
    | 'tunnel-over-ipv6'
    | 'mtu'
    | 'dpdk'
    | 'routes'
    | 'l3'
    | 'routed-blocks'
    | 'security-groups'
    | 'policy'
    | 'vif'
    | 'vif-hybrid'
    | 'tap'
    | 'broadcast-limit'
    | 'learning'
    | 'bandwidth'
    | Capitalize<string>
  readonly why: string
}

/** Of a Port that is to be plugged into a bridge which is not ours. */
export const noVif = (by: string): Unsupported => ({
  name: 'vif',
  why: `${by} has no bridge of another's to plug it into: it is in no network`,
})

/** The same, where it is not said which. */
export const noBridge: Unsupported = { name: 'vif', why: 'its cloud names no bridge: it is in no network' }

/** Of one that is to have an interface of its cloud's making. */
export const noInterface: Unsupported = { name: 'vif', why: 'its cloud names no interface: it is in no network' }

/** Of a Port whose VNI carries broadcast. */
export const unlimited = (why: string): Unsupported => ({
  name: 'broadcast-limit',
  why: `${why}: what this VNI carries to all is not limited`,
})
