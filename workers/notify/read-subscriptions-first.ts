// Who asks to be told of an object is the store's word, once a pass, before anything of it is reported: a watch of Subscriptions may be
// late, and nobody would make good what was reported with nobody told.
import type { Resource } from '../../core/kinds/index.ts'
import { isNotified } from '../../core/kinds/notify/notified.ts'
import { hasUnnotifiedChange } from '../../core/plan/notify/changes.ts'
import { reportedStateOf } from '../../core/plan/notify/notices.ts'
import type { Env } from '../controller-env.ts'

/** @returns whether more may be known than when it was last asked */
export type Ask = (isDue: boolean) => Promise<boolean>

/**
 * What begins to be told after the object was read changes the object (core/plan/notify/beginning.ts): so who asked before is all that must
 * be known.
 */
export function whoAsks(item: Resource | undefined, { live }: Pick<Env, 'live'>): Ask {
  let known = item === undefined || !isNotified(item.kind) || live.hasSeen(item)
  return async (isDue) => {
    if (known || !isDue) return false
    known = true
    await live.list()
    return true
  }
}

/**
 * What was never reported has no sign yet of who asks, and what is no longer as it was told is reported only where somebody asks for that.
 */
export const isAskedFirst = (item: Resource | undefined): boolean =>
  item !== undefined && (reportedStateOf(item) === undefined || hasUnnotifiedChange(item))
