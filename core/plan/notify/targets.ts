// Who a Notice is for, and how each of them is named: a Subscription by its UID, and whoever its object itself names.
import type { Resource } from '../../kinds/index.ts'

type Notice = Resource<'Notice'>

/** The object's own callbackURL. No UID reads so. */
export const ownTarget = 'callback'

export const targetsOf = ({ spec }: Notice): readonly string[] => [
  ...(spec.callbackURL === undefined ? [] : [ownTarget]),
  ...(spec.subscriptions ?? []),
]

/** Whether it is for this target, which has not acknowledged it. */
export function isOwedTo({ spec, status }: Notice, target: string): boolean {
  const isFor = target === ownTarget ? spec.callbackURL !== undefined : spec.subscriptions?.includes(target) === true
  return isFor && status?.taken?.includes(target) !== true
}

/** Those that have not acknowledged it. */
export const targetsLeft = (notice: Notice): readonly string[] =>
  targetsOf(notice).filter((target) => notice.status?.taken?.includes(target) !== true)

/** Whether all have, with these. */
export const isComplete = (notice: Notice, more: ReadonlySet<string>): boolean => targetsLeft(notice).every((target) => more.has(target))

/** What a queue carries: one object and one receiver, so that the receiver is sent one Notice of the object at a time. */
export const deliveryQueueKey = (uid: string, target: string): string => (target === ownTarget ? uid : `${uid}.${target}`)

export function deliveryQueueOfKey(key: string): { readonly uid: string; readonly target: string } {
  const dot = key.indexOf('.')
  return dot < 0 ? { uid: key, target: ownTarget } : { uid: key.slice(0, dot), target: key.slice(dot + 1) }
}

/** A Notice's place among events: its resourceVersion as it was filed. Acknowledgements change the one that it has. */
export const eventPosition = ({ status, metadata }: Notice): bigint => BigInt(status?.filed ?? metadata.resourceVersion)
