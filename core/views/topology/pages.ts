// Pages of whole parts: a page ends where the next part would make it too large, so that no edge leads out of it.
import type { Graph, Edge, Vertex } from './graph.ts'
import type { PartKey } from './parts.ts'

export interface TopologyPage extends Graph {
  /** The parts that it holds, in order. */
  readonly parts: readonly PartKey[]
  /** Where the next one begins. */
  readonly next: PartKey | undefined
}

/** @param limit elements of a page; one part alone may be larger */
export function topologyPage(
  parts: ReadonlyMap<PartKey, () => Graph>,
  { from, limit }: { readonly from: PartKey | undefined; readonly limit: number },
): TopologyPage {
  const nodes = new Map<string, Vertex>()
  const edges = new Map<string, Edge>()
  const held: PartKey[] = []
  for (const [key, draw] of parts) {
    if (from !== undefined && key < from) continue
    const graph = draw()
    const size = nodes.size + edges.size
    if (held.length > 0 && size + graph.nodes.length + graph.edges.length > limit) return { ...shown(nodes, edges), parts: held, next: key }
    held.push(key)
    for (const each of graph.nodes) nodes.set(each.id, better(nodes.get(each.id), each))
    for (const each of graph.edges) edges.set(each.id, each)
  }
  return { ...shown(nodes, edges), parts: held, next: undefined }
}

const shown = (nodes: ReadonlyMap<string, Vertex>, edges: ReadonlyMap<string, Edge>): Graph => ({
  nodes: [...nodes.values()],
  edges: [...edges.values()],
})

/** A Node that is in several parts has the Ports of all of them; what is seen outdoes a name. */
function better(known: Vertex | undefined, next: Vertex): Vertex {
  if (known === undefined) return next
  if (known.kind === 'Node' && (known.ports !== undefined || next.ports !== undefined))
    return { ...known, ports: (known.ports ?? 0) + (next.ports ?? 0) }
  return next.seen ? next : known
}
