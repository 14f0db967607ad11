// What somebody wants to see of a network, and what is drawn of it.
import type { Vertex, VertexKind } from '../graph.ts'

export interface PictureFilter {
  readonly vni?: number
  /** `namespace/name`. */
  readonly vpc?: string
  readonly node?: string
  /** Of Ports; `new`: none was written yet. */
  readonly phase?: string
}
export interface PictureQuestion extends PictureFilter {
  /** How Ports are put together. */
  readonly by: 'node' | 'vpc'
  /** Ids of groups and ranges; undefined: the groups that there is room for, where that is most of them. */
  readonly open: 'all' | 'none' | readonly string[] | undefined
  /** `namespace/name` of pods that are drawn whatever is closed. */
  readonly follow?: readonly string[]
  /** Elements that are drawn at most. */
  readonly most: number
}
export const isFiltered = ({ vni, vpc, node, phase }: PictureFilter): boolean => [vni, vpc, node, phase].some((each) => each !== undefined)

/** Many of a kind in one box, in their order. */
export const rangeKinds = { Node: 'Nodes', Vpc: 'Vpcs', Switch: 'Switches', VLAN: 'VLANs' } as const
export type RangedKind = keyof typeof rangeKinds

export interface PictureNode extends Omit<Vertex, 'kind'> {
  readonly kind: VertexKind | (typeof rangeKinds)[RangedKind]
  /** What it stands in. */
  readonly parent?: string
  /** Of a group. */
  readonly open?: boolean
  /** Of an open group whose Ports are not all drawn: how many are. */
  readonly shown?: number
  /** Of a range: how many it is, from which to which. */
  readonly members?: number
  readonly first?: string
  readonly last?: string
}
/** `port`: a Port, of a pod or by itself, in its Subnet. `ports`: so many of a group in a Subnet. */
export type PictureRelation = 'port' | 'ports' | 'tunnel' | 'wired-to' | 'gateway' | 'open-on' | 'of' | 'carried-by'
export interface PictureEdge {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly relation: PictureRelation
  readonly phase?: string
  /** How many Ports, or links, it stands for. */
  readonly count?: number
  /** Of a Port, or of the node that a tunnel begins at. */
  readonly addresses?: readonly string[]
  readonly interface?: string
  readonly switchPort?: string
}
export interface Picture {
  readonly nodes: readonly PictureNode[]
  readonly edges: readonly PictureEdge[]
  /** Ports that are like that, drawn or counted. */
  readonly ports: number
  /** Edges that there was no room for. */
  readonly hidden: number
  /** What one may filter by, each up to so many. */
  readonly offered: { readonly nodes: readonly string[]; readonly vpcs: readonly string[]; readonly vnis: readonly number[] }
}
