// Who calls, by bearer token (RFC 6750, RFC 7519, RFC 9068): once verified a token is known by its hash until it expires.
import { hash } from 'node:crypto'
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { Forbidden, Unauthorized } from '../../core/errors.ts'
import type { Clock } from '../../platform/clock.ts'

/** Whose tokens are taken. Keys come from `keys` alone: a token's own jku, x5u, x5c or jwk is not looked at. */
export interface Trust {
  readonly issuer: string
  readonly audience: string
  /** Never none, never one that shares its key with another kind (HS and RS). */
  readonly algorithms: readonly string[]
  /** The `typ` of the header, where the issuer sets one. */
  readonly typ?: string
  readonly keys: JWTVerifyGetKey
}

export interface Caller {
  readonly subject: string
  readonly scope: 'admin' | 'viewer'
  /** Absent: all. */
  readonly namespaces: ReadonlySet<string> | undefined
  /** When the token ends, in milliseconds since 1970. */
  readonly until: number
}

const headerMax = 8 * 1024
const knownMax = 4096
const toleranceSeconds = 30
const requiredClaims = ['exp', 'iat', 'sub']
const compact = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+) *$/i
const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

export class Tokens {
  #trust: Trust
  #clock: Clock
  #known = new Map<string, Caller>()

  constructor(trust: Trust, clock: Clock) {
    this.#trust = trust
    this.#clock = clock
  }

  /**
   * The caller that an Authorization header names; at once where the token is known.
   *
   * @throws Unauthorized, with a reason that says nothing of the keys
   */
  callerOf(authorization: string | undefined): Caller | Promise<Caller> {
    if (authorization === undefined) throw new Unauthorized({ reason: 'there is none' })
    if (authorization.length > headerMax) throw new Unauthorized({ reason: `it is longer than ${headerMax} bytes` })
    const token = compact.exec(authorization)?.[1]
    if (token === undefined) throw new Unauthorized({ reason: 'the header is not Bearer and a signed token' })
    const key = hash('sha256', token, 'base64url')
    const known = this.#known.get(key)
    if (known !== undefined && known.until > this.#clock.now()) return known
    this.#known.delete(key)
    return this.#verify(token, key)
  }

  async #verify(token: string, key: string): Promise<Caller> {
    const { issuer, audience, algorithms, typ, keys } = this.#trust
    const options = { issuer, audience, algorithms: [...algorithms], requiredClaims, clockTolerance: toleranceSeconds, currentDate: new Date(this.#clock.now()), ...(typ !== undefined && { typ }) }
    const caller = await jwtVerify(token, keys, options).then(
      ({ payload }) => readClaims(payload, this.#clock.now()),
      (cause: unknown) => {
        throw new Unauthorized({ reason: reasonOf(cause), cause })
      },
    )
    if (this.#known.size >= knownMax) this.#known.delete(this.#known.keys().next().value ?? '')
    this.#known.set(key, caller)
    return caller
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof errors.JWTExpired) return 'it has expired'
  if (cause instanceof errors.JWTClaimValidationFailed) return `its claim ${cause.claim} is not right`
  return 'it is not one of ours'
}

function readClaims(payload: JWTPayload, now: number): Caller {
  const { sub, exp, iat, scope, namespaces } = payload
  if (typeof sub !== 'string' || sub === '') throw new Unauthorized({ reason: 'its claim sub is not right' })
  if (typeof iat !== 'number' || iat * 1000 > now + toleranceSeconds * 1000) throw new Unauthorized({ reason: 'its claim iat is not right' })
  const scopes = typeof scope === 'string' ? scope.split(' ') : []
  const granted = scopes.includes('admin') ? 'admin' : scopes.includes('viewer') ? 'viewer' : undefined
  if (granted === undefined) throw new Unauthorized({ reason: 'its scope is neither admin nor viewer' })
  return { subject: sub, scope: granted, namespaces: readNamespaces(namespaces), until: Number(exp) * 1000 }
}

/** A claim that cannot be read must not mean "all". */
function readNamespaces(claim: unknown): ReadonlySet<string> | undefined {
  if (claim === undefined) return undefined
  const right = Array.isArray(claim) && claim.length > 0 && claim.every((each) => typeof each === 'string' && namespaceName.test(each))
  if (!right) throw new Unauthorized({ reason: 'its claim namespaces is not right' })
  return new Set(claim as string[])
}

/**
 * @param namespace of what is asked for; absent: something of the cluster, or of all namespaces
 * @throws Forbidden, the same whether it is there or not
 */
export function mayDo(caller: Caller, act: 'read' | 'write', namespace: string | undefined): void {
  if (act === 'write' && caller.scope !== 'admin') throw new Forbidden({})
  if (caller.namespaces !== undefined && (namespace === undefined || !caller.namespaces.has(namespace))) throw new Forbidden({})
}
