// What a plan makes and names `next` is reconciled in the pass that makes it: a pass of its own would begin only when a watch has told of
// it and a queue has come to it. Where the store says who an object is before it is stored, all of it is one commit; else it is made
// first, learned by the caches, and reconciled.
import type { Draft, Write } from '../../core/contracts/store.ts'
import type { Ref, Resource } from '../../core/kinds/index.ts'
import type { Env } from '../controller-env.ts'
import type { Batch } from './write-batch.ts'
import type { QueueName } from '../queues.ts'
import type { Ask } from '../notify/read-subscriptions-first.ts'
import type { AnyController } from './controller.ts'

export type Create = Extract<Write, { do: 'create' }>
export interface Making {
  readonly env: Env
  readonly batch: Batch
  readonly signal: AbortSignal
  readonly ask: Ask
  readonly controllers: ReadonlyMap<QueueName, AnyController>
  /** Reconciles a key as its own queue would. */
  readonly reconcile: (ref: Ref, gathered: () => void) => Promise<number | undefined>
}
export interface Maker {
  make(draft: Draft): Promise<void>
  /** @returns by their keys those that are made by the commit to come, as they will be */
  reconcile(): Promise<ReadonlyMap<string, Resource>>
  /** The pass is over. */
  end(err: unknown): Promise<void>
}
