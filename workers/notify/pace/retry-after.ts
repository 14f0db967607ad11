/** A receiver may hold us off for this long, and no longer. */
const maxMs = 86_400_000

/**
 * Milliseconds of a Retry-After header in either of its forms, seconds or a date (RFC 9110 section 10.2.3); undefined where it
 * says neither.
 *
 * @param now milliseconds since 1970
 */
export function retryAfterMs(header: string | readonly string[] | undefined, now: number): number | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim()
  if (text === undefined || text === '') return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? undefined : Math.min(maxMs, Math.max(0, ms))
}
