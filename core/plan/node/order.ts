// In which order the parts of one change are applied, where a piece may not be half there.
import type { Dataplane, NodeChange } from '../../contracts/dataplane.ts'
import type { Item } from '../../node/item.ts'
import { closingBy, type PieceKinds } from '../../pieces/kind.ts'

export type KeyAndText = Pick<Item, 'key' | 'text'>

export interface ItemOrder {
  /** Whether an item takes something away from what may pass, as the rows of kinds that fail closed have it. */
  closes(item: KeyAndText): boolean
  /** Whether other items are put into it: it comes before what closes. */
  carries(key: string): boolean
}

/** Undefined: no kind fails closed, and no order matters. */
export function orderBy(kinds: PieceKinds, plane: Pick<Dataplane, 'name' | 'renderer'>): ItemOrder | undefined {
  const closes = closingBy(kinds, plane.name)
  return closes && { closes, carries: (key) => plane.renderer.carries?.(key) === true }
}

/**
 * What closes is put first and dropped last, each as a change of its own; all else is between. Whoever is cut off at any item
 * has then nothing open that was closed before and is to be closed after: all that closes of both is there as long as anything
 * else changes.
 *
 * A replacement is ordered by what it will be: an item that opens from now on is put with the others.
 */
export function inOrder<Value>({ drop, put }: NodeChange<Value>, order: ItemOrder | undefined): readonly NodeChange<Value>[] {
  if (order === undefined || ![...put, ...drop].some((item) => order.closes(item))) return [{ drop, put }]
  const dropped = keysOf(drop)
  const [first, others] = apart(put, (item) => order.closes(item) || (order.carries(item.key) && !dropped.has(item.key)))
  const [firstKeys, otherKeys] = [keysOf(first), keysOf(others)]
  const [replaced, gone] = apart(drop, ({ key }) => firstKeys.has(key))
  const [last, openGone] = apart(gone, (item) => !otherKeys.has(item.key) && order.closes(item))
  const changes = [
    { drop: replaced, put: first },
    { drop: openGone, put: others },
    { drop: last, put: [] },
  ]
  return changes.filter((each) => each.drop.length + each.put.length > 0)
}

const keysOf = (items: readonly Item[]): ReadonlySet<string> => new Set(items.map(({ key }) => key))

type Apart<Value> = readonly [those: readonly Item<Value>[], others: readonly Item<Value>[]]

function apart<Value>(items: readonly Item<Value>[], is: (item: Item<Value>) => boolean): Apart<Value> {
  const { those = [], others = [] } = Object.groupBy(items, (item) => (is(item) ? 'those' : 'others'))
  return [those, others]
}
