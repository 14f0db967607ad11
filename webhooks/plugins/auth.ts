// Who calls, by bearer token (RFC 6750, RFC 7519, RFC 9068): once verified a token is known by its hash, until it expires and no
// longer than ten minutes, so that a key that was taken back, or a deleted account, is noticed.
import { hash } from 'node:crypto'
import { decodeJwt, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import type { Grant } from '../../core/admit/rest/roles.ts'
import { MegrezError, Unauthorized } from '../../core/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { readClaims, toleranceSeconds } from './claims.ts'

/** Whose tokens are taken. Keys come from `keys` alone: a token's own jku, x5u, x5c or jwk is not looked at. */
export interface Trust {
  readonly issuer: string
  readonly audience: string
  /** Never none, never one that shares its key with another kind (HS and RS). */
  readonly algorithms: readonly string[]
  /** The `typ` of the header, where the issuer sets one. */
  readonly typ?: string
  /** Where the words of roles are; absent: `scope`. */
  readonly rolesClaim?: string
  readonly keys: JWTVerifyGetKey
  /** Of a token by its id (jti): whether it was taken back before its end. Asked at each request. */
  readonly isRevoked?: (id: string) => boolean
}

export interface Caller {
  readonly subject: string
  /** Who vouches for the subject. */
  readonly issuer: string
  readonly grants: readonly Grant[]
  /** An agent's. */
  readonly node?: string
  /** When it ends, in milliseconds since 1970. */
  readonly until: number
  /** The Authorization header of an account of the API server's own: its requests are made with it. */
  readonly passed?: string
}

/** Tokens that a Kubernetes API server judges. Undefined: not one of its own. */
export type Reviewer = (token: string) => Promise<Caller | undefined>

const headerMax = 8 * 1024
const knownMax = 4096
/** A token is looked at again after so long, whatever its expiry. */
const keptMs = 600_000
const reviewedMs = 60_000
const requiredClaims = ['exp', 'iat', 'sub']
const compact = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+) *$/i

interface KnownCaller {
  readonly caller: Caller
  readonly isRevoked: () => boolean
  readonly until: number
}

export class Tokens {
  #trusts: ReadonlyMap<string, Trust>
  #clock: Clock
  #reviewer: Reviewer | undefined
  #known = new Map<string, KnownCaller>()

  constructor(trusts: Trust | readonly Trust[], clock: Clock, reviewer?: Reviewer) {
    const all = 'issuer' in trusts ? [trusts] : trusts
    this.#trusts = new Map(all.map((trust) => [trust.issuer, trust]))
    this.#clock = clock
    this.#reviewer = reviewer
  }

  /**
   * The caller that an Authorization header names; at once where the token is known.
   *
   * @throws Unauthorized, with a reason that says nothing of the keys; IssuerUnavailable where nobody can be asked
   */
  callerOf(authorization: string | undefined): Caller | Promise<Caller> {
    if (authorization === undefined) throw new Unauthorized({ reason: 'there is none' })
    if (authorization.length > headerMax) throw new Unauthorized({ reason: `it is longer than ${headerMax} bytes` })
    const token = compact.exec(authorization)?.[1]
    if (token === undefined) throw new Unauthorized({ reason: 'the header is not Bearer and a signed token' })
    const key = hash('sha256', token, 'base64url')
    const known = this.#known.get(key)
    if (
      known !== undefined &&
      known.until > this.#clock.elapsed() &&
      !isOver(known.caller, { now: this.#clock.now() }) &&
      !known.isRevoked()
    )
      return known.caller
    this.#known.delete(key)
    return this.#learn(token, key)
  }

  async #learn(token: string, key: string): Promise<Caller> {
    const trust = this.#trusts.get(issuerOf(token))
    const caller = trust === undefined ? await this.#reviewed(token) : await this.#verify(token, trust)
    const isRevoked = revocationOf(token, trust)
    if (isRevoked()) throw new Unauthorized({ reason: 'it was revoked' })
    if (this.#known.size >= knownMax) this.#known.delete(this.#known.keys().next().value ?? '')
    this.#known.set(key, { caller, isRevoked, until: this.#clock.elapsed() + (trust === undefined ? reviewedMs : keptMs) })
    return caller
  }

  async #reviewed(token: string): Promise<Caller> {
    const caller = await this.#reviewer?.(token)
    if (caller === undefined) throw new Unauthorized({ reason: notOurs })
    return caller
  }

  async #verify(token: string, { issuer, audience, algorithms, typ, keys, rolesClaim }: Trust): Promise<Caller> {
    const now = this.#clock.now()
    const options = {
      issuer,
      audience,
      algorithms: [...algorithms],
      requiredClaims,
      clockTolerance: toleranceSeconds,
      currentDate: new Date(now),
      ...(typ !== undefined && { typ }),
    }
    try {
      const { payload } = await jwtVerify(token, keys, options)
      return { issuer, ...readClaims(payload, now, rolesClaim) }
    } catch (cause) {
      throw cause instanceof MegrezError ? cause : new Unauthorized({ reason: reasonOf(cause), cause })
    }
  }
}

/** A token's end is a date, which a clock that is set back has not reached again; how long it is believed unasked is not. */
const isOver = ({ until }: Caller, { now }: { readonly now: number }): boolean => until <= now

/** @param token one that was verified */
function revocationOf(token: string, trust: Trust | undefined): () => boolean {
  const isRevoked = trust?.isRevoked
  const id = isRevoked === undefined ? undefined : decodeJwt(token).jti
  return () => id !== undefined && isRevoked?.(id) === true
}

const notOurs = 'it is not one of ours'

/** Not verified: it says only whose keys to try. */
function issuerOf(token: string): string {
  try {
    const { iss } = decodeJwt(token)
    return typeof iss === 'string' ? iss : ''
  } catch (cause) {
    throw new Unauthorized({ reason: notOurs, cause })
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof errors.JWTExpired) return 'it has expired'
  if (cause instanceof errors.JWTClaimValidationFailed) return `its claim ${cause.claim} is not right`
  return notOurs
}
