// The network as a graph: what there is, each once, and what joins it.
import type { Kind } from '../../kinds/index.ts'

/** What is drawn that is no object: a VNI, a VLAN of a physical network, that network, a switch of a Fabric. */
export const drawnKinds = ['Segment', 'VLAN', 'PhysicalNetwork', 'Switch'] as const
export type VertexKind = Kind | (typeof drawnKinds)[number]

export interface Vertex {
  /** Of its kind, namespace and name: `Port/a/x`, `Segment/7`, `VLAN/default/100`, `Switch/dc1/leaf1`. */
  readonly id: string
  readonly kind: VertexKind
  readonly namespace?: string
  readonly name: string
  /** False: an object that is seen names it, and nothing else is known of it here. */
  readonly seen: boolean
  readonly phase?: string
  readonly vni?: number
  readonly vlan?: number
  /** Addresses of a Port, blocks of a Subnet, the address of a Node. */
  readonly addresses?: readonly string[]
  readonly mac?: string
  /** Of a Subnet, a Node or a segment: how many Ports that are seen it has. */
  readonly ports?: number
  readonly message?: string
}

/** What an edge says, from its first end to its second. */
export const relations = [
  'in', // Port in Subnet, Subnet in Vpc or L2Service
  'carried-by', // Vpc by its segment, L2Service by its VLAN
  'has', // Pod has Port
  'on', // Port on Node, Pod on Node
  'tunnel', // Node to segment: it sends and takes packets of that VNI
  'brings', // L2ServiceAttachment brings L2Service
  'at', // L2ServiceAttachment at ConnectionPoint
  'of', // VLAN of physical network, ConnectionPoint of physical network
  'wired-to', // Node to Switch
  'gateway', // PhysicalNetwork to Switch
  'open-on', // VLAN open on Switch
] as const
export type Relation = (typeof relations)[number]

export interface Edge {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly relation: Relation
  /** A tunnel's: the address of its node. */
  readonly address?: string
  /** A tunnel's: how many Ports that are seen are behind it. */
  readonly ports?: number
  /** Of `wired-to` and `gateway`. */
  readonly interface?: string
  readonly switchPort?: string
}

export interface Graph {
  readonly nodes: readonly Vertex[]
  readonly edges: readonly Edge[]
}

type Named = Omit<Vertex, 'id' | 'seen'>
export const vertexId = (kind: string, ...parts: readonly (string | number | undefined)[]): string =>
  [kind, ...parts.filter((each) => each !== undefined)].join('/')

/** A graph under way: what is seen outdoes what is only named. */
export class GraphDraft {
  readonly #vertices = new Map<string, Vertex>()
  readonly #edges = new Map<string, Edge>()

  see(vertex: Named): string {
    const id = vertexId(vertex.kind, vertex.namespace, vertex.name)
    this.#vertices.set(id, { id, ...vertex, seen: true })
    return id
  }

  /** Something that an object refers to. */
  name(kind: VertexKind, name: string, namespace?: string): string {
    const id = vertexId(kind, namespace, name)
    if (!this.#vertices.has(id)) this.#vertices.set(id, { id, kind, ...(namespace !== undefined && { namespace }), name, seen: false })
    return id
  }

  get size(): number {
    return this.#vertices.size + this.#edges.size
  }

  /** Its id, where it is seen already. */
  has = (id: string): string | undefined => (this.#vertices.get(id)?.seen === true ? id : undefined)

  /** One between the same two, of a relation and what sets it apart. */
  join(from: string, relation: Relation, to: string, more: Partial<Edge> = {}): void {
    const apart = [more.interface, more.switchPort].filter((each) => each !== undefined)
    const id = [from, relation, to, ...apart].join(' ')
    this.#edges.set(id, { ...more, id, from, to, relation })
  }

  /** In order of their ids, whatever the order they came in. */
  done(): Graph {
    return { nodes: [...this.#vertices.values()].sort(byId), edges: [...this.#edges.values()].sort(byId) }
  }
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
