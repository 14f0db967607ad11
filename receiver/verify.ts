// Standard Webhooks 1.0.0, the receiver's half: whether a request is Megrez's, and new.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Header names in lower case, as Node.js has them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** `whsec_` and base64; several while one is being replaced: any of them may have signed. */
  readonly secrets: readonly string[]
  /** How old, or how far ahead, a sending may be, in seconds: 300 unless given. */
  readonly toleranceSeconds?: number
  /** Milliseconds since 1970. */
  readonly now?: number
}

/** One change of one object. */
export interface Notice {
  /** The same for each sending of it: what doubles are found by. */
  readonly id: string
  /** Counts the changes of its object; a sample's is 0. */
  readonly sequence: number
  readonly phase: string
  /** The body, parsed: an object, a SOL notification or a CloudEvent, as the profile has it. */
  readonly body: unknown
}

/** Why a request is not believed. */
export class NotVerified extends Error {
  override readonly name = 'NotVerified'
}

const prefix = 'whsec_'

/**
 * @param text the body byte for byte as it came: a body that was parsed and printed again is another one
 * @throws NotVerified
 */
export function verify(text: string, headers: Headers, { secrets, toleranceSeconds = 300, now = Date.now() }: VerifyOptions): Notice {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => one(headers, name)) as [
    string,
    string,
    string,
  ]
  if (!/^\d{1,12}$/.test(timestamp)) throw new NotVerified('webhook-timestamp is no number of seconds')
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds) throw new NotVerified('it was sent too long ago, or in the future')
  const given = signatures
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice(3), 'base64'))
  const mine = secrets.map((secret) => createHmac('sha256', bytesOf(secret)).update(`${id}.${timestamp}.${text}`).digest())
  // All are compared, so that the time it takes tells nothing.
  const found = mine.flatMap((own) => given.map((theirs) => theirs.length === own.length && timingSafeEqual(theirs, own)))
  if (!found.includes(true)) throw new NotVerified('no signature is by a known secret')
  return { id, sequence: Number(one(headers, 'megrez-sequence')), phase: one(headers, 'megrez-phase'), body: parsed(text) }
}

function one(headers: Headers, name: string): string {
  const value = headers[name]
  if (typeof value !== 'string' || value === '') throw new NotVerified(`${name} is missing`)
  return value
}

/** Whether it is what notices can be signed with: `whsec_` and the base64 of at least 24 bytes. */
export function isSecret(secret: string): boolean {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && Buffer.from(text, 'base64').length >= 24
}

function bytesOf(secret: string): Buffer {
  const bytes = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64')
  if (bytes.length < 24) throw new TypeError('a secret is whsec_ and the base64 of at least 24 bytes')
  return bytes
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NotVerified('the body is no JSON')
  }
}
