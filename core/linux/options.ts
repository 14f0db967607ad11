// What the rendering of one node depends on beside what is wanted of it.

export interface LinuxOptions {
  /** This node's address that others tunnel to. */
  readonly tunnelAddress: string
  /** The UDP port of VXLAN. */
  readonly l4Port: number
  /** Why this kernel does not route between Subnets; absent: it does. */
  readonly noRoutes?: string
  /** The interface that leads to each physical network: those that the node has. */
  readonly uplinks?: Readonly<Record<string, string>>
  /** Why this kernel carries no VLANs; absent: it does. */
  readonly noVlans?: string
  /** Why this kernel logs nothing; absent: it does. */
  readonly noLog?: string
  /** Why this kernel limits and marks nothing; absent: it does. */
  readonly noTraffic?: string
  /** Why its bridges learn nothing; absent: they do, within bounds. */
  readonly noLearning?: string
}

/** Those that can be used. */
export const uplinksOf = ({ noVlans, uplinks = {} }: LinuxOptions): Readonly<Record<string, string>> =>
  noVlans === undefined ? uplinks : {}
