// A NetworkServiceEndpoint whose time is over is deleted: NSM's own registry leaves that to whoever asks next.
import { refOf, type Resource } from '../../kinds/index.ts'
import { expiryOf } from '../../nsm/expiry.ts'
import { inPlace, type Plan } from '../plan.ts'

export interface ExpireAction {
  readonly do: 'expire'
  readonly endpoint: Resource<'NetworkServiceEndpoint'>
}

/** Whoever wrote the time, and whoever reads it, may be off by so much together. Find leaves it out at once, by its own clock. */
export const clockDriftMs = 60_000
/** Who is registered for years is looked at again then. */
const checkAgainMs = 86_400_000

/** How long it stays at least, by this worker's clock; undefined: for good. */
export function leftMsOf(endpoint: Resource<'NetworkServiceEndpoint'>, { now }: { readonly now: number }): number | undefined {
  const at = endpoint.metadata.deletionTimestamp === undefined ? expiryOf(endpoint.spec) : undefined
  return at === undefined ? undefined : Math.min(checkAgainMs, Math.max(0, at + clockDriftMs - now))
}

/** @param now milliseconds since 1970 */
export function planEndpoint(endpoint: Resource<'NetworkServiceEndpoint'>, now: number): Plan<ExpireAction> {
  const leftMs = leftMsOf(endpoint, { now })
  const registered = inPlace('Registered', 'it is registered')
  if (leftMs === undefined) return registered
  if (leftMs > 0) return { ...registered, requeueAfterMs: leftMs }
  const because = { rule: 'an endpoint whose expiration time has passed', of: refOf(endpoint) }
  return { steps: [{ action: { do: 'expire', endpoint }, because }], phase: 'terminating', reason: 'Expired', message: 'its time is over' }
}
