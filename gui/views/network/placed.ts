// Where everything stands, in four bands from left to right: what Subnets are of, nodes, switches, VLANs. Groups are cards in rows, pods
// in rows within their card. The same objects stand at the same place each time, on every screen.
import { isOfFabric, type DrawnNode } from './graph.ts'

export interface Point {
  readonly x: number
  readonly y: number
}
const pod = { width: 168, height: 48 } as const
const segment = { width: 190, height: 74 } as const
const box = { width: 176, height: 64 } as const
const small = { width: 150, height: 58 } as const
/** Between bands: on the left stand addresses at the lines. */
const [gap, padding, heading, aisle, narrowAisle] = [26, 18, 30, 190, 130]

/** As high as one screen has it without being small. */
const fewHigh = 1_000

interface Card {
  readonly id: string
  readonly members: readonly string[]
  /** Segments inside it, at its left. */
  readonly inside: readonly string[]
  readonly columns: number
  readonly width: number
  readonly height: number
}
interface Size {
  readonly width: number
  readonly height: number
}

function cardOf({ id, kind }: DrawnNode, all: readonly DrawnNode[]): Card {
  if (all.length === 0) return { id, members: [], inside: [], columns: 0, ...(isOfFabric({ kind }) ? small : box) }
  const isInside = (each: DrawnNode): boolean => each.kind === 'Subnet' || each.kind === 'VLAN'
  const inside = all.filter(isInside).map((each) => each.id)
  const members = all.filter((each) => !isInside(each)).map((each) => each.id)
  // One column while that is no tower: links then cross no pod.
  const columns = members.length <= 8 ? Math.min(1, members.length) : Math.min(6, Math.ceil(Math.sqrt(members.length / 2.2)))
  const rows = columns === 0 ? 0 : Math.ceil(members.length / columns)
  const beside = inside.length === 0 ? 0 : segment.width + (columns === 0 ? 0 : aisle / 2)
  return {
    id,
    members,
    inside,
    columns,
    width: columns * pod.width + 2 * padding + beside,
    height: Math.max(rows * pod.height, inside.length * segment.height) + 2 * padding + heading,
  }
}

type Band = 'network' | 'node' | 'switch' | 'vlan'
const bands: Readonly<Record<string, Band>> = {
  ...{ Vpc: 'network', Vpcs: 'network', Segment: 'network', L2Service: 'network', Node: 'node', Nodes: 'node' },
  ...{ Switch: 'switch', Switches: 'switch', VLAN: 'vlan', VLANs: 'vlan', PhysicalNetwork: 'vlan' },
}

/** @param aspect width by height of where it is drawn */
export function placed(nodes: readonly DrawnNode[], aspect: number): ReadonlyMap<string, Point> {
  const members = Map.groupBy(nodes, ({ parent }) => parent)
  const cards = (band: Band): readonly Card[] =>
    (members.get(undefined) ?? []).filter(({ kind }) => bands[kind] === band).map((each) => cardOf(each, members.get(each.id) ?? []))
  const main = nodes.some(({ kind, group }) => group !== undefined && bands[kind] === 'node') ? 'node' : 'network'
  const at = new Map<string, Point>()
  const size = placeRows(cards(main), Math.max(0.45, Math.min(2.2, aspect)), at)
  const high = Math.max(size.height, 520)
  if (main === 'node') placeColumns(cards('network'), { from: -aisle, towards: -1, high, middle: size.height / 2 }, at)
  let from = size.width + narrowAisle
  for (const band of main === 'node' ? (['switch', 'vlan'] as const) : (['node', 'switch', 'vlan'] as const))
    from = placeColumns(cards(band), { from, towards: 1, high, middle: size.height / 2 }, at)
  return at
}

/** In rows, about as wide as a screen is. */
function placeRows(cards: readonly Card[], aspect: number, at: Map<string, Point>): Size {
  const area = cards.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0)
  // Few stand below each other: links then cross no card.
  const isFew = cards.reduce((sum, { height }) => sum + height + gap + heading, 0) <= fewHigh
  const widest = Math.max(0, ...cards.map(({ width }) => width), isFew ? 0 : Math.sqrt(area * aspect))
  let [x, y, rowHeight, width] = [0, 0, 0, 0]
  for (const card of cards) {
    if (x > 0 && x + card.width > widest) [x, y, rowHeight] = [0, y + rowHeight + gap, 0]
    placeCard(card, { x, y }, at)
    width = Math.max(width, x + card.width)
    x += card.width + gap
    rowHeight = Math.max(rowHeight, card.height)
  }
  return { width, height: y + rowHeight }
}

function placeCard({ id, members, inside, columns, width, height }: Card, { x, y }: Point, at: Map<string, Point>): void {
  if (members.length + inside.length === 0) at.set(id, { x: x + width / 2, y: y + height / 2 })
  const [left, top] = [x + width - padding - columns * pod.width, y + padding + heading]
  for (const [i, member] of members.entries())
    at.set(member, { x: left + ((i % columns) + 0.5) * pod.width, y: top + (Math.floor(i / columns) + 0.5) * pod.height })
  const room = (height - 2 * padding - heading) / Math.max(1, inside.length)
  for (const [i, each] of inside.entries()) at.set(each, { x: x + padding + segment.width / 2, y: top + (i + 0.5) * room })
}

interface Columns {
  readonly from: number
  /** To the right, or to the left. */
  readonly towards: 1 | -1
  readonly high: number
  readonly middle: number
}

/** In columns about as high as what stands in the middle, or as all of them are wide. @returns where the next band begins */
function placeColumns(cards: readonly Card[], { from, towards, high, middle }: Columns, at: Map<string, Point>): number {
  if (cards.length === 0) return from
  let edge = from
  const area = cards.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0)
  for (const column of columnsOf(cards, Math.max(high, Math.sqrt(area)))) {
    const width = Math.max(...column.map((each) => each.width))
    // Apart as there is room, as long as that is no desert.
    const height = column.reduce((sum, each) => sum + each.height, 0)
    const space = Math.min(box.height, Math.max(gap, (high - height) / (column.length + 1)))
    let y = middle - (height + space * (column.length - 1)) / 2
    for (const card of column) {
      placeCard(card, { x: towards === 1 ? edge : edge - card.width, y }, at)
      y += card.height + space
    }
    edge += towards * (width + gap)
  }
  return edge + towards * (narrowAisle - gap)
}

function columnsOf(cards: readonly Card[], high: number): readonly (readonly Card[])[] {
  const columns: Card[][] = [[]]
  let height = 0
  for (const card of cards) {
    if (height > 0 && height + card.height > high) {
      columns.push([])
      height = 0
    }
    columns.at(-1)?.push(card)
    height += card.height + gap
  }
  return columns
}
