// An object of a provider that is not known here: it is told so, and it does not go, since nobody here could give back what it has.
import { providerNames } from '../kinds/vpc/providers.ts'
import type { Resource } from '../kinds/index.ts'
import { refused, type Plan } from './plan.ts'

/** Workers of another version may be on their way. */
const againMs = 60_000

export function planUnknownProvider({ metadata: { deletionTimestamp } }: Resource): Plan<never> {
  const known = `the provider of its Vpc is not known to these workers, which know ${providerNames.join(', ')}`
  const refusal = { ...refused('UnknownProvider', known), requeueAfterMs: againMs }
  return deletionTimestamp === undefined ? refusal : { ...refusal, phase: 'terminating' }
}
