// What NSM's tokens say, and what must hold of a row of them. Who has signed one is looked at elsewhere.
// Rules: networkservicemesh/sdk, pkg/tools/opa/policies/common/tokens_{valid,expired,chained}.rego (2026-11).
import { isObject, type Json } from '../json.ts'
import { isSpiffeId } from '../wire/nsm/spiffe-id.ts'

export interface TokenClaims {
  /** SPIFFE id of who has made it; '' where it says none. */
  readonly subject: string
  readonly audience: readonly string[]
  /** Seconds since 1970; undefined: it says none, and has ended. */
  readonly expires: number | undefined
}

/** Clocks of two nodes differ by as much; a token that ended within is still taken. */
export const tokenDriftMs = 5_000
/** Characters; a token of NSM has some 300. */
const widest = 8 * 1024

/** Without looking at its signature. Undefined: no JWT. */
export function claimsOf(token: string): TokenClaims | undefined {
  const parts = token.split('.')
  if (token.length > widest || parts.length !== 3 || jsonOf(parts[0]!) === undefined) return undefined
  const claims = jsonOf(parts[1]!)
  if (claims === undefined) return undefined
  const { sub, aud, exp } = claims
  return {
    subject: typeof sub === 'string' ? sub : '',
    audience: (Array.isArray(aud) ? aud : [aud]).filter((each) => typeof each === 'string'),
    expires: typeof exp === 'number' && Number.isFinite(exp) ? exp : undefined,
  }
}

function jsonOf(part: string): Json | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return undefined
  try {
    const read: unknown = JSON.parse(new TextDecoder().decode(bytesOf(part)))
    return isObject(read) ? read : undefined
  } catch {
    return undefined
  }
}

const bytesOf = (base64url: string): Uint8Array =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

/** SPIFFE id of who says that it has made it; '' where it says none. */
export function subjectOf(token: string | undefined): string {
  const subject = token === undefined ? undefined : claimsOf(token)?.subject
  return subject !== undefined && isSpiffeId(subject) ? subject : ''
}

/** Each is a JWT that has not ended, and each was made for whoever has made the next. Nothing in no tokens. */
export function areInOrder(tokens: readonly string[], nowMs: number): boolean {
  const claims = tokens.map(claimsOf)
  return claims.every(
    (each, i) =>
      each?.expires !== undefined &&
      nowMs - tokenDriftMs < each.expires * 1000 &&
      (i === 0 || claims[i - 1]!.audience.includes(each.subject)),
  )
}
