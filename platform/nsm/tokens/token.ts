// The token of a call, as NSM's calls carry it: networkservicemesh/sdk, pkg/tools/token (2026-11).
import { parseRfc3339 } from '../../../core/nsm/rfc3339.ts'
import type { Timestamp } from '../../../core/wire/nsm/well-known.ts'

export interface Token {
  /** A JWT. */
  readonly token: string
  readonly expires: Timestamp
}

/** Who is at the other end of a gRPC connection, by its certificate. */
export interface Identity {
  readonly spiffeId: string
  /** Milliseconds since 1970: its certificate's end. */
  readonly endsMs: number
}

export interface Tokens {
  /** @param audience absent: nobody by name */
  make(audience: Identity | undefined): Promise<Token>
}

const nameOfToken = 'nsm-client-token'
const nameOfExpires = 'nsm-client-token-expires'

/** @param valuesOf a header; undefined where one of the two is not there just once, or is no time */
export function tokenOf(valuesOf: (name: string) => readonly string[]): Token | undefined {
  const [token, ...more] = valuesOf(nameOfToken)
  const [text, ...others] = valuesOf(nameOfExpires)
  if (token === undefined || text === undefined || more.length + others.length > 0) return undefined
  const expires = parseRfc3339(text)
  return expires === undefined ? undefined : { token, expires }
}
