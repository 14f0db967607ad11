/**
 * Milliseconds of a Retry-After header in its form of whole seconds, the only one the API server sends; undefined where there
 * is none (RFC 9110, section 10.2.3).
 */
export function retryAfterMs(header: string | readonly string[] | undefined): number | undefined {
  const text = typeof header === 'string' ? header : header?.[0]
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) * 1000 : undefined
}
