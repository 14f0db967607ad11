// A Subscription's sink is told in the end how every object stands that it asked about; and none of those can go without our knowing.
import { noticeFinalizer } from '../../../core/kinds/annotations.ts'
import { allKinds, keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { isNotified } from '../../../core/kinds/notify/notified.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { reportedStateOf, type ReportedState } from '../../../core/plan/notify/notices.ts'
import { isGone, isSubscribed, wantsPhase } from '../../../core/plan/notify/subscribers.ts'
import type { Invariant } from '../invariant.ts'
import type { Landed } from '../truth.ts'

type Subscription = Resource<'Subscription'>

const notifiedKinds = allKinds.filter((kind) => isNotified(kind) && kind !== 'Subscription')
const hasEnded = (item: Resource): boolean => item.kind === 'Pod' && isPodFinished(item as Resource<'Pod'>)
const isActive = (subscription: Subscription): boolean =>
  subscription.metadata.deletionTimestamp === undefined &&
  subscription.status?.phase === 'ready' &&
  subscription.spec.paused !== true &&
  !isGone(subscription)
const sequenceOf = (item: Resource | undefined): number | undefined => item && reportedStateOf(item)?.sequence

export const subscribed: Invariant = {
  name: 'subscribed',
  begin({ site }, fail) {
    const { truth, receivers, config, scheduler } = site
    /** Sink and UID of an object → sequences that were read. */
    const read = new Map<string, number[]>()
    /** UID of an object → when its sequence last changed. */
    const turned = new Map<string, number>()
    /** UID of a Subscription → since when it tells. */
    const since = new Map<string, number>()
    receivers.on(({ url, sequence, body }) => {
      const key = `${url} ${(JSON.parse(body) as Resource).metadata?.uid ?? ''}`
      read.set(key, [...(read.get(key) ?? []), sequence])
    })
    // What was under way to it may have been dropped then.
    receivers.onGone(({ url }) => {
      for (const each of truth.values('Subscription'))
        if (each.spec.sink === url && since.has(each.metadata.uid)) since.set(each.metadata.uid, scheduler.now)
    })
    const begins = ({ before, after }: Landed): void => {
      const subscription = after as Subscription
      const { uid, generation } = subscription.metadata
      if (!isActive(subscription)) since.delete(uid)
      else if (!since.has(uid) || before?.metadata.generation !== generation) since.set(uid, scheduler.now)
    }
    /** How an object stands that this one must have been told of: what was so before it began is no news. */
    const dueOf = (subscription: Subscription, item: Resource): ReportedState | undefined => {
      const at = reportedStateOf(item)
      const begun = since.get(subscription.metadata.uid)
      if (at === undefined || begun === undefined || (turned.get(item.metadata.uid) ?? 0) <= begun) return undefined
      return isSubscribed(subscription, item, config.namespace) && wantsPhase(subscription, at.phase) ? at : undefined
    }
    const isUnguarded = (subscription: Subscription, item: Resource): boolean =>
      isActive(subscription) &&
      !hasEnded(item) &&
      item.metadata.deletionTimestamp === undefined &&
      isSubscribed(subscription, item, config.namespace) &&
      item.metadata.finalizers?.includes(noticeFinalizer) !== true
    return {
      landed(landed) {
        const { kind, before, after } = landed
        if (after === undefined) return
        if (kind === 'Subscription') begins(landed)
        if (isNotified(kind) && sequenceOf(after) !== sequenceOf(before)) turned.set(after.metadata.uid, scheduler.now)
      },
      atRest() {
        const items = notifiedKinds.flatMap((kind) => [...truth.values(kind)])
        for (const subscription of truth.values('Subscription')) {
          for (const item of items) {
            if (isUnguarded(subscription, item))
              fail(
                `${item.kind} ${keyOfItem(item)}, about which Subscription ${keyOfItem(subscription)} asks, could go untold: it has no finalizer of ours`,
              )
            const at = dueOf(subscription, item)
            const seen = read.get(`${subscription.spec.sink} ${item.metadata.uid}`) ?? []
            if (at !== undefined && !seen.includes(at.sequence))
              fail(
                `the sink of Subscription ${keyOfItem(subscription)} was never told that ${item.kind} ${keyOfItem(item)} is ${at.phase} (${at.sequence}); it read ${seen.join(', ') || 'nothing'}`,
              )
          }
        }
      },
    }
  },
}
