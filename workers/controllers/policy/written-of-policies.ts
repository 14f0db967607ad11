// What workers have written of a policy, by which all of them go: it has come into force or gone out of it, or is about other addresses.
import type { Kind, Resource } from '../../../core/kinds/index.ts'
import { part, type Predicate } from '../../watch/predicates.ts'

/** A policy with a schedule comes into force, or goes out of it. */
export const opensOrCloses: Predicate<Kind> = part(
  'status.schedule',
  (policy) => (policy as Resource<'UnifiedNetworkPolicy'> | undefined)?.status?.schedule?.inForce,
)

/** Names outside that it is about have other addresses: by what was written of that. */
export const hasOtherAddresses: Predicate<Kind> = part('status.names', (policy) =>
  (policy as Resource<'UnifiedNetworkPolicy'> | undefined)?.status?.names?.map(({ addresses }) => addresses.map(({ address }) => address)),
)
