// What is wrong with a policy whose kind is not ours, or is not done of it: its status is another's to write, so Events tell of it.
import type { Write } from '../../contracts/store.ts'
import type { Resource } from '../../kinds/index.ts'
import { eventOf } from '../events.ts'
import type { Plan } from '../plan.ts'

/** Conditions that somebody has to be told of. */
const warnings: readonly string[] = ['Unsupported', 'PriorityShared']

/** One for each that its generation has. It is there already where a pass before has told of it. */
export function policyEvents(
  policy: Resource,
  { phase, reason, message, conditions = [] }: Pick<Plan<unknown>, 'phase' | 'reason' | 'message' | 'conditions'>,
  now: number,
): readonly Write[] {
  const sequence = policy.metadata.generation ?? 0
  const warned = [
    ...(phase === 'error' ? [{ reason, note: message }] : []),
    ...conditions
      .filter(({ type, status }) => warnings.includes(type) && status === 'True')
      .map((each) => ({ ...each, note: each.message })),
  ]
  return warned.map(({ reason, note }) => eventOf(policy, { type: 'Warning', reason, note, sequence }, now))
}
