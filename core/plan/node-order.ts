// In which order the parts of one change are applied, where a piece may not be half there.
import type { NodeChange } from '../contracts/dataplane.ts'
import type { Item } from '../node/item.ts'

/** Whether an item takes something away from what may pass, as the rows of kinds that fail closed have it. Undefined: no kind does. */
export type Closing = ((item: Pick<Item, 'key' | 'text'>) => boolean) | undefined

/**
 * What closes is put first and dropped last, each as a change of its own; all else is between. Whoever is cut off at any item has then nothing
 * open that was closed before and is to be closed after: all that closes of both is there as long as anything else changes.
 *
 * What replaces an item goes by what it is to be: an item that opens from now on is put with the others.
 */
export function inOrder<Value>({ drop, put }: NodeChange<Value>, closes: Closing): readonly NodeChange<Value>[] {
  if (closes === undefined) return [{ drop, put }]
  const [shut, open] = apart(put, closes)
  if (shut.length === 0 && !drop.some(closes)) return [{ drop, put }]
  const [shutKeys, openKeys] = [keysOf(shut), keysOf(open)]
  const replaced = drop.filter(({ key }) => shutKeys.has(key))
  const [shutGone, openGone] = apart(drop.filter(({ key }) => !shutKeys.has(key)), (item) => !openKeys.has(item.key) && closes(item))
  return [{ drop: replaced, put: shut }, { drop: openGone, put: open }, { drop: shutGone, put: [] }].filter((each) => each.drop.length + each.put.length > 0)
}

const keysOf = (items: readonly Item[]): ReadonlySet<string> => new Set(items.map(({ key }) => key))

function apart<Value>(items: readonly Item<Value>[], is: (item: Item<Value>) => boolean): readonly [those: readonly Item<Value>[], others: readonly Item<Value>[]] {
  const { those = [], others = [] } = Object.groupBy(items, (item) => (is(item) ? 'those' : 'others'))
  return [those, others]
}
