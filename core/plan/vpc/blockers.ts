// What holds back the end of an object that others are in.
import type { Ref } from '../../kinds/index.ts'
import type { Plan } from '../plan.ts'

/** Who holds back a deletion: one by name, and how many there are beside it. */
export interface Blockers {
  /** Where they are of another kind than those that are usual there. */
  readonly kind?: string
  readonly first: string
  readonly others: number
  /** In a namespace that is being deleted: milliseconds until they no longer count. */
  readonly againInMs?: number
  /** Those that are to be told to leave. */
  readonly toLeave?: readonly Ref[]
}

export const againInMs = ({ againInMs, toLeave = [] }: Blockers): Pick<Plan<never>, 'requeueAfterMs' | 'next'> => ({
  ...(againInMs !== undefined && { requeueAfterMs: againInMs }),
  ...(toLeave.length > 0 && { next: toLeave }),
})

export function blockedText(usual: string, { kind = usual, first, others }: Blockers): string {
  return others === 0 ? `${kind} ${first} is still in it` : `${kind} ${first} and ${others} more are still in it`
}
