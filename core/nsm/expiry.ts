// Until when an endpoint is registered, and when a refresh is worth a write.
import type { NsmSpec } from '../kinds/foreign-network-services.ts'
import type { Resource } from '../kinds/index.ts'
import { sameJson } from '../same-json.ts'
import { msOf } from '../wire/nsm/well-known.ts'

type Expiring = Pick<NsmSpec<'NetworkServiceEndpoint'>, 'expiration_time'>
type Endpoint = Resource<'NetworkServiceEndpoint'>

/** Milliseconds since 1970; undefined: it does not expire. An empty Timestamp is none: Go leaves a zero out, and nobody means 1970. */
export function expiryOf({ expiration_time: at }: Expiring): number | undefined {
  const { seconds = 0, nanos = 0 } = at ?? {}
  return seconds === 0 && nanos === 0 ? undefined : msOf({ seconds, nanos })
}

export const isExpired = (spec: Expiring, now: number): boolean => {
  const at = expiryOf(spec)
  return at !== undefined && at <= now
}

export interface Refresh {
  /** Milliseconds since 1970; undefined: never. */
  readonly stored: number | undefined
  readonly wanted: number | undefined
  readonly now: number
}

/**
 * Time is stored coarsely: a refresh that moves it by less than a third of the lifetime that is wanted is answered with what is stored, and
 * nothing is written. Whoever refreshes after two thirds of what it was told (NSM's registry client) is written every time; who refreshes
 * all the time, three times in a lifetime.
 */
export function isWorthWriting({ stored, wanted, now }: Refresh): boolean {
  if (stored === undefined || wanted === undefined || wanted < stored) return stored !== wanted
  return wanted - stored >= (wanted - now) / 3
}

/** Whether nothing but a refresh that is not worth it is wanted of an endpoint. */
export function isIdleRefresh(stored: Endpoint, wanted: Endpoint, { now }: { readonly now: number }): boolean {
  const rest = ({ metadata: { labels = {}, annotations = {} }, spec: { expiration_time: _, ...others } }: Endpoint): unknown => [
    labels,
    annotations,
    others,
  ]
  const [was, is] = [expiryOf(stored.spec), expiryOf(wanted.spec)]
  return was !== is && sameJson(rest(stored), rest(wanted)) && !isWorthWriting({ stored: was, wanted: is, now })
}
