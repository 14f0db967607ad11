// What is drawn, out of the server's picture: in the words and colours of the page.
import type { Picture, PictureEdge, PictureVertex } from '../../contract/topology.ts'
import { linkTexts, labelOf, type Naming } from './labels.ts'
import type { WayMark } from './trace/mark.ts'

export interface DrawnNode {
  readonly id: string
  readonly kind: PictureVertex['kind']
  readonly label: string
  readonly phase: string | undefined
  readonly parent: string | undefined
  /** A group: how many Ports it has, whether it is open, and what of it is drawn where that is not all. */
  readonly group?: { readonly count: number; readonly open: boolean; readonly shown?: number }
  /** Which of the colours of Vpcs. */
  readonly hue: number
  readonly mark?: WayMark
}
export type Layer = 'ports' | 'tunnels' | 'fabric'
export interface DrawnLink {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly relation: PictureEdge['relation']
  readonly layer: Layer
  readonly label: string
  /** At its beginning, on the canvas. */
  readonly atFrom: string
  readonly phase: string | undefined
  readonly hue: number
  /** How many Ports or links it stands for. */
  readonly count: number
  readonly mark?: WayMark
}
export interface Graph {
  readonly nodes: readonly DrawnNode[]
  readonly links: readonly DrawnLink[]
  /** Links that there was no room for. */
  readonly hiddenLinks: number
  readonly ports: number
}

export const hues = 8
const layers: Readonly<Record<string, Layer>> = { port: 'ports', ports: 'ports', tunnel: 'tunnels' }
export const layerOf = ({ relation }: Pick<PictureEdge, 'relation'>): Layer => layers[relation] ?? 'fabric'
/** Of the fabric, and nothing of the network above it. */
const fabricKinds: ReadonlySet<string> = new Set(['Switch', 'Switches', 'VLAN', 'VLANs', 'PhysicalNetwork'])
export const isOfFabric = ({ kind }: { readonly kind: string }): boolean => fabricKinds.has(kind)

/** An id in the address: `pod/shop/web-0`, as the server has `Pod/shop/web-0`. */
export const ownId = (id: string): string => id.slice(0, 1).toLowerCase() + id.slice(1)
/** `pod/a` back to `Pod/a`. */
export const serverId = (id: string): string => id.slice(0, 1).toUpperCase() + id.slice(1)

export function graphOf(picture: Picture): Graph {
  const hueOf = huesOf(picture)
  const naming = namingOf(picture)
  return {
    nodes: picture.nodes.map((vertex) => nodeOf(vertex, { hueOf, naming })),
    links: picture.edges.map((edge) => linkOf(edge, { hueOf, naming })),
    hiddenLinks: picture.hidden,
    ports: picture.ports,
  }
}

interface Drawing {
  /** Of an id of the server's. */
  readonly hueOf: (id: string) => number
  readonly naming: Naming
}

function nodeOf(vertex: PictureVertex, { hueOf, naming }: Drawing): DrawnNode {
  const { id, kind, phase, parent, open, ports = 0, shown } = vertex
  return {
    id: ownId(id),
    kind,
    label: labelOf(vertex, naming),
    phase,
    parent: parent === undefined ? undefined : ownId(parent),
    ...(open !== undefined && { group: { count: ports, open, ...(shown !== undefined && { shown }) } }),
    hue: hueOf(id),
  }
}

function linkOf(edge: PictureEdge, { hueOf }: Drawing): DrawnLink {
  const { id, from, to, relation, phase, count = 1 } = edge
  return {
    id: ownId(id),
    from: ownId(from),
    to: ownId(to),
    relation,
    layer: layerOf(edge),
    ...linkTexts(edge),
    phase,
    hue: hueOf(to),
    count,
  }
}

/** By Vpc, whatever stands in it has its colour; in the order in which they are offered, so that a filter changes none. */
function huesOf({ nodes, offered }: Picture): (id: string) => number {
  const order = new Map(offered.vpcs.map((key, i) => [`Vpc/${key}`, i % hues]))
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]))
  return (id) => order.get(id) ?? order.get(parents.get(id) ?? '') ?? 0
}

/** A name alone says nothing where there is more than one namespace, or Fabric. */
function namingOf({ nodes }: Picture): Naming {
  const within = (ofFabric: boolean): boolean =>
    new Set(nodes.flatMap((each) => (isOfFabric(each) === ofFabric && each.namespace !== undefined ? [each.namespace] : []))).size > 1
  return { withNamespace: within(false), withFabric: within(true) }
}

/** Lines of a layer that are drawn without being asked for: tunnels lie beside lines that say more, where Ports are grouped by node. */
const linesMost = { tunnels: 400, tunnelsBeside: 40, fabric: 120 } as const

/**
 * Of which layers all lines are drawn: those that were chosen, or that are no thicket.
 *
 * @param isNarrow there is room for what is above the switches alone
 */
export function layersShown({ links }: Graph, chosen: string | undefined, isNarrow: boolean): ReadonlySet<Layer> {
  if (chosen !== undefined) return new Set(['ports', ...chosen.split(',')] as Layer[])
  const isBeside = links.some(({ relation }) => relation === 'ports')
  const most: Readonly<Record<string, number>> = { ...linesMost, tunnels: isBeside ? linesMost.tunnelsBeside : linesMost.tunnels }
  const isThicket = (layer: Layer): boolean => links.filter((each) => each.layer === layer).length > (most[layer] ?? 0)
  const layers: readonly Layer[] = isNarrow ? ['tunnels'] : ['tunnels', 'fabric']
  return new Set(['ports', ...layers.filter((layer) => !isThicket(layer))])
}

/** Of the other layers the lines of what is looked at, and those that a traced packet passes. */
export function shownOf(graph: Graph, layers: ReadonlySet<Layer>, chosen: string | undefined): Graph {
  const isNear = ({ id, from, to, mark }: DrawnLink): boolean => mark !== undefined || [id, from, to].includes(chosen ?? '')
  const links = graph.links.filter((link) => layers.has(link.layer) || isNear(link))
  const nodes = layers.has('fabric')
    ? graph.nodes
    : graph.nodes.filter((node) => !isOfFabric(node) || links.some(({ to }) => to === node.id))
  const there = new Set(nodes.map(({ id }) => id))
  return { ...graph, nodes, links: links.filter(({ from, to }) => there.has(from) && there.has(to)) }
}
