// A policy with a schedule comes into force, or goes out of it: by what was written of that.
import type { Kind, Resource } from '../../../core/kinds/index.ts'
import { part, type Predicate } from '../../watch/predicates.ts'

export const opensOrCloses: Predicate<Kind> = part(
  'status.schedule',
  (policy) => (policy as Resource<'UnifiedNetworkPolicy'> | undefined)?.status?.schedule?.inForce,
)
