// The canvas: Cytoscape, told only of what has changed.
import cytoscape, { type Core, type ElementDefinition } from 'cytoscape'
import type { Graph } from './graph.ts'
import { placed, type Point } from './placed.ts'
import { sheet } from './sheet.ts'
import { markText, type WayMark } from './trace/mark.ts'

export interface PictureEvents {
  /** An element, or nothing. */
  onChoose(id: string | undefined): void
  onToggle(id: string): void
}

export class Picture {
  readonly #cy: Core
  #shape = ''

  constructor(container: HTMLElement, { onChoose, onToggle }: PictureEvents) {
    this.#cy = cytoscape({
      container,
      style: sheet(),
      minZoom: 0.04,
      maxZoom: 2.5,
      boxSelectionEnabled: false,
      autoungrabify: true,
      // Edges are many and thin: what moves is drawn without them, what stands with them.
      hideEdgesOnViewport: true,
      textureOnViewport: true,
      pixelRatio: 'auto',
    })
    this.#cy.on('tap', (event) => onChoose(event.target === this.#cy ? undefined : (event.target as { id(): string }).id()))
    this.#cy.on('dbltap', 'node[?group]', (event) => onToggle((event.target as { id(): string }).id()))
  }

  /**
   * Only what differs is touched; it is fitted again when there is more or less to see, not when a phase changes. What a traced packet
   * passes comes into sight before all else.
   */
  draw(graph: Graph): void {
    const points = placed(graph.nodes, this.#cy.width() / Math.max(1, this.#cy.height()))
    const wanted = new Map([...nodesOf(graph, points), ...linksOf(graph)].map((each) => [each.data.id ?? '', each]))
    const way = [...graph.nodes, ...graph.links].flatMap(({ id, mark }) => (mark === undefined ? [] : [id]))
    const shape = [...points.keys(), '', ...way].join(' ')
    this.#cy.batch(() => {
      this.#cy.elements().forEach((element) => {
        const now = wanted.get(element.id())
        if (now === undefined || rehomed(element.data('parent'), now) || relinked(element, now)) element.remove()
      })
      const added: ElementDefinition[] = []
      for (const [id, each] of wanted) {
        const there = this.#cy.getElementById(id)
        if (there.empty()) added.push(each)
        else update(there, each)
      }
      this.#cy.add(added)
    })
    if (shape === this.#shape) return
    this.#shape = shape
    this.fit(this.#cy.elements('[way]'))
  }

  /** @param on what is to be in sight: nothing of it is all */
  fit(on = this.#cy.collection()): void {
    const wanted = on.empty() ? this.#cy.elements() : on
    this.#cy.fit(wanted, 36)
    if (this.#cy.zoom() > 1.15) {
      this.#cy.zoom(1.15)
      this.#cy.center(wanted)
    }
  }

  zoom(by: number): void {
    this.#cy.zoom({ level: this.#cy.zoom() * by, renderedPosition: { x: this.#cy.width() / 2, y: this.#cy.height() / 2 } })
  }

  /** Marks one, with what it is linked to; the rest steps back, but for what a traced packet passes. */
  mark(id: string | undefined, follow: boolean): void {
    this.#cy.batch(() => {
      this.#cy.elements().removeClass('chosen near far')
      const chosen = this.#cy.getElementById(id ?? '')
      const way = this.#cy.elements('[way]')
      const near = chosen.closedNeighborhood().union(chosen.connectedNodes()).union(chosen.descendants()).union(chosen.ancestors())
      const shown = near.union(way).union(way.connectedNodes())
      if (shown.empty()) return
      this.#cy.elements().difference(shown.union(shown.ancestors())).addClass('far')
      near.addClass('near')
      chosen.addClass('chosen')
    })
    if (follow && id !== undefined) this.#bring(id)
  }

  #bring(id: string): void {
    const near = this.#cy.getElementById(id).closedNeighborhood()
    if (near.nonempty()) this.#cy.fit(near, 90)
    if (this.#cy.zoom() > 1.2) this.#cy.zoom(1.2)
    this.#cy.center(near)
  }

  restyle(): void {
    this.#cy.style(sheet())
  }

  resize(): void {
    this.#cy.resize()
  }

  destroy(): void {
    this.#cy.destroy()
  }
}

