// What the rendering of one node depends on beside what is wanted of it.

export interface PipelineSettings {
  /** This node's name. */
  readonly node: string
  /** The overlay's bridge: 15 characters at most. */
  readonly bridge: string
  /** Asked of the switch, never guessed: `system` is the kernel's. */
  readonly datapath: 'system' | 'netdev'
  /** The tunnel address of this node. */
  readonly tunnelAddress: string
  /** UDP, one for the whole cluster; 4789 is VXLAN's own (RFC 7348 section 5). */
  readonly tunnelL4Port: number
  /** The interface that leads to each physical network; one that is not named here is not there on this node. */
  readonly uplinks: Readonly<Record<string, string>>
  /** Packets between nodes are marked as what they carry is. */
  readonly marks?: boolean
  /** Meters can drop; absent: not asked yet. */
  readonly meters?: boolean
  /** Linux bridges can be made beside the switch. */
  readonly links?: boolean
  /** What is said in connections can be asked: what inspectors are made of is here. */
  readonly inspectors?: boolean
}

/** OpenFlow port numbers that no LocalPort has: theirs end at 60,000. A switch has none above 65,279. */
export const numbers = { tunnel: 65_000, uplink: 65_001, inspectors: { first: 65_002, count: 278 } } as const
