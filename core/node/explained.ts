// One item of a node in words.
import { keyOf } from '../kinds/index.ts'
import type { Because } from './because.ts'
import type { Item } from './item.ts'

export interface ExplainedItem {
  /** The item's. */
  readonly key: string
  /** The part of the data plane: `port`, `bridge`, or a table. */
  readonly where: string
  readonly match: string
  readonly does: string
  /** The rule, and the object that caused it. */
  readonly because: string
}

/** The same as a node has it at this moment. */
export interface LiveItem extends ExplainedItem {
  readonly state: 'there' | 'missing' | 'different'
  /** What is there instead. */
  readonly instead?: string
  /** What the node does it by, where it has a choice. */
  readonly by?: string
  /** That it was used for since it is there, where the data plane counts. */
  readonly packets?: number
  readonly bytes?: number
  /** Of a rule of a policy: when that was last seen to grow. RFC 3339. */
  readonly lastUsed?: string
}

/** What a data plane has counted of one item. */
export interface ItemCount {
  readonly packets: number
  /** Absent: only packets are counted. */
  readonly bytes?: number | undefined
}

/** What an agent says of one Port of its node. */
export interface PortExplained<Port> {
  readonly port: Port
  readonly dataplane: string
  /** Absent: it is not wired here. Also what of the node's base is not as it should be. */
  readonly items?: readonly LiveItem[]
}

/** In the environment of a request to the agent's socket, in place of a CNI command: `namespace/name` of the Port. */
export const explainVariable = 'MEGREZ_EXPLAIN'

type Reason = Pick<Item, 'key' | 'because'>
/** An item's words with its key and its reason. */
export const worded = ({ key, because }: Reason, words: Pick<ExplainedItem, 'where' | 'match' | 'does'>): ExplainedItem => ({
  key,
  ...words,
  because: reasonText(because),
})
export const reasonText = ({ rule, of }: Because): string => `${rule}: ${of.kind} ${keyOf(of)}`

/** Where keys and texts are words already: `KIND/WHAT`, and what it does. */
export const explainPlainly = (items: Iterable<Item>): readonly ExplainedItem[] =>
  [...items].map((item) => {
    const [where = '', ...match] = item.key.split('/')
    return worded(item, { where, match: match.join('/'), does: item.text })
  })
