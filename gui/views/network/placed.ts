// Where everything stands: segments in columns at the left, groups as cards in rows at the right, pods in rows within their card. The
// same objects stand at the same place each time, on every screen.
import type { DrawnNode } from './graph.ts'

export interface Point {
  readonly x: number
  readonly y: number
}
const pod = { width: 168, height: 48 } as const
const closed = { width: 176, height: 64 } as const
const segment = { width: 190, height: 74 } as const
const [gap, padding, heading, aisle] = [26, 18, 30, 200]

/** As high as one screen has it without being small. */
const fewHigh = 820

interface Card {
  readonly id: string
  readonly members: readonly string[]
  /** Segments inside it, at its left. */
  readonly inside: readonly string[]
  readonly columns: number
  readonly width: number
  readonly height: number
}

function cardOf(group: DrawnNode, all: readonly DrawnNode[]): Card {
  if (group.group?.open !== true) return { id: group.id, members: [], inside: [], columns: 0, ...closed }
  const inside = all.filter(({ kind }) => kind === 'Subnet').map(({ id }) => id)
  const members = all.filter(({ kind }) => kind !== 'Subnet').map(({ id }) => id)
  // One column while that is no tower: links then cross no pod.
  const columns = members.length <= 8 ? 1 : Math.min(6, Math.ceil(Math.sqrt(members.length / 2.2)))
  const height = Math.max(Math.ceil(members.length / columns) * pod.height, inside.length * segment.height)
  return {
    id: group.id,
    members,
    inside,
    columns,
    width: columns * pod.width + 2 * padding + leftOf(inside),
    height: height + 2 * padding + heading,
  }
}
const leftOf = (inside: readonly string[]): number => (inside.length === 0 ? 0 : segment.width + aisle / 2)

/** @param aspect width by height of where it is drawn */
export function placed(nodes: readonly DrawnNode[], aspect: number): ReadonlyMap<string, Point> {
  const members = Map.groupBy(nodes, ({ parent }) => parent)
  const cards = nodes.filter(({ group }) => group !== undefined).map((group) => cardOf(group, members.get(group.id) ?? []))
  const at = new Map<string, Point>()
  const size = placeCards(cards, Math.max(0.45, Math.min(2.2, aspect)), at)
  placeSegments(
    nodes.filter(({ kind, parent }) => kind === 'Subnet' && parent === undefined).map(({ id }) => id),
    size.height,
    at,
  )
  return at
}

/** In rows, about as wide as a screen is. */
function placeCards(cards: readonly Card[], aspect: number, at: Map<string, Point>): { readonly height: number } {
  const area = cards.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0)
  // Few stand below each other: links then cross no card.
  const isFew = cards.reduce((sum, { height }) => sum + height + gap + heading, 0) <= fewHigh
  const widest = Math.max(0, ...cards.map(({ width }) => width), isFew ? 0 : Math.sqrt(area * aspect))
  let [x, y, rowHeight] = [0, 0, 0]
  for (const card of cards) {
    if (x > 0 && x + card.width > widest) [x, y, rowHeight] = [0, y + rowHeight + gap, 0]
    placeCard(card, { x, y }, at)
    x += card.width + gap
    rowHeight = Math.max(rowHeight, card.height)
  }
  return { height: y + rowHeight }
}

function placeCard({ id, members, inside, columns, width, height }: Card, { x, y }: Point, at: Map<string, Point>): void {
  if (members.length === 0) at.set(id, { x: x + width / 2, y: y + height / 2 })
  const [left, top] = [x + padding + leftOf(inside), y + padding + heading]
  for (const [i, member] of members.entries())
    at.set(member, { x: left + ((i % columns) + 0.5) * pod.width, y: top + (Math.floor(i / columns) + 0.5) * pod.height })
  const room = (height - 2 * padding - heading) / Math.max(1, inside.length)
  for (const [i, each] of inside.entries()) at.set(each, { x: x + padding + segment.width / 2, y: top + (i + 0.5) * room })
}

function placeSegments(ids: readonly string[], height: number, at: Map<string, Point>): void {
  const rows = Math.max(1, Math.min(ids.length, Math.max(8, Math.floor(height / segment.height))))
  // Apart as the cards are, as long as that is no desert.
  const step = Math.min(segment.height * 2, Math.max(segment.height, height / rows))
  const top = height / 2 - (rows * step) / 2
  for (const [i, id] of ids.entries())
    at.set(id, { x: -aisle - Math.floor(i / rows) * (segment.width + gap), y: top + ((i % rows) + 0.5) * step })
}
