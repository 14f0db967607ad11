// An Event on the object that a notice is of; where none can be written (its namespace is going), the log has said it.
import type { Store } from '../../../core/contracts/store.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { eventOf } from '../../../core/plan/events.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'

export async function eventOn(
  { store, clock, log }: { readonly store: Store; readonly clock: Clock; readonly log: Log },
  { notice, sequence }: { readonly notice: Resource<'Notice'>; readonly sequence: number },
  reason: string,
  note: string,
): Promise<void> {
  try {
    await store.commit([eventOf(notice.spec.object as Resource, { type: 'Warning', reason, note, sequence }, clock.now())])
  } catch (err) {
    log.debug({ of: notice.spec.of, reason, err: err }, 'event not written')
  }
}
