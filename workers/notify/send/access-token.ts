// From a Secret's data to how a receiver knows us. Tokens are had from where the Subscription says, and kept while they last.
import { createHash, X509Certificate } from 'node:crypto'
import type { Access, Receipt } from '../../../core/contracts/notifier.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { authoritiesKey, secretKeys, signingKey, type CopiedCredentials } from '../../../core/plan/notify/subscription.ts'
import { signingIds } from '../../../core/plan/notify/rotation.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Outgoing } from '../../../platform/http/guarded/outgoing.ts'
import { readSecrets, type NamespaceSecrets } from '../../../platform/signing.ts'

type Subscription = Resource<'Subscription'>
type Auth = NonNullable<Subscription['spec']['auth']>
export type HeldAccess = { readonly access: Access } | { readonly receipt: Exclude<Receipt, { readonly kind: 'accepted' }> }

/** A token is not used in its last moments. */
const marginMs = 30_000
/** Where the answer names no end (RFC 6749 section 5.1: it should). */
const lifeMs = 300_000

/** How a token endpoint knows us: by the header, or by the form and the certificate of the connection. */
interface Client {
  readonly endpoint: string
  readonly credentials: string
  readonly authorization?: string
  readonly form?: string
}

export class AccessMaker {
  readonly #outgoing: Outgoing
  readonly #clock: Clock
  readonly #secrets: NamespaceSecrets
  readonly #tokens = new Map<string, { readonly token: string; readonly until: number }>()

  /** @param secrets of namespaces, and of Subscriptions whose secret was replaced */
  constructor(outgoing: Outgoing, clock: Clock, secrets: NamespaceSecrets) {
    this.#outgoing = outgoing
    this.#clock = clock
    this.#secrets = secrets
  }

  /** @param credentials the Secret's name that the data is of, which changes with it */
  async of(subscription: Subscription, copied: CopiedCredentials, credentials: string, signal: AbortSignal): Promise<HeldAccess> {
    const { auth } = subscription.spec
    const ca = authoritiesOf(subscription, copied)
    const { namespace = '' } = subscription.metadata
    const secrets = this.#signing(subscription, copied[signingKey])
    const base: Access = { namespace, ...(ca === undefined ? {} : { ca }), ...(secrets === undefined ? {} : { secrets }) }
    if (auth === undefined) return { access: base }
    const { type, tokenEndpoint: endpoint = '', clientId = '' } = auth
    if (type === 'oauth2') return this.#withToken(base, { endpoint, credentials, ...byWord(copied) }, signal)
    // The token is bound to the certificate: the receiver is shown the same (RFC 8705 section 3).
    if (type === 'oauth2-certificate')
      return this.#withToken(
        { ...base, ...known.certificate(copied) },
        { endpoint, credentials, form: `&client_id=${encodeURIComponent(clientId)}` },
        signal,
      )
    return { access: { ...base, ...known[type](copied) } }
  }

  /** The receiver would not take it: the next one is a new one. */
  refused(credentials: string): void {
    this.#tokens.delete(credentials)
  }

  /** Undefined: what its namespace signs with. */
  #signing({ metadata: { namespace = '', uid }, spec }: Subscription, named: string | undefined): Access['secrets'] {
    const own = named === undefined ? undefined : readSecrets(plain(named))
    if (spec.rotation === undefined) return own
    return signingIds(spec.rotation, { now: this.#clock.now() }).flatMap((id) =>
      id === undefined ? (own ?? this.#secrets.signing(namespace)) : this.#secrets.rotated(uid, id),
    )
  }

  /** RFC 6749 section 4.4: client credentials. */
  async #withToken(base: Access, client: Client, signal: AbortSignal): Promise<HeldAccess> {
    const kept = this.#tokens.get(client.credentials)
    if (kept !== undefined && kept.until > this.#clock.elapsed()) return { access: { ...base, authorization: `Bearer ${kept.token}` } }
    const headers = {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(client.authorization !== undefined && { authorization: client.authorization }),
    }
    const answer = await this.#outgoing.ask(
      {
        method: 'POST',
        url: client.endpoint,
        headers,
        body: `grant_type=client_credentials${client.form ?? ''}`,
        access: base,
        reads: true,
      },
      signal,
    )
    if ('kind' in answer) return { receipt: answer }
    const token = tokenIn(answer.body)
    if (answer.status !== 200 || token === undefined)
      return { receipt: { kind: 'slow', reason: `the token endpoint answered ${answer.status} and no token`, obstacle: 'no-token' } }
    this.#tokens.set(client.credentials, { token: token.token, until: this.#clock.elapsed() + token.lifeMs - marginMs })
    return { access: { ...base, authorization: `Bearer ${token.token}` } }
  }
}

