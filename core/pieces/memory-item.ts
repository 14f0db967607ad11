import type { Because } from '../node/because.ts'
import type { Item } from '../node/item.ts'

/** An item of the data plane in memory: its text is all there is of it. */
export const memoryItem = (key: string, text: string, because: Because): Item<string> => ({ key, text, value: text, because })
