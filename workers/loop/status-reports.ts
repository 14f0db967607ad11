// What the loop writes about an object: the finalizers that it must have, and what a plan came to.
import { finalizersFor } from '../../core/admit/object/finalizers.ts'
import type { Draft, Write } from '../../core/contracts/store.ts'
import { noticeFinalizer } from '../../core/kinds/annotations.ts'
import { apiVersionOf, definitionOf, isOwnKind, refOf, type Kind, type OwnKind, type Resource } from '../../core/kinds/index.ts'
import { isSubscribedTo } from '../../core/plan/notify/notices.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { ended, reported } from '../../core/plan/status.ts'
import { reporting, type Env } from '../controller-env.ts'
import type { QueueName } from '../queues.ts'
import type { AnyController } from './controller.ts'

export interface Reports {
  readonly queue: QueueName
  readonly controller: AnyController
  readonly desired: unknown
}

/** The object, where the queue is its kind's and the kind is ours. */
function ownItem({ queue, controller, desired }: Reports): Resource<OwnKind> | undefined {
  const item = controller.item(desired)
  return item?.kind === queue && isOwnKind(queue) ? (item as Resource<OwnKind>) : undefined
}

/** What tells of a plan; it stands behind the steps in the same commit. What is no kind of ours, and has no reporter, tells nothing. */
export function reportOf(of: Reports, plan: Plan<unknown>, env: Env): readonly Write[] {
  const { controller, desired } = of
  const how = reporting(env, env.clock.now())
  if (controller.reporter !== undefined) return controller.reporter(desired, plan, how)
  const item = ownItem(of)
  if (item === undefined) return []
  const { finalizer } = definitionOf(item.kind)
  if (plan.phase === 'deleted') return ended(item, finalizer === undefined ? [] : [finalizer], how)
  return reported(item, plan, controller.outlivesSpec === true ? { ...how, outlivesSpec: true } : how).writes
}

/** The finalizers that the object lacks before anything is done for it: its kind's, and ours where somebody is to be told of it. */
export function guardOf(of: Reports, env: Env): readonly Write[] {
  const { controller, desired } = of
  const item = controller.guards?.(desired) === true ? controller.item(desired) : ownItem(of)
  if (item === undefined || item.metadata.deletionTimestamp !== undefined) return []
  const there = item.metadata.finalizers ?? []
  const missing = finalizersOf(item, env).filter((finalizer) => !there.includes(finalizer))
  return missing.map((finalizer) => ({ do: 'addFinalizer', ref: refOf(item), uid: item.metadata.uid, finalizer }))
}

const finalizersOf = (item: Resource, env: Env): readonly string[] => [
  ...new Set([...finalizersFor(item.kind, item), ...(isSubscribedTo(item, reporting(env, 0)) ? [noticeFinalizer] : [])]),
]

/** The same before it is stored: its maker need not look at it again for that. */
export function guarded<K extends Kind>(draft: Draft<K>, env: Env): Draft<K> {
  const wanted = finalizersOf(asStored(draft, env), env)
  const finalizers = [...new Set([...wanted.filter((each) => each !== noticeFinalizer), ...(draft.metadata.finalizers ?? []), ...wanted])]
  return finalizers.length === 0 ? draft : { ...draft, metadata: { ...draft.metadata, finalizers } }
}

/** A draft as it will be stored. */
export const asStored = <K extends Kind>({ kind, metadata, spec }: Draft<K>, { clock }: Env): Resource<K> => ({
  apiVersion: apiVersionOf(kind),
  kind,
  metadata: { uid: '', ...metadata, resourceVersion: '', generation: 1, creationTimestamp: new Date(clock.now()).toISOString() },
  spec,
})
