// Where two of the sources of an audit disagree, and what would put it right.
import type { CloudItem } from '../../contracts/cloud.ts'
import { keyOfItem, type Ref, type Resource } from '../../kinds/index.ts'
import type { Inventory } from '../../kinds/node/inventory.ts'
import type { Finding } from '../../kinds/vpc/audit.ts'
import type { PlacedObject } from '../cloud/life.ts'

export interface AuditSeen {
  /** What may stand at a cloud, as the store had it before any cloud was asked. */
  readonly before: readonly PlacedObject[]
  readonly after: readonly PlacedObject[]
  /** By Cloud, what is there of ours. */
  readonly clouds: ReadonlyMap<string, readonly CloudItem[]>
  /** Read after the Ports were read before; read once more after that, Ports are `after`. */
  readonly pods: readonly Resource<'Pod'>[]
  /** Once more, after the nodes have answered; absent: they were not asked. */
  readonly podsAfter?: readonly Resource<'Pod'>[]
  readonly nodes: readonly Resource<'Node'>[]
  /** By Node, what its agent answered between the two readings; undefined: nothing. Absent: no node was asked. */
  readonly inventories?: ReadonlyMap<string, NodeAnswer | undefined>
}

export interface NodeAnswer {
  readonly inventory: Inventory
  /** There was no more than an answer holds. */
  readonly isWhole: boolean
}

export type Repair =
  /** Of what is there of an object that is gone. */
  | { readonly do: 'end'; readonly cloud: string; readonly item: CloudItem }
  /** Whoever rounds after the object rounds at it anew. */
  | { readonly do: 'wake'; readonly ref: Ref }
  /** The agent of a node looks for what is its own to put right. Absent: nobody there would. */
  | { readonly do: 'mend'; readonly node?: string; readonly wake?: Ref }
export interface Difference {
  readonly finding: Finding
  readonly repair: Repair
}

export const portsIn = (items: readonly PlacedObject[]): readonly Resource<'Port'>[] =>
  items.filter((item): item is Resource<'Port'> => item.kind === 'Port')
export const textOf = (item: Resource): string => `${item.kind} ${keyOfItem(item)}`
export const byUid = <T extends Resource>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.metadata.uid, item]))

/** What a finding is of, over several rounds. */
export const identityOf = ({ class: what, object = '', cloud = '', id = '', node = '' }: Finding): string =>
  [what, object, cloud, id, node].join(' ')
