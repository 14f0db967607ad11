// The way of a traced packet as marks on what is drawn: which elements it passes, as the how-manieth, and where it dies.
import type { Picture } from '../../../contract/topology.ts'
import { ownId, type Graph } from '../graph.ts'
import type { WayMark } from './mark.ts'
import type { TraceAnswer, Waypoint } from './question.ts'

export type Marks = ReadonlyMap<string, WayMark>
const noMarks: Marks = new Map()

/** An element that is passed twice has the mark of the first time, unless the packet dies at the second. */
export function marksOf(answer: TraceAnswer | undefined, picture: Picture | undefined): Marks {
  if (answer === undefined || picture === undefined) return noMarks
  const marks = new Map<string, WayMark>()
  for (const [i, { fate }] of answer.way.entries())
    for (const [id, inward] of elementsOf(answer, i, picture)) {
      if (!marks.has(id) || fate === 'dies') marks.set(id, { order: i + 1, fate, inward })
    }
  return marks
}

/** By id: whether a line is passed from its end to its beginning. */
type Elements = readonly (readonly [id: string, inward: boolean])[]

/** What stands for one place of the way, as far as it is drawn. */
export function elementsOf({ way, vni }: TraceAnswer, i: number, picture: Picture): Elements {
  const waypoint = way[i]
  if (waypoint === undefined) return []
  if (waypoint.at === 'Tunnel') return tunnelIn(picture, vni, [nodeBeside(way, i - 1), nodeBeside(way, i + 1)])
  const isBehind = way.slice(0, i).some(({ at }) => at === 'Node')
  return idsOf(waypoint).flatMap((id): Elements => (isDrawn(picture, id) ? [[ownId(id), isBehind]] : []))
}

function idsOf({ at, namespace = '', name = '' }: Waypoint): readonly string[] {
  if (at === 'Node') return [`Node/${name}`]
  if (at === 'Pod') return [`Pod/${namespace}/${name}`]
  // A Port of a pod is a line, one by itself a dot with a line.
  return at === 'Port' ? [`Port/${namespace}/${name}`, `Dot/${namespace}/${name}`] : []
}

const nodeBeside = (way: readonly Waypoint[], i: number): string => `Node/${way[i]?.name ?? ''}`
const isDrawn = ({ nodes, edges }: Picture, id: string): boolean =>
  nodes.some((each) => each.id === id) || edges.some((each) => each.id === id)

/** A picture has tunnels as lines from nodes to what has the VNI: a packet goes by one into it, and by another out of it. */
function tunnelIn({ nodes, edges }: Picture, vni: number, [here, next]: readonly string[]): Elements {
  const cards = new Set(nodes.filter((each) => each.vni === vni).map(({ id }) => id))
  const lines = edges.filter(({ relation, from, to }) => relation === 'tunnel' && cards.has(to) && (from === here || from === next))
  const passed = new Set(lines.map(({ to }) => to))
  return [...[...passed].map((id) => [ownId(id), false] as const), ...lines.map(({ id, from }) => [ownId(id), from === next] as const)]
}

/** The same with its marks. */
export function markedBy(graph: Graph, marks: Marks): Graph {
  if (marks.size === 0) return graph
  const marked = <T extends { readonly id: string }>(element: T): T => {
    const mark = marks.get(element.id)
    return mark === undefined ? element : { ...element, mark }
  }
  return { ...graph, nodes: graph.nodes.map(marked), links: graph.links.map(marked) }
}
