// A sign-in that is under way at the provider: what only this browser has, in a cookie that comes back with it from there. It is signed
// by the key that all servers share, so each of them may finish what another began.
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isObject } from '../../../core/json.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Signer } from '../../plugins/signer.ts'
import { cookieIn, cookieText, sessionCookie } from '../sessions.ts'

const lifeSeconds = 600
const pathMax = 1_000
const bound = ['a sign-in at the OpenID provider']

export interface Attempt {
  /** Comes back with the code: else a code of somebody else's sign-in could be slipped in (RFC 6749, 10.12). */
  readonly state: string
  /** Comes back within the ID token. */
  readonly nonce: string
  /** Whoever only has the code gets no token (RFC 7636). */
  readonly verifier: string
  /** The path to come back to. */
  readonly to: string
  /** When it was begun: a date, since another server may read it. */
  readonly from: string
}
export interface Attempting {
  readonly seal: Signer
  /** So many random bytes. */
  readonly draw: (bytes: number) => Buffer
  readonly clock: Clock
}

export function newAttempt(to: string | undefined, { draw, clock }: Attempting): Attempt {
  const one = (): string => draw(32).toString('base64url')
  return { state: one(), nonce: one(), verifier: one(), to: ownPath(to), from: new Date(clock.now()).toISOString() }
}

/** RFC 7636, 4.2: S256. */
export const challengeOf = ({ verifier }: Attempt): string => hash('sha256', verifier, 'base64url')

const nameOf = (request: FastifyRequest): string => `${sessionCookie(request)}-sign-in`

/** Lax: it must come along when the provider sends the browser back. */
export const attemptCookie = (request: FastifyRequest, attempt: Attempt, { seal }: Attempting): string =>
  cookieText(request, { name: nameOf(request), value: seal.close(JSON.stringify(attempt), bound), sameSite: 'Lax', seconds: lifeSeconds })
export const noAttemptCookie = (request: FastifyRequest): string =>
  cookieText(request, { name: nameOf(request), value: '', sameSite: 'Lax', seconds: 0 })

/** Undefined: this browser has begun none here, or too long ago. */
export function attemptIn(request: FastifyRequest, { seal, clock }: Attempting): Attempt | undefined {
  const text = seal.open(cookieIn(request, nameOf(request)) ?? '', bound)
  const attempt: unknown = text === undefined ? undefined : JSON.parse(text)
  if (!isObject(attempt)) return undefined
  const isFresh = clock.now() - Date.parse(String(attempt['from'])) < lifeSeconds * 1000
  return isFresh ? (attempt as unknown as Attempt) : undefined
}

/** The path, where it leads to this server whatever a browser makes of it (WHATWG URL drops tabs and takes `\` for `/`); else `/`. */
export function ownPath(path: string | undefined): string {
  if (path === undefined || path.length > pathMax || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return '/'
  const { origin, pathname, search, hash: fragment } = new URL(path, 'http://own.invalid')
  // `/.//other.example` is `//other.example` once its dots are taken away.
  return origin === 'http://own.invalid' && !pathname.startsWith('//') ? pathname + search + fragment : '/'
}
