// What nobody owns any more. Every deletion frees what it holds by itself; this is for what slipped through: a holder whose
// finalizers somebody took off by hand, a Subnet that left its block behind.
import { refOf, type Ref, type Resource } from '../../kinds/index.ts'
import type { Plan, Step } from '../plan.ts'
import type { LockedBlock } from './routed-blocks.ts'
import type { Block } from './subnet.ts'

/** A lock whose holder has not been there for the grace period, as a live read by name and UID has found. */
export type Orphan =
  { readonly lock: Resource<'IPLock'> | Resource<'SegmentLock'> } | { readonly lock: Resource<'SegmentLock'>; readonly kept: KeptBlocks }
export interface KeptBlocks {
  readonly blocks?: readonly Block[]
  readonly routedBlocks?: readonly LockedBlock[]
}
export interface SweepDesired {
  readonly orphans: readonly Orphan[]
  /** Events of our own store that are older than Kubernetes would keep them. */
  readonly old: readonly Resource<'Event'>[]
  /** Pods that Ports are claimed for and nobody knows: their own pass asks the store before it lets go. */
  readonly pods: readonly Ref<'Pod'>[]
}
export type SweepAction =
  | { readonly do: 'free'; readonly item: Resource }
  | { readonly do: 'keepBlocks'; readonly lock: Resource<'SegmentLock'>; readonly kept: KeptBlocks }

/** @param everyMs how often it is swept */
export function planSweep({ orphans, old, pods }: SweepDesired, everyMs: number): Plan<SweepAction> {
  const steps = [
    ...orphans.map(orphanStep),
    ...old.map((item): Step<SweepAction> => ({
      action: { do: 'free', item: item },
      because: { rule: 'an Event of more than an hour ago', of: refOf(item as Resource) },
    })),
  ]
  return {
    steps,
    phase: 'ready',
    reason: 'Swept',
    message: `${orphans.length} locks without a holder`,
    requeueAfterMs: everyMs,
    next: pods,
  }
}

function orphanStep(orphan: Orphan): Step<SweepAction> {
  const of = refOf(orphan.lock as Resource)
  if ('kept' in orphan) {
    const rule = orphan.kept.blocks === undefined ? 'a block whose Port is gone' : 'a block whose Subnet is gone'
    return { action: { do: 'keepBlocks', ...orphan }, because: { rule, of } }
  }
  return { action: { do: 'free', item: orphan.lock }, because: { rule: 'a lock whose holder is gone', of } }
}
