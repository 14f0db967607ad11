// The next call of a process to the store, or its next write of a kind, conflicts, is answered late, is applied without an answer, or never
// arrives.
import type { Kind } from '../../../core/kinds/index.ts'
import { happeningKind } from '../happening.ts'
import type { CallFault } from '../process.ts'
import { processNames } from '../roles/index.ts'

const faults: readonly CallFault[] = ['conflict', 'late', 'lost-answer', 'lost-request']
/** Between these and what is written with them a commit must not be cut. */
const written: readonly Kind[] = ['Notice', 'IPLock', 'SegmentLock', 'Port', 'Inquiry']

export const callFault = happeningKind<{ readonly process: string; readonly fault: CallFault; readonly times: number; readonly of?: Kind }>(
  {
    name: 'call-fault',
    fault: true,
    weight: 10,
    draw: (dice) => ({
      process: dice.pick(processNames),
      fault: dice.pick(faults),
      times: dice.between(1, 3),
      ...(dice.chance(0.5) && { of: dice.pick(written) }),
    }),
    run({ process, fault, times, of }, { site }) {
      const there = site.processOf(process)
      for (let time = 0; time < times; time++) there?.faults.push({ fault, ...(of !== undefined && { of }) })
    },
  },
)
