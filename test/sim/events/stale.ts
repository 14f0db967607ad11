// Sieve's stale and unobserved states: one watch of one process is late, and tells all of it afterwards, or begins with a new list
// and never tells what was in between.
import type { Kind } from '../../../core/kinds/index.ts'
import type { Dice } from '../dice.ts'
import { happeningKind } from '../happening.ts'
import { processNames } from '../roles/index.ts'

const lateMost = 60_000
const watchedKinds: readonly Kind[] = [
  'Vpc',
  'Subnet',
  'Port',
  'IPLock',
  'SegmentLock',
  'Pod',
  'Node',
  'Namespace',
  'Notice',
  'Subscription',
  'SecurityGroup',
  'Inquiry',
]

interface Late {
  readonly process: string
  readonly kind: Kind
  readonly ms: number
}
const late = (name: string, relists: boolean, weight: number) =>
  happeningKind<Late>({
    name,
    fault: true,
    weight,
    draw: (dice) => ({
      process: dice.pick(processNames),
      kind: dice.pick(watchedKinds),
      ms: Math.round(dice.chance(0.5) ? dice.next() * 3_000 : dice.next() * lateMost),
    }),
    run({ process, kind, ms }, { site }) {
      site.processOf(process)?.stalls.set(kind, { until: site.scheduler.now + ms, relists })
    },
  })

/** Weighted in a case: workers hear late of what decides about some part of it. */
export const lateWorkers = (kinds: readonly Kind[]) => ({
  name: 'stale',
  weight: 8,
  draw: (dice: Dice): Late => ({
    process: dice.pick(processNames.filter((name) => name.startsWith('workers-'))),
    kind: dice.pick(kinds),
    ms: dice.between(10, 40_000),
  }),
})

export const stale = late('stale', false, 12)
export const unobserved = late('unobserved', true, 5)
