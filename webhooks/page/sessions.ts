// A browser's session: its token, in a cookie that no script can read and no other site can send. What it may do is what the token
// may; a session that was ended here is over, though its token may have time left.
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { CrossSite, Unauthorized } from '../../core/errors.ts'
import type { Clock } from '../../platform/clock.ts'

/** Browsers keep 4,096 bytes of a cookie with its name and attributes (RFC 6265, 6.1). */
export const tokenMax = 3_800
const codeLifeMs = 15 * 60_000
const endedMax = 4_096
const codesMax = 64

interface Offered {
  readonly token: string
  readonly untilMs: number
}

export class Sessions {
  readonly #clock: Clock
  readonly #draw: (bytes: number) => Buffer
  /** By the hash of the code: what could be read of this memory opens nothing. */
  readonly #offered = new Map<string, Offered>()
  readonly #ended = new Set<string>()

  /** @param draw so many random bytes */
  constructor(clock: Clock, draw: (bytes: number) => Buffer) {
    this.#clock = clock
    this.#draw = draw
  }

  /** A code that is worth this token once, within a quarter of an hour. */
  offer(token: string): string {
    const code = this.#draw(32).toString('base64url')
    forgetOldest(this.#offered, codesMax)
    this.#offered.set(digest(code), { token, untilMs: this.#clock.elapsed() + codeLifeMs })
    return code
  }

  /** Undefined: never given out, used before, or too old. */
  redeem(code: string): string | undefined {
    const key = digest(code)
    const found = this.#offered.get(key)
    this.#offered.delete(key)
    return found !== undefined && found.untilMs > this.#clock.elapsed() ? found.token : undefined
  }

  end(token: string): void {
    forgetOldest(this.#ended, endedMax)
    this.#ended.add(digest(token))
  }

  /**
   * The token that a request's cookie carries, as an Authorization header would.
   *
   * @returns undefined where there is no cookie
   * @throws Unauthorized for an ended session; CrossSite for what a page of another origin has sent
   */
  authorizationOf(request: FastifyRequest): string | undefined {
    const token = cookieIn(request, sessionCookie(request))
    if (token === undefined) return undefined
    holdSameOrigin(request)
    if (this.#ended.has(digest(token))) throw new Unauthorized({ reason: 'its session was ended' })
    return `Bearer ${token}`
  }
}

const digest = (text: string): string => hash('sha256', text, 'base64url')

function forgetOldest(all: { readonly size: number; keys(): Iterator<string>; delete(key: string): boolean }, max: number): void {
  if (all.size >= max) all.delete(all.keys().next().value as string)
}

const isSecure = ({ raw: { socket } }: FastifyRequest): boolean => 'encrypted' in socket

/**
 * Browsers keep cookies by host and not by port: another server of this machine has one of another name. Over TLS the prefix keeps
 * other hosts of the domain from setting it (RFC 6265bis, 4.1.3.2).
 */
export function sessionCookie(request: FastifyRequest): string {
  return isSecure(request) ? '__Host-megrez' : `megrez-${request.raw.socket.localPort ?? 0}`
}

/** The value of a cookie; undefined where there is none, or two: then nobody knows whose is whose. */
export function cookieIn({ headers: { cookie = '' } }: FastifyRequest, name: string): string | undefined {
  const found = cookie
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
  return found.length === 1 ? found[0]!.slice(name.length + 1) : undefined
}

export interface CookieSpec {
  readonly name: string
  readonly value: string
  readonly sameSite: 'Strict' | 'Lax'
  /** 0: it is taken away. Absent: it goes with the browser. */
  readonly seconds?: number
}

export function cookieText(request: FastifyRequest, { name, value, sameSite, seconds }: CookieSpec): string {
  const parts = [`${name}=${value}`, 'Path=/', 'HttpOnly', `SameSite=${sameSite}`]
  if (isSecure(request)) parts.push('Secure')
  if (seconds !== undefined) parts.push(`Max-Age=${Math.max(0, Math.floor(seconds))}`)
  return parts.join('; ')
}

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * What a browser says of where a request comes from (Fetch, 3.2; Fetch Metadata). What changes something must say that it comes from
 * our own page: every browser does.
 *
 * @throws CrossSite
 */
export function holdSameOrigin(request: FastifyRequest): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers
  const own = `${isSecure(request) ? 'https' : 'http'}://${host ?? ''}`
  const isOurs = origin === undefined ? reading.has(request.method) : origin === own
  if (!isOurs || (site !== undefined && site !== 'same-origin' && site !== 'none')) throw new CrossSite({})
}
