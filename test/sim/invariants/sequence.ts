// An object's sequence never falls, and each number has one phase.
import { keyOfItem } from '../../../core/kinds/index.ts'
import { reportedStateOf, type ReportedState } from '../../../core/plan/notify/notices.ts'
import type { InvariantOfStore } from '../invariant.ts'

export const sequence: InvariantOfStore = {
  name: 'sequence',
  begin(_, fail) {
    const reached = new Map<string, ReportedState>()
    const against = (was: ReportedState, is: ReportedState | undefined, what: string): void => {
      if (is === undefined || is.sequence < was.sequence)
        fail(`the sequence of ${what} fell from ${was.sequence} to ${is?.sequence ?? 'nothing'}`)
      else if (was.sequence === is.sequence && was.phase !== is.phase)
        fail(`${what} was ${was.phase} and is ${is.phase} at the same sequence ${is.sequence}`)
    }
    return {
      landed({ kind, after }) {
        if (after === undefined || kind === 'Notice') return
        const { uid } = after.metadata
        const [was, is] = [reached.get(uid), reportedStateOf(after)]
        if (was !== undefined) against(was, is, `${kind} ${keyOfItem(after)}`)
        if (is !== undefined) reached.set(uid, is)
      },
    }
  },
}
