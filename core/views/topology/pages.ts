// Pages of parts: a page ends before a part that would make it too large, so that no edge leads out of it. A part that is larger than a
// page goes on over several, a Port after the other, each with both ends of its edges.
import type { Graph, Edge, Vertex } from './graph.ts'
import { bundleName, type NetworkIndex, type Part } from './network-index.ts'
import { restPart, type PartKey } from './parts.ts'
import { Drawing, isWanted } from './topology.ts'

export interface TopologyPage extends Graph {
  /** The parts that it holds, in order; the first and the last may be on other pages too. */
  readonly parts: readonly PartKey[]
  /** Where the next one begins: opaque. */
  readonly next: string | undefined
}
export interface TopologyQuestion {
  readonly vni?: number
  readonly physicalNetwork?: string
  /** False: Ports and pods stand as numbers on Subnets, Nodes and tunnels. */
  readonly ports: boolean
  /** What a page before said. */
  readonly from: string | undefined
  /** Elements of a page, about. */
  readonly limit: number
}
/** After which Port of a part, or after which of its pods without Ports. */
interface PageStart {
  readonly part: PartKey
  readonly bundle?: string
  readonly port?: string
  readonly pod?: string
}

/** What a Port comes with: itself, its pod, and what joins them. */
const elementsOfPort = 6

/** @throws nothing: a place that leads nowhere any more leads to what comes after it */
export function topologyPage(index: NetworkIndex, question: TopologyQuestion): TopologyPage {
  const place = question.from === undefined ? undefined : (JSON.parse(question.from) as PageStart)
  const page = new PageDraft(question.limit)
  for (const [key, part] of index.parts) {
    if (!isWanted(key, question) || (place !== undefined && key < place.part)) continue
    if (!page.hasRoomFor(sizeOf(index, key, part, question))) return page.done({ part: key })
    const next = drawPart(index, part, { page, question, from: place?.part === key ? place : { part: key } })
    if (next !== undefined) return page.done(next)
  }
  return page.done(undefined)
}

interface PartDrawing {
  readonly page: PageDraft
  readonly question: TopologyQuestion
  readonly from: PageStart
}
/** @returns where to go on, where there was no room for all of it */
function drawPart(index: NetworkIndex, part: Part, { page, question, from }: PartDrawing): PageStart | undefined {
  const drawing = new Drawing(index, from.part, part)
  if (from.bundle === undefined && from.pod === undefined) drawing.frame()
  const next = question.ports ? drawMembers(drawing, membersAfter(index, part, from), page.room) : undefined
  page.add(from.part, drawing.done())
  return next
}

/** About how much a part is, before it is drawn. */
function sizeOf({ loosePods }: NetworkIndex, key: PartKey, part: Part, { ports }: TopologyQuestion): number {
  const frame = part.vpcs.length + 2 * (part.subnets.length + part.services.length + part.attachments.length)
  const counts = part.bundles.reduce((sum, { ports: of, cells }) => sum + 2 * cells.size + (ports ? elementsOfPort * of.size : 0), 0)
  return frame + counts + (ports && key === restPart ? loosePods.size : 0)
}

function* membersAfter(index: NetworkIndex, { bundles }: Part, from: PageStart): Generator<PageStart> {
  if (from.pod === undefined)
    for (const { vni, subnet, ports } of bundles) {
      const bundle = bundleName(vni, subnet)
      if (from.bundle !== undefined && bundle < from.bundle) continue
      for (const port of ports.after(bundle === from.bundle ? from.port : undefined)) yield { part: from.part, bundle, port }
    }
  if (from.part === restPart) for (const pod of index.loosePods.after(from.pod)) yield { part: from.part, pod }
}

/** @returns where to go on, where there was no room for all */
function drawMembers(drawing: Drawing, members: Iterable<PageStart>, room: number): PageStart | undefined {
  let last: PageStart | undefined
  for (const member of members) {
    if (last !== undefined && drawing.size >= room) return last
    if (member.port !== undefined) drawing.port(member.port)
    if (member.pod !== undefined) drawing.pod(member.pod)
    last = member
  }
  return undefined
}

class PageDraft {
  readonly #limit: number
  readonly #nodes = new Map<string, Vertex>()
  readonly #edges = new Map<string, Edge>()
  readonly #parts: PartKey[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  get room(): number {
    return this.#limit - this.#nodes.size - this.#edges.size
  }

  /** A page holds something, even where that is too much. */
  hasRoomFor = (size: number): boolean => this.#parts.length === 0 || size <= this.room

  add(part: PartKey, { nodes, edges }: Graph): void {
    this.#parts.push(part)
    for (const each of nodes) this.#nodes.set(each.id, better(this.#nodes.get(each.id), each))
    for (const each of edges) this.#edges.set(each.id, each)
  }

  done(next: PageStart | undefined): TopologyPage {
    return {
      nodes: [...this.#nodes.values()],
      edges: [...this.#edges.values()],
      parts: this.#parts,
      next: next === undefined ? undefined : JSON.stringify(next),
    }
  }
}

/** A Node that is in several parts has the Ports of all of them; what is seen outdoes a name. */
function better(known: Vertex | undefined, next: Vertex): Vertex {
  if (known === undefined) return next
  if (known.kind === 'Node' && (known.ports !== undefined || next.ports !== undefined))
    return { ...known, ports: (known.ports ?? 0) + (next.ports ?? 0) }
  return next.seen ? next : known
}
