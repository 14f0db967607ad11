// Which of an object's Notices is sent next: one at a time, oldest first, none before the object is what it says.
import type { Resource } from '../kinds/index.ts'
import type { Phase } from '../kinds/meta.ts'
import { callbackOf, standingOf, toldOf } from './notices.ts'

export interface Sendable {
  readonly notice: Resource<'Notice'>
  readonly url: string
  readonly sequence: number
  readonly phase: Phase
  /** What the receiver reads. */
  readonly object: unknown
}

export interface Deliveries {
  readonly send: Sendable | undefined
  /** Never to be sent: nobody asks to be told any more, or the horizon has passed. */
  readonly drop: readonly { readonly notice: Resource<'Notice'>; readonly because: 'nobody-asks' | 'horizon' }[]
  /** Not reached yet: a rival may still replace them. The object's next change is the time to look again. */
  readonly waiting: readonly Resource<'Notice'>[]
}

export interface DeliverySettings {
  readonly horizonMs: number
  /** Whether a receiver has failed since it last answered: what was never tried is not given up for its age. */
  readonly failing: (url: string) => boolean
}

/**
 * @param notices those of one object, by its UID
 * @param live    the object; undefined when it is gone for good
 * @param now     milliseconds since 1970
 */
export function planDeliveries(notices: Iterable<Resource<'Notice'>>, live: Resource | undefined, settings: DeliverySettings, now: number): Deliveries {
  const inOrder = [...notices].sort((a, b) => a.spec.sequence - b.spec.sequence)
  const at = live === undefined ? undefined : (standingOf(live) ?? { sequence: 0, phase: 'pending' as const })
  const reached = inOrder.filter((notice) => at === undefined || notice.spec.sequence <= at.sequence)
  const waiting = inOrder.slice(reached.length)
  // A receiver that has moved is told at its new place; the dead name theirs in their last Notice.
  const url = live === undefined ? inOrder.at(-1)?.spec.callbackURL : callbackOf(live)
  if (url === undefined) return { send: undefined, drop: reached.map((notice) => ({ notice, because: 'nobody-asks' as const })), waiting }
  const failing = settings.failing(url)
  const late = (notice: Resource<'Notice'>): boolean => failing && now - Date.parse(notice.spec.time) > settings.horizonMs
  const next = reached.find((notice) => !late(notice))
  return {
    send: next === undefined ? undefined : { notice: next, url, ...contentOf(next, live) },
    drop: reached.filter(late).map((notice) => ({ notice, because: 'horizon' as const })),
    waiting,
  }
}

/** The Notice's object; where a rival that came too late has replaced it by a state that never was, the object itself. */
function contentOf({ spec }: Resource<'Notice'>, live: Resource | undefined): Pick<Sendable, 'sequence' | 'phase' | 'object'> {
  const at = live === undefined ? undefined : standingOf(live)
  if (live === undefined || at?.sequence !== spec.sequence || at.phase === spec.phase) return { sequence: spec.sequence, phase: spec.phase, object: spec.object }
  return { ...at, object: toldOf(live, at.phase) }
}
