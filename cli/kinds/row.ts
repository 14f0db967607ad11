import type { OfferedKind } from '../../core/kinds/index.ts'
import type { Column } from '../../core/kinds/kind.ts'

/** What the command line knows of a kind. */
export interface KindRow {
  readonly plural: string
  readonly scope: 'Namespaced' | 'Cluster'
  readonly apiVersion: string
  /** Beside the plural. */
  readonly names: readonly string[]
  /** Written by Megrez alone. */
  readonly internal: boolean
  /** Of kinds of ours; of others see columns.ts. */
  readonly columns: readonly Column[]
}
export type ListedKind = OfferedKind
