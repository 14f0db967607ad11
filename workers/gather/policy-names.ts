// What is known of the names outside that a policy is about, and when it is to be looked at again.
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { namesAfter, namesDueInMs, namesIn } from '../../core/policy/read/names.ts'
import type { PolicyDesired } from '../../core/plan/policy/policy.ts'
import type { Env } from '../controller-env.ts'

/** Undefined: it is about none. */
export function namesOf(item: Resource | undefined, { names, clock }: Pick<Env, 'names' | 'clock'>): PolicyDesired['names'] {
  if (item?.kind !== 'UnifiedNetworkPolicy') return undefined
  const policy = item as Resource<'UnifiedNetworkPolicy'>
  const wanted = namesIn(policy.spec)
  if (wanted.length === 0) return undefined
  const { answers, askedInMs } = names.answersFor(wanted, { namespace: policy.metadata.namespace ?? '', key: keyOfItem(policy) })
  const at = { now: clock.now() }
  const known = namesAfter(policy, answers, at)
  return { known, inMs: namesDueInMs(known, askedInMs, at) }
}
