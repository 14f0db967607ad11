// To the OpenID provider and back: authorization code flow with PKCE (OpenID Connect Core 1.0, 3.1). What comes of it is the same cookie
// as of a pasted token, with a token of the provider that REST takes.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { MegrezError, SignInRefused, Unauthorized } from '../../../core/errors.ts'
import { escaped } from '../../html.ts'
import type { Tokens } from '../../plugins/auth.ts'
import { sendPlain } from '../page.ts'
import { tokenMax } from '../sessions.ts'
import { attemptCookie, attemptIn, newAttempt, noAttemptCookie, type Attempt, type Attempting } from './attempt.ts'
import { oauthWord, type OpenIdProvider, type TokenSet } from './provider.ts'

export interface OpenIdSignIn extends Omit<Attempting, 'clock'> {
  readonly provider: OpenIdProvider
}
type Beginning = OpenIdSignIn & Attempting
type Ending = Beginning & { readonly tokens: Tokens }

/** @param to the path to come back to */
export async function beginAtProvider(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Beginning,
  to: string | undefined,
): Promise<FastifyReply> {
  const attempt = newAttempt(to, deps)
  return orReason(request, reply, attempt, async () => {
    const address = await deps.provider.addressFor(attempt)
    reply.header('set-cookie', attemptCookie(request, attempt, deps)).header('cache-control', 'no-store')
    return reply.code(302).header('referrer-policy', 'no-referrer').header('location', address).send()
  })
}

/** @param begin sets the cookie of the session */
export async function endAtProvider(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Ending,
  begin: (token: string) => Promise<void>,
): Promise<FastifyReply> {
  // Whatever comes of it, it is tried once.
  reply.header('set-cookie', noAttemptCookie(request))
  const attempt = attemptIn(request, deps)
  return orReason(request, reply, { to: attempt?.to }, async () => {
    if (attempt === undefined) throw new SignInRefused({ reason: 'this browser has begun no sign-in at this address within ten minutes' })
    const tokens = await deps.provider.tokensFor(await codeIn(request, attempt, deps.provider), attempt)
    const { sub = '' } = await deps.provider.claimsOf(tokens.idToken, attempt)
    await begin(await takenByRest(tokens, sub, deps))
    request.log.info({ issuer: deps.provider.options.issuer, subject: sub }, 'signed in')
    // A browser that comes by the provider's redirect sends no Strict cookie; one that a page of ours sends on does.
    const to = escaped(attempt.to)
    return sendPlain(reply, 200, `<p>Signed in. <a href="${to}">Go on</a></p>`, `<meta http-equiv="refresh" content="0;url=${to}">`)
  })
}

/** @throws SignInRefused for an answer to another question, or one without a code */
async function codeIn(request: FastifyRequest, attempt: Attempt, provider: OpenIdProvider): Promise<string> {
  const { state, code, error, iss } = request.query as Readonly<Record<string, unknown>>
  if (state !== attempt.state) throw new SignInRefused({ reason: 'this answers another sign-in than the one that this browser began last' })
  await provider.holdAnswerer(iss === undefined ? undefined : String(iss))
  if (error !== undefined) throw new SignInRefused({ reason: `the provider says ${oauthWord(error)}` })
  if (typeof code !== 'string' || code === '') throw new SignInRefused({ reason: 'the provider has given no code' })
  return code
}

/** The access token where REST takes it, else the ID token: whichever has the audience and the roles of REST. @throws SignInRefused */
async function takenByRest({ accessToken, idToken }: TokenSet, sub: string, { tokens, provider }: Ending): Promise<string> {
  const reasons: string[] = []
  for (const [name, token] of Object.entries({ 'access token': accessToken, 'ID token': idToken })) {
    if (token === undefined) continue
    const why = await whyNot(token, sub, tokens, provider)
    if (why === undefined) return token
    reasons.push(`${name}: ${why}`)
  }
  throw new SignInRefused({ reason: `REST takes none of the provider's tokens (${reasons.join('; ')})` })
}

async function whyNot(token: string, sub: string, tokens: Tokens, { options: { issuer } }: OpenIdProvider): Promise<string | undefined> {
  if (token.length > tokenMax) return `it is longer than the ${tokenMax} bytes that browsers keep as a cookie`
  try {
    const caller = await tokens.callerOf(`Bearer ${token}`)
    return caller.issuer === issuer && caller.subject === sub ? undefined : 'it is of somebody else'
  } catch (err) {
    if (err instanceof Unauthorized) return err.message
    throw err
  }
}

/**
 * A person reads it: a page in place of a problem. It names no token, no code and no secret.
 *
 * @param to where it is to come back to; undefined: that is not known
 */
async function orReason(
  request: FastifyRequest,
  reply: FastifyReply,
  { to = '/' }: { readonly to?: string | undefined },
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (err) {
    if (!(err instanceof MegrezError)) throw err
    request.log.warn({ reason: err.message }, 'nobody was signed in')
    const again = `<p><a href="/sign-in?return=${encodeURIComponent(to)}">Sign in again</a>, or with a token at <a href="/">/</a>.</p>`
    return sendPlain(reply, err.policy.http, `<p>${escaped(err.message)}</p>\n${again}`)
  }
}