function authoritiesOf({ spec: { ca } }: Subscription, { [authoritiesKey]: more }: CopiedCredentials): string | undefined {
  return more === undefined ? ca : [...(ca === undefined ? [] : [ca]), plain(more)].join('\n')
}

const plain = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString()
const basic = (name: string, word: string): string => `Basic ${Buffer.from(`${name}:${word}`).toString('base64')}`

/** RFC 6749 section 2.3.1. */
const byWord = (copied: CopiedCredentials): Pick<Client, 'authorization'> => ({
  authorization: basic(encodeURIComponent(plain(copied['clientId'])), encodeURIComponent(plain(copied['clientSecret']))),
})

const known: Readonly<Record<'basic' | 'bearer' | 'certificate', (copied: CopiedCredentials) => Access>> = {
  basic: (copied) => ({ authorization: basic(plain(copied['username']), plain(copied['password'])) }),
  bearer: (copied) => ({ authorization: `Bearer ${plain(copied['token']).trim()}` }),
  certificate: (copied) => ({ certificate: { cert: plain(copied['tls.crt']), key: plain(copied['tls.key']) } }),
}

function tokenIn(body: string): { readonly token: string; readonly lifeMs: number } | undefined {
  try {
    const { access_token: token, expires_in: seconds } = JSON.parse(body) as {
      readonly access_token?: unknown
      readonly expires_in?: unknown
    }
    if (typeof token !== 'string' || token === '') return undefined
    return { token, lifeMs: typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : lifeMs }
  } catch {
    return undefined
  }
}

/** In words what a Secret lacks; undefined where it has all that is needed. */
export function lackOf({ spec }: Subscription, copied: CopiedCredentials | undefined, which: 'auth' | 'signing'): string | undefined {
  const named = which === 'auth' ? spec.auth : spec.signing
  if (named === undefined) return undefined
  if (copied === undefined) return `Secret ${named.secret} is not there`
  const wanted: readonly string[] = which === 'auth' ? secretKeys[spec.auth!.type] : [signingKey]
  const missing = wanted.find((key) => copied[key] === undefined)
  if (missing !== undefined) return `Secret ${named.secret} has no key ${missing}`
  if (which === 'signing') return problemInSecrets(plain(copied[signingKey]), named.secret)
  return wanted.includes('tls.crt') ? problemInCertificates(copied, spec.auth!) : undefined
}

/** Whoever named a certificate is not shown another. */
function problemInCertificates(copied: CopiedCredentials, { secret, thumbprint }: Pick<Auth, 'secret' | 'thumbprint'>): string | undefined {
  const [is, authority] = ['tls.crt', authoritiesKey].map((key) => thumbprintIn(plain(copied[key])))
  if (is === undefined) return `Secret ${secret}: tls.crt is no certificate`
  if (copied[authoritiesKey] !== undefined && authority === undefined) return `Secret ${secret}: ${authoritiesKey} is no certificate`
  return thumbprint === undefined || is === thumbprint
    ? undefined
    : `the certificate in Secret ${secret} has the thumbprint ${is}, not ${thumbprint}`
}

/** Of the first certificate, x5t#S256 (RFC 7515 section 4.1.8); undefined where there is none. */
function thumbprintIn(pem: string): string | undefined {
  try {
    return createHash('sha256').update(new X509Certificate(pem).raw).digest('base64url')
  } catch {
    return undefined
  }
}

function problemInSecrets(text: string, name: string): string | undefined {
  try {
    return readSecrets(text).length === 0 ? `Secret ${name} has nothing under ${signingKey}` : undefined
  } catch {
    return `Secret ${name}: each of ${signingKey} is whsec_ and the base64 of 24 to 64 bytes`
  }
}
