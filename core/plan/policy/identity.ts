// A PolicyIdentity: ready once every rule set that matches it has it, and gone once nobody has had it for a while.
import { refOf, type Resource } from '../../kinds/index.ts'
import { firstAndMore, inPlace, waitingFor, type Plan } from '../plan.ts'

type Identity = Resource<'PolicyIdentity'>

export interface IdentityDesired {
  readonly identity: Identity
  /** Policies whose rule sets have still to take it in, by kind and name. */
  readonly missing: readonly string[]
  /**
   * How it stands to those who might have it. `idle`: none is known, for so many milliseconds to come it is kept. `free`: nor has the store
   * any, just now.
   */
  readonly use: 'used' | 'free' | { readonly idleMs: number }
}
export interface IdentityAction {
  readonly do: 'freeIdentity'
  readonly identity: Identity
}

/** Somebody may have seen it wait, and nobody told of what it waits for. */
const againMs = 10_000

export function planIdentity({ identity, missing, use }: IdentityDesired): Plan<IdentityAction> {
  if (use === 'free') {
    const because = { rule: 'an identity that nobody has', of: refOf(identity) }
    return { steps: [{ action: { do: 'freeIdentity', identity }, because }], phase: 'deleted', reason: 'Unused', message: 'nobody has it' }
  }
  const requeue = use === 'used' ? {} : { requeueAfterMs: use.idleMs }
  const [first, ...others] = missing
  if (first === undefined) return { ...inPlace('Known', 'all rule sets that match it have it'), ...requeue }
  const message = `the rules of ${firstAndMore(first, others.length)} have still to take it in`
  return { ...waitingFor('NotKnownYet', message, againMs), ...(use !== 'used' && { requeueAfterMs: Math.min(againMs, use.idleMs) }) }
}
