// Which of an object's Notices is sent next to one receiver: one at a time, oldest first, none before the object is what it says.
import type { Resource } from '../../kinds/index.ts'
import type { Phase } from '../../kinds/meta.ts'
import { callbackOf, reportedStateOf, timelineOf, notifiedStateOf, type ReportedState } from './notices.ts'

export interface SendableNotice {
  readonly notice: Resource<'Notice'>
  readonly url: string
  readonly sequence: number
  readonly phase: Phase
  /** What the receiver reads. */
  readonly object: unknown
}

export type DroppedNotice = 'nobody-asks' | 'horizon' | 'merged' | 'outdated'

export interface Deliveries {
  readonly send: SendableNotice | undefined
  /**
   * Never to be sent: nobody asks to be told any more, the horizon has passed, a newer one says it all, or it tells of a change that never
   * was.
   */
  readonly drop: readonly { readonly notice: Resource<'Notice'>; readonly because: DroppedNotice }[]
  /** Not reached yet: a rival may still replace them. They are planned again at the object's next change. */
  readonly waiting: readonly Resource<'Notice'>[]
  /** Something would be dropped by a cache's word, so nothing is, and nothing sent: to be planned again by the store's. */
  readonly unsure: boolean
}

/** Where the state of a delivery queue was read. A cache may be late, so nothing is dropped by its word. */
export type StoreAnswer = 'cache' | 'store'

/** Who is to be told: an object's own callbackURL, or a Subscription. */
export interface DeliveryQueue {
  readonly by: StoreAnswer
  /** Undefined: nobody asks any more. */
  readonly url: string | undefined
  /** Nothing is sent for now, and nothing is lost: paused, or not verified yet. */
  readonly held?: boolean
  /** Only the newest state counts. */
  readonly merge?: boolean
}

export interface DeliverySettings {
  readonly horizonMs: number
  /** Whether a receiver has failed since it last answered: what was never tried is not given up for its age. */
  readonly failing: (url: string) => boolean
  /** The object's own callbackURL unless given. */
  readonly queue?: DeliveryQueue
}

/**
 * The delivery queue of an object's own callbackURL. A receiver that has moved is called at its new URL; the URL of an object that is gone
 * is the one in its last Notice.
 */
export function ownDeliveryQueue(notices: Iterable<Resource<'Notice'>>, live: Resource | undefined, by: StoreAnswer): DeliveryQueue {
  if (live !== undefined) return { by, url: callbackOf(live) }
  return { by, url: [...notices].sort(bySequence).at(-1)?.spec.callbackURL }
}

/**
 * @param notices those of one object that the receiver of this queue has not acknowledged
 * @param live    the object; undefined when it is gone for good
 * @param now     milliseconds since 1970
 */
export function planDeliveries(
  notices: Iterable<Resource<'Notice'>>,
  live: Resource | undefined,
  { queue = ownDeliveryQueue(notices, live, 'store'), ...settings }: DeliverySettings,
  now: number,
): Deliveries {
  const inOrder = [...notices].sort(bySequence)
  const at = live === undefined ? undefined : (reportedStateOf(live) ?? { sequence: 0, phase: 'pending' as const })
  const reached = inOrder.filter((notice) => at === undefined || notice.spec.sequence <= at.sequence)
  const waiting = inOrder.slice(reached.length)
  const { url } = queue
  if (url === undefined)
    return sure(queue, { send: undefined, drop: reached.map((notice) => ({ notice, because: 'nobody-asks' as const })), waiting })
  if (isTooLate(inOrder, live))
    return sure(queue, { send: undefined, drop: inOrder.map((notice) => ({ notice, because: 'outdated' as const })), waiting: [] })
  const failing = settings.failing(url)
  const late = (notice: Resource<'Notice'>): boolean => failing && now - Date.parse(notice.spec.time) > settings.horizonMs
  const left = reached.filter((notice) => !late(notice))
  const merged = queue.merge === true ? olderThanNewest(left) : []
  const next = left[merged.length]
  return sure(queue, {
    send: next === undefined || queue.held === true ? undefined : { notice: next, url, ...contentOf(next, live) },
    drop: [
      ...reached.filter(late).map((notice) => ({ notice, because: 'horizon' as const })),
      ...merged.map((notice) => ({ notice, because: 'merged' as const })),
    ],
    waiting,
  })
}

/**
 * Whether Notices of an object that is gone were made after its end was told: by a worker that had not heard of the end, and whose report
 * fell. The Notice of its end stands before it goes, and is taken last, so what is still to be told has it at its end.
 */
const isTooLate = (inOrder: readonly Resource<'Notice'>[], live: Resource | undefined): boolean =>
  live === undefined && !inOrder.some(({ spec }) => spec.phase === 'deleted')

/** Only for its age is a Notice dropped whatever a cache says: who asks, and whether all of it is wanted, the store must say. */
function sure({ by }: DeliveryQueue, plan: Omit<Deliveries, 'unsure'>): Deliveries {
  if (by === 'store' || plan.drop.every(({ because }) => because === 'horizon')) return { ...plan, unsure: false }
  return { send: undefined, drop: [], waiting: plan.waiting, unsure: true }
}

const bySequence = (a: Resource<'Notice'>, b: Resource<'Notice'>): number => a.spec.sequence - b.spec.sequence

/** What a newer state makes superfluous. The end of an object replaces nothing: its last state is told, then its end. */
function olderThanNewest(notices: readonly Resource<'Notice'>[]): readonly Resource<'Notice'>[] {
  const newest = notices.findLastIndex((notice) => notice.spec.phase !== 'deleted')
  return newest < 0 ? [] : notices.slice(0, newest)
}

/**
 * The Notice's object. Where it tells of what never was, the object itself: a rival that came too late has replaced it, or has made it
 * anew when all had taken it.
 */
function contentOf({ spec }: Resource<'Notice'>, live: Resource | undefined): Pick<SendableNotice, 'sequence' | 'phase' | 'object'> {
  const at = live === undefined ? undefined : reportedStateOf(live)
  if (live === undefined || at === undefined || isTrue(spec, live, at))
    return { sequence: spec.sequence, phase: spec.phase, object: spec.object }
  return { ...at, object: notifiedStateOf(live, at.phase) }
}

function isTrue({ sequence, phase, time }: Resource<'Notice'>['spec'], live: Resource, at: ReportedState): boolean {
  if (at.sequence === sequence && at.phase !== phase) return false
  return at.sequence < sequence || (timelineOf(live).find((transition) => transition?.sequence === sequence)?.time ?? time) === time
}