const rehomed = (parent: unknown, now: ElementDefinition): boolean => (parent ?? undefined) !== (now.data as { parent?: string }).parent
const relinked = (element: { isEdge(): boolean; data(name: string): unknown }, now: ElementDefinition): boolean =>
  element.isEdge() && (element.data('source') !== now.data['source'] || element.data('target') !== now.data['target'])

const fields = ['label', 'phase', 'count', 'open', 'hue', 'wide', 'twin', 'high', 'holds', 'at', 'quiet', 'way', 'towards'] as const

function update(there: cytoscape.CollectionReturnValue, { data, position }: ElementDefinition): void {
  for (const field of fields) {
    if (there.data(field) === data[field]) continue
    // Set to undefined it would stay: Cytoscape takes that for a question.
    if (data[field] === undefined) there.removeData(field)
    else there.data(field, data[field])
  }
  if (position === undefined) return
  // An open group stands where its members stand.
  for (const node of there.nodes().toArray()) {
    const at = node.position()
    if (at.x !== position.x || at.y !== position.y) node.position({ ...position })
  }
}

function nodesOf({ nodes }: Graph, points: ReadonlyMap<string, Point>): ElementDefinition[] {
  const parents = new Set(nodes.map(({ parent }) => parent))
  return nodes.map(({ id, kind, label, phase = 'none', parent, group, hue, mark }) => {
    const position = points.get(id)
    return {
      group: 'nodes',
      data: {
        id,
        kind,
        label: markText(mark) + label,
        phase,
        hue: `vpc${hue}`,
        way: mark?.fate,
        high: 14 + 17 * label.split('\n').length,
        ...(parents.has(id) && { holds: true }),
        ...(parent !== undefined && { parent }),
        ...(group !== undefined && { group: true, open: group.open, count: group.count }),
      },
      ...(position !== undefined && { position: { ...position } }),
    }
  })
}

const onLine = (label: string, mark: WayMark | undefined): object => ({
  // A number alone, where nothing else stands there.
  label: (markText(mark) + label).replace(/ · $/, ''),
  way: mark?.fate,
  towards: mark?.inward === true ? 'in' : 'out',
})

/** Lines of a kind that each say what they are; of more they do where one of their ends is looked at. */
const labelledMost = 40
/** Of what stands at a line from where that begins. */
const [nearest, apart, withinCard] = [74, 54, 46]

/** Two between the same are bent apart: that costs, so the others are straight. */
function linksOf({ nodes, links }: Graph): ElementDefinition[] {
  const pairs = new Map<string, number>()
  for (const { from, to } of links) pairs.set(`${from} ${to}`, (pairs.get(`${from} ${to}`) ?? 0) + 1)
  const before = new Map<string, number>()
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent ?? id]))
  const ofRelation = new Map<string, number>()
  for (const { relation } of links) ofRelation.set(relation, (ofRelation.get(relation) ?? 0) + 1)
  return links.map(({ id, from, to, relation, atFrom, phase = 'none', count, hue, mark }) => {
    // Lines of one pod run close to each other where they begin: what stands at them is staggered.
    const place = before.get(from) ?? 0
    before.set(from, place + 1)
    const twin = (pairs.get(`${from} ${to}`) ?? 0) > 1
    return {
      group: 'edges',
      data: {
        id,
        source: from,
        target: to,
        relation,
        ...onLine(atFrom, mark),
        at: parents.get(from) === parents.get(to) ? withinCard : nearest + apart * (place % 3),
        phase,
        count,
        hue: `vpc${hue}`,
        wide: relation === 'ports' || relation === 'port' ? Math.min(7, 1.4 + 0.7 * Math.log2(count)) : 1.4,
        ...((ofRelation.get(relation) ?? 0) > labelledMost && { quiet: true }),
        ...(twin && { twin }),
      },
    }
  })
}
