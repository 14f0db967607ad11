import type { Item } from '../contract/kinds.ts'
import { reportOf } from '../contract/report.ts'

/** By its word and its colour: a colour alone says nothing to many. */
export const Phase = ({ of }: { readonly of: string | undefined }) => (
  <span class="phase" data-phase={of ?? 'none'}>
    {of ?? 'new'}
  </span>
)
export const PhaseOf = ({ item }: { readonly item: Item }) => <Phase of={reportOf(item).phase} />
