// Whose a token is, by Keystone's word: asked with the token itself, as everybody may ask about their own. So no right of ours is needed
// for it, and what is shown to Keystone is what it has given out.
// https://docs.openstack.org/api-ref/identity/v3/ (validate and show information for token)
import type { TokenBearer } from '../../../core/contracts/cloud.ts'
import type { HttpAnswer, HttpRequest } from '../../../platform/http/client.ts'
import { tokensUrl } from './identity.ts'
import { wordsOf } from './words.ts'

export interface TokenCheckDeps {
  /** Of the identity API. */
  readonly endpoint: string
  readonly ask: (request: HttpRequest, signal: AbortSignal) => Promise<Pick<HttpAnswer, 'status' | 'body'>>
}
interface Shown {
  readonly token?: { readonly roles?: readonly { readonly name?: string }[]; readonly user?: { readonly name?: string } }
}

/** Fernet, JWS and UUID; Fernet's have some 200 characters, JWS' up to two thousand. */
const isToken = /^[\w.=-]{16,4096}$/

/** @returns undefined: nobody's @throws where Keystone does not say, or nothing that is understood */
export async function bearerOf(token: string, signal: AbortSignal, { endpoint, ask }: TokenCheckDeps): Promise<TokenBearer | undefined> {
  if (!isToken.test(token)) return undefined
  const headers = { accept: 'application/json', 'x-auth-token': token, 'x-subject-token': token }
  const { status, body } = await ask({ method: 'GET', url: `${tokensUrl(endpoint)}?nocatalog`, headers }, signal)
  if ([401, 403, 404].includes(status)) return undefined
  const { roles = [], user } = (body as Shown | undefined)?.token ?? {}
  if (status !== 200 || user === undefined) throw new Error(`${status} of a token: ${wordsOf(body)}`)
  return { name: user.name ?? '', roles: roles.flatMap(({ name }) => name ?? []) }
}
