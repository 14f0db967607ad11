// From a Secret's data to how a receiver knows us. Tokens are had from where the Subscription says, and kept while they last.
import type { Access, Receipt } from '../../core/contracts/notifier.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { secretKeys, signingKey, type Copied } from '../../core/plan/subscription.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Outgoing } from './outgoing.ts'
import { readSecrets } from './sign.ts'

type Subscription = Resource<'Subscription'>
export type Had = { readonly access: Access } | { readonly receipt: Exclude<Receipt, { readonly say: 'accepted' }> }

/** A token is not used in its last moments. */
const marginMs = 30_000
/** Where the answer names no end (RFC 6749 section 5.1: it should). */
const lifeMs = 300_000

export class AccessMaker {
  readonly #outgoing: Outgoing
  readonly #clock: Clock
  readonly #tokens = new Map<string, { readonly token: string; readonly until: number }>()

  constructor(outgoing: Outgoing, clock: Clock) {
    this.#outgoing = outgoing
    this.#clock = clock
  }

  /** @param credentials the Secret's name that the data is of, which changes with it */
  async of(subscription: Subscription, copied: Copied, credentials: string, signal: AbortSignal): Promise<Had> {
    const { auth, ca } = subscription.spec
    const { namespace = '' } = subscription.metadata
    const signing = copied[signingKey]
    const base: Access = { namespace, ...(ca === undefined ? {} : { ca }), ...(signing === undefined ? {} : { secrets: readSecrets(plain(signing)) }) }
    if (auth?.type === 'oauth2') return this.#withToken(base, { endpoint: auth.tokenEndpoint ?? '', id: plain(copied['clientId']), secret: plain(copied['clientSecret']), credentials }, signal)
    return { access: { ...base, ...(auth === undefined ? {} : known[auth.type](copied)) } }
  }

  /** The receiver would not take it: the next one is a new one. */
  refused(credentials: string): void {
    this.#tokens.delete(credentials)
  }

  /** RFC 6749 section 4.4: client credentials, the client known by HTTP Basic (section 2.3.1). */
  async #withToken(base: Access, client: { readonly endpoint: string; readonly id: string; readonly secret: string; readonly credentials: string }, signal: AbortSignal): Promise<Had> {
    const kept = this.#tokens.get(client.credentials)
    if (kept !== undefined && kept.until > this.#clock.now()) return { access: { ...base, authorization: `Bearer ${kept.token}` } }
    const authorization = basic(encodeURIComponent(client.id), encodeURIComponent(client.secret))
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', authorization }
    const answer = await this.#outgoing.ask({ method: 'POST', url: client.endpoint, headers, body: 'grant_type=client_credentials', access: base, reads: true }, signal)
    if ('say' in answer) return { receipt: answer }
    const token = tokenIn(answer.body)
    if (answer.status !== 200 || token === undefined) return { receipt: { say: 'slow', reason: `the token endpoint answered ${answer.status} and no token` } }
    this.#tokens.set(client.credentials, { token: token.token, until: this.#clock.now() + token.lifeMs - marginMs })
    return { access: { ...base, authorization: `Bearer ${token.token}` } }
  }
}

const plain = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString()
const basic = (name: string, word: string): string => `Basic ${Buffer.from(`${name}:${word}`).toString('base64')}`

const known: Readonly<Record<'basic' | 'bearer' | 'certificate', (copied: Copied) => Access>> = {
  basic: (copied) => ({ authorization: basic(plain(copied['username']), plain(copied['password'])) }),
  bearer: (copied) => ({ authorization: `Bearer ${plain(copied['token']).trim()}` }),
  certificate: (copied) => ({ certificate: { cert: plain(copied['tls.crt']), key: plain(copied['tls.key']) } }),
}

function tokenIn(body: string): { readonly token: string; readonly lifeMs: number } | undefined {
  try {
    const { access_token: token, expires_in: seconds } = JSON.parse(body) as { readonly access_token?: unknown; readonly expires_in?: unknown }
    if (typeof token !== 'string' || token === '') return undefined
    return { token, lifeMs: typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : lifeMs }
  } catch {
    return undefined
  }
}

/** In words what a Secret lacks; undefined where it has all that is needed. */
export function lackOf({ spec }: Subscription, copied: Copied | undefined, which: 'auth' | 'signing'): string | undefined {
  const asked = which === 'auth' ? spec.auth : spec.signing
  if (asked === undefined) return undefined
  if (copied === undefined) return `Secret ${asked.secret} is not there`
  const wanted: readonly string[] = which === 'auth' ? secretKeys[spec.auth!.type] : [signingKey]
  const missing = wanted.find((key) => copied[key] === undefined)
  if (missing !== undefined) return `Secret ${asked.secret} has no key ${missing}`
  return which === 'signing' ? faultInSecrets(plain(copied[signingKey]), asked.secret) : undefined
}

function faultInSecrets(text: string, name: string): string | undefined {
  try {
    return readSecrets(text).length === 0 ? `Secret ${name} has nothing under ${signingKey}` : undefined
  } catch {
    return `Secret ${name}: each of ${signingKey} is whsec_ and the base64 of 24 to 64 bytes`
  }
}
