// Many of a kind become ranges in one box each; a range that is opened is its members, or ranges again.
import { rangeKinds, type RangedKind } from './question.ts'

/** One box: an id by itself, or a range of several. */
export interface Unit {
  readonly id: string
  readonly ids: readonly string[]
}
export interface Folding {
  readonly kind: RangedKind
  /** Boxes that there is room for. */
  readonly most: number
  readonly open: ReadonlySet<string>
  /** Ids that stand by themselves. */
  readonly single: ReadonlySet<string>
}

/** @param all in order, as `Kind/name` */
export function unitsOf(all: readonly string[], folding: Folding): readonly Unit[] {
  if (all.length <= folding.most) return all.map(alone)
  // What is on no node, or of no Vpc, is in no range.
  const [nameless, ids] = [all.filter((id) => nameOf(id) === ''), all.filter((id) => nameOf(id) !== '')]
  const size = Math.ceil(ids.length / Math.max(2, Math.floor(folding.most / 2)))
  const units: Unit[] = nameless.map(alone)
  for (let i = 0; i < ids.length; i += size) units.push(...rangeOf(ids.slice(i, i + size), folding))
  return units
}

function rangeOf(ids: readonly string[], folding: Folding): readonly Unit[] {
  const { kind, open, single } = folding
  const id = `${rangeKinds[kind]}/${nameOf(ids[0] ?? '')}..${nameOf(ids.at(-1) ?? '')}`
  if (ids.length === 1) return ids.map(alone)
  if (open.has(id)) return unitsOf(ids, folding)
  const apart = ids.filter((each) => single.has(each))
  const rest = apart.length === 0 ? ids : ids.filter((each) => !single.has(each))
  return [...apart.map(alone), ...(rest.length === 0 ? [] : [{ id, ids: rest }])]
}

const alone = (id: string): Unit => ({ id, ids: [id] })
export const nameOf = (id: string): string => id.slice(id.indexOf('/') + 1)
export const isRange = ({ id, ids }: Unit): boolean => ids[0] !== id

/** As people count: what ends in 2 stands before what ends in 10. */
export function inPeoplesOrder(ids: Iterable<string>): string[] {
  const keyed = [...ids].map((id) => ({ id, key: id.replace(/\d+/g, (digits) => digits.padStart(12, '0')) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id < b.id ? -1 : 1)).map(({ id }) => id)
}
