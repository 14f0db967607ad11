// One delivery as a receiver gets it: where it goes, what it says, and under which id.
import type { Access, Receipt } from '../../core/contracts/notifier.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { Holder } from '../../core/kinds/meta.ts'
import { traceOf } from '../../core/kinds/trace.ts'
import { hash80 } from '../../core/net/names.ts'
import type { DeliveryQueue, SendableNotice } from '../../core/plan/notify/deliveries.ts'
import { isSuccess, rendererOf, wholeObject } from '../../core/plan/notify/profiles/index.ts'
import { isGone } from '../../core/plan/notify/subscribers.ts'
import { isVerified } from '../../core/plan/notify/subscription.ts'
import { ownTarget } from '../../core/plan/notify/targets.ts'
import type { FoundSubscriber } from './keep/subscribers.ts'
import type { BreakerRequest } from './pace/circuit-breakers.ts'

type Subscription = Resource<'Subscription'>

/** A delivery as logs have it. */
export interface Shown {
  readonly of: Holder
  readonly sequence: number
  readonly phase: string
  readonly receiver: string
  /** Of the request that caused it. */
  readonly trace: string | undefined
}

/** One object's way to one receiver. */
export interface Way extends BreakerRequest {
  readonly uid: string
  readonly target: string
  /** Undefined: the object's own callbackURL. */
  readonly subscription: Subscription | undefined
  /** As Place has it. */
  readonly apart: string | undefined
}

/** A Subscription that is gone, or whose sink is, is told of nothing; one that is paused or not verified yet, of nothing now. */
export function deliveryQueueOf({ by, subscription }: FoundSubscriber): DeliveryQueue {
  const { sink } = subscription?.spec ?? {}
  if (subscription === undefined || sink === undefined || isGone(subscription)) return { by, url: undefined }
  return { by, url: sink, held: subscription.spec.paused === true || !isVerified(subscription), merge: subscription.spec.merge === true }
}

export function renderedFor(
  { subscription }: Way,
  next: SendableNotice,
  root: string | undefined,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  if (subscription === undefined) return wholeObject(next)
  return rendererOf(subscription)(
    {
      eventId: next.notice.metadata.name,
      sequence: next.sequence,
      phase: next.phase,
      time: next.notice.spec.time,
      object: next.object,
      root,
    },
    subscription,
  )
}

export function accessOfOwn({ notice }: SendableNotice): Access {
  const { namespace } = notice.spec.of
  return namespace === undefined ? {} : { namespace }
}

/** What a profile does not count as success is a refusal. */
export function strict(receipt: Receipt | undefined, { spec }: Subscription): Receipt | undefined {
  return receipt?.kind === 'accepted' && !isSuccess(spec.profile ?? 'eno', receipt.status)
    ? { kind: 'refused', status: receipt.status }
    : receipt
}

/** A replaced Notice is another event; the same one to another receiver is another delivery. */
export function deliveryId({ notice, phase, url }: SendableNotice, { target }: Way): string {
  return `msg_${hash80('delivery', notice.metadata.name, phase, target === ownTarget ? url : target)}`
}

export const shownOf = ({ notice, sequence, phase, url, object }: SendableNotice): Shown => ({
  of: notice.spec.of,
  sequence,
  phase,
  receiver: originOf(url),
  trace: traceOf(object),
})

/** Paths and queries may hold secrets of the receiver's. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'not a URL')
