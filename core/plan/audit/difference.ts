// Where two of the sources of an audit disagree, and what would put it right.
import type { CloudItem } from '../../contracts/cloud.ts'
import { keyOfItem, type Ref, type Resource } from '../../kinds/index.ts'
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
  readonly nodes: readonly Resource<'Node'>[]
}

export type Repair =
  /** Of what is there of an object that is gone. */
  | { readonly do: 'end'; readonly cloud: string; readonly item: CloudItem }
  /** Whoever rounds after the object rounds at it anew. */
  | { readonly do: 'wake'; readonly ref: Ref }
export interface Difference {
  readonly finding: Finding
  readonly repair: Repair
}

export const textOf = (item: Resource): string => `${item.kind} ${keyOfItem(item)}`
export const byUid = <T extends Resource>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.metadata.uid, item]))

/** What a finding is of, over several rounds. */
export const identityOf = ({ class: what, object = '', cloud = '', id = '' }: Finding): string => [what, object, cloud, id].join(' ')
